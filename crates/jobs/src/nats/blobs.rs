//! Blobs in the server's object store, as its other clients write them: pieces first, under a name of
//! their own, then what tells of the object, under its hash. Until that is there nobody sees the pieces.

use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicU64, Ordering};

use async_nats::datetime;
use async_nats::header::NATS_ROLLUP;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::object_store::{GetErrorKind, InfoErrorKind, ObjectInfo, ObjectOptions};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE;
use sha2::{Digest as _, Sha256};
use tokio::io::AsyncReadExt as _;

use super::trouble::{ANSWER, Call, Trouble};
use crate::clock::wall_now;
use crate::{Error, Hash};

/// Bytes of one message.
const PIECE: usize = 128 << 10;

/// What was sent of a blob.
struct Sent {
    hash: Hash,
    sha: String,
    bytes: u64,
    pieces: usize,
}

impl Call<'_> {
    pub(super) async fn put_blob(&self, from: &mut dyn Read) -> Result<Hash, Error> {
        static BEGUN: AtomicU64 = AtomicU64::new(0);
        let number = BEGUN.fetch_add(1, Ordering::Relaxed);
        let id = format!("{}-{}-{number}", std::process::id(), wall_now());
        let kept = match self.send(from, &id).await {
            Ok(sent) => self.keep(&sent, &id).await.map(|is_new| (sent.hash, is_new)),
            Err(error) => Err(error),
        };
        match kept {
            Ok((hash, true)) => Ok(hash),
            Ok((hash, false)) => self.delete_pieces(&id).await.map(|()| hash),
            Err(error) => {
                // What stays there is seen by nobody, but takes space.
                let _ = self.delete_pieces(&id).await;
                Err(error)
            }
        }
    }

    async fn send(&self, from: &mut dyn Read, id: &str) -> Result<Sent, Error> {
        let (mut hasher, mut sha, mut pieces) = (blake3::Hasher::new(), Sha256::new(), 0);
        let subject = format!("$O.{}.C.{id}", self.link.names.of("blobs"));
        loop {
            let mut piece = Vec::with_capacity(PIECE);
            let mut next = Read::take(&mut *from, PIECE as u64);
            next.read_to_end(&mut piece).map_err(Error::Read)?;
            if piece.is_empty() {
                break;
            }
            hasher.update(&piece);
            sha.update(&piece);
            let message =
                PublishMessage::build().payload(piece.into()).message_id(format!("{id}-{pieces}"));
            self.publish(&subject, message).await?;
            pieces += 1;
        }
        let hash = Hash::from_bytes(*hasher.finalize().as_bytes());
        let sha = format!("SHA-256={}", URL_SAFE.encode(sha.finalize()));
        Ok(Sent { hash, sha, bytes: hasher.count(), pieces })
    }

    /// Makes the pieces a blob; false if it is there already. A damaged one is replaced.
    async fn keep(&self, sent: &Sent, id: &str) -> Result<bool, Error> {
        if self.is_whole(&sent.hash).await? {
            return Ok(false);
        }
        let bucket = self.link.names.of("blobs");
        let name = sent.hash.to_string();
        let subject = format!("$O.{bucket}.M.{}", URL_SAFE.encode(&name));
        let info = ObjectInfo {
            name,
            description: None,
            metadata: <_>::default(),
            headers: None,
            options: Some(ObjectOptions { link: None, max_chunk_size: Some(PIECE) }),
            bucket,
            nuid: id.to_owned(),
            size: usize::try_from(sent.bytes).unwrap_or(usize::MAX),
            chunks: sent.pieces,
            modified: Some(datetime::now()),
            digest: Some(sent.sha.clone()),
            deleted: false,
        };
        let bytes = serde_json::to_vec(&info).map_err(|error| self.other(error.to_string()))?;
        let message = PublishMessage::build().payload(bytes.into()).header(NATS_ROLLUP, "sub");
        self.publish(&subject, message).await?;
        Ok(true)
    }

    async fn publish(&self, subject: &str, message: PublishMessage) -> Result<(), Error> {
        self.ask(async || {
            let sent = self.link.jetstream.send_publish(subject.to_owned(), message.clone()).await;
            sent?.await?;
            Ok(())
        })
        .await
    }

    async fn delete_pieces(&self, id: &str) -> Result<(), Error> {
        let bucket = self.link.names.of("blobs");
        let which = serde_json::json!({ "filter": format!("$O.{bucket}.C.{id}") });
        let request = format!("STREAM.PURGE.OBJ_{bucket}");
        let jetstream = &self.link.jetstream;
        self.ask(async || {
            let answer: serde_json::Value = jetstream.request(request.clone(), &which).await?;
            drop(answer);
            Ok(())
        })
        .await
    }

    pub(super) async fn get_blob(&self, hash: &Hash, to: &mut dyn Write) -> Result<u64, Error> {
        let name = hash.to_string();
        let blobs = &self.link.blobs;
        let object = self
            .ask(async || match blobs.get(&name).await {
                Ok(object) => Ok(Some(object)),
                Err(error) if error.kind() == GetErrorKind::NotFound => Ok(None),
                Err(error) => Err(Trouble::from(error)),
            })
            .await?;
        let mut object = object.ok_or_else(|| self.missing(format!("blob {hash}")))?;
        let mut hasher = blake3::Hasher::new();
        let mut piece = vec![0; PIECE];
        loop {
            let length = match tokio::time::timeout(ANSWER, object.read(&mut piece)).await {
                Ok(Ok(0)) => break,
                Ok(Ok(length)) => length,
                Ok(Err(error)) if error.kind() == io::ErrorKind::InvalidData => {
                    return Err(self.damaged(format!("blob {hash}")));
                }
                Ok(Err(error)) => return Err(self.broken(error.to_string())),
                Err(_) => return Err(self.broken("it stopped in the middle of a blob".to_owned())),
            };
            hasher.update(&piece[..length]);
            to.write_all(&piece[..length]).map_err(Error::Write)?;
        }
        if Hash::from_bytes(*hasher.finalize().as_bytes()) != *hash {
            return Err(self.damaged(format!("blob {hash}")));
        }
        Ok(hasher.count())
    }

    pub(super) async fn has_blob(&self, hash: &Hash) -> Result<bool, Error> {
        let name = hash.to_string();
        let blobs = &self.link.blobs;
        self.ask(async || match blobs.info(&name).await {
            Ok(info) => Ok(!info.deleted),
            Err(error) if error.kind() == InfoErrorKind::NotFound => Ok(false),
            Err(error) => Err(Trouble::from(error)),
        })
        .await
    }

    /// A damaged blob is replaced by who has it.
    async fn is_whole(&self, hash: &Hash) -> Result<bool, Error> {
        if !self.has_blob(hash).await? {
            return Ok(false);
        }
        match self.get_blob(hash, &mut io::sink()).await {
            Ok(_) => Ok(true),
            Err(Error::Damaged { .. } | Error::Missing { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn broken(&self, what: String) -> Error {
        Error::Unreachable { place: self.link.place.clone(), what }
    }
}
