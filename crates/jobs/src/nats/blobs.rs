//! Blobs in the server's object store. A blob's name is known when all of it was read, so that it waits
//! in a file of this machine until then.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek as _, Write};
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};

use async_nats::jetstream::object_store::{GetErrorKind, InfoErrorKind};
use tokio::io::{AsyncRead, AsyncReadExt as _, ReadBuf};

use super::trouble::{ANSWER, Call, Trouble};
use crate::clock::wall_now;
use crate::{Error, Hash};

/// Bytes that are moved at once.
const PIECE: usize = 64 << 10;

impl Call<'_> {
    pub(super) async fn put_blob(&self, from: &mut dyn Read) -> Result<Hash, Error> {
        let (file, hash) = spooled(from)?;
        if self.is_whole(&hash).await? {
            return Ok(hash);
        }
        let name = hash.to_string();
        let blobs = &self.link.blobs;
        self.ask(async || {
            let mut file = Spool(file.try_clone()?);
            file.0.rewind()?;
            Ok(blobs.put(name.as_str(), &mut file).await.map(drop)?)
        })
        .await?;
        Ok(hash)
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

/// A stream in a file that nobody else can see, and its hash.
fn spooled(from: &mut dyn Read) -> Result<(File, Hash), Error> {
    static BEGUN: AtomicU64 = AtomicU64::new(0);
    let number = BEGUN.fetch_add(1, Ordering::Relaxed);
    let name = format!("hotframe-blob-{}-{}-{number}", std::process::id(), wall_now());
    let place: PathBuf = std::env::temp_dir().join(name);
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    let file = options.open(&place).map_err(Error::file("write", &place))?;
    std::fs::remove_file(&place).map_err(Error::file("delete", &place))?;
    let mut hasher = blake3::Hasher::new();
    let mut piece = vec![0; PIECE];
    loop {
        let length = match from.read(&mut piece) {
            Ok(0) => break,
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(Error::Read(error)),
        };
        hasher.update(&piece[..length]);
        (&file).write_all(&piece[..length]).map_err(Error::file("write", &place))?;
    }
    Ok((file, Hash::from_bytes(*hasher.finalize().as_bytes())))
}

/// Files of this machine do not make anyone wait.
struct Spool(File);

impl AsyncRead for Spool {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        to: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let mut piece = vec![0; to.remaining().min(PIECE * 2)];
        let length = self.0.read(&mut piece)?;
        to.put_slice(&piece[..length]);
        Poll::Ready(Ok(()))
    }
}
