//! What jobs print while they run: messages that say where in the log they begin.

use async_nats::jetstream::consumer::DeliverPolicy;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::LastRawMessageErrorKind;

use super::trouble::{Call, Trouble};
use crate::clock::wall_now;
use crate::{Claim, Error, Key, LogPart, MOST_LOG};

/// Most bytes of one message.
const PIECE: usize = 256 << 10;
/// The header that says where a piece begins.
const START: &str = "Hotframe-Start";

impl Call<'_> {
    pub(super) async fn log(&self, claim: &Claim, bytes: &[u8]) -> Result<(), Error> {
        // Who was told to stop may still say why.
        let _ = self.check(claim).await?;
        let dropped = bytes.len().saturating_sub(MOST_LOG);
        for (nth, piece) in bytes[dropped..].chunks(PIECE).enumerate() {
            self.append(claim, piece, if nth == 0 { dropped } else { 0 }).await?;
        }
        Ok(())
    }

    /// Appends a piece after so many bytes that are not kept.
    async fn append(&self, claim: &Claim, piece: &[u8], dropped: usize) -> Result<(), Error> {
        let subject = self.link.names.log(&claim.job.key);
        let id = format!("{subject}-{}-{}", claim.worker, wall_now());
        loop {
            let (sequence, end) = self.end_of_log(&claim.job.key).await?;
            let start = end + dropped as u64;
            let message = PublishMessage::build()
                .payload(piece.to_vec().into())
                .header(START, start.to_string())
                .message_id(&id)
                .expected_last_subject_sequence(sequence);
            let publish = async || {
                let sent = self.link.jetstream.send_publish(subject.clone(), message.clone()).await;
                Ok(sent?.await?.duplicate)
            };
            if self.try_ask(publish).await?.is_err() {
                // A second try of what arrived is told from somebody else's by its end.
                let (_, now) = self.end_of_log(&claim.job.key).await?;
                if now == start + piece.len() as u64 {
                    return Ok(());
                }
                continue;
            }
            let (before, after) =
                (end / MOST_LOG as u64, (start + piece.len() as u64) / MOST_LOG as u64);
            if before != after {
                self.trim(&claim.job.key, start + piece.len() as u64).await?;
            }
            return Ok(());
        }
    }

    /// Drops pieces of which nothing is kept any more.
    async fn trim(&self, key: &Key, end: u64) -> Result<(), Error> {
        let subject = self.link.names.log(key);
        let logs = &self.link.streams.logs;
        let kept = end.saturating_sub(MOST_LOG as u64);
        let messages = self.messages(logs, &subject, DeliverPolicy::All, usize::MAX).await?;
        let first = messages.iter().find(|message| {
            start_of(message.headers.as_ref()) + message.payload.len() as u64 > kept
        });
        let sequence = first.and_then(|message| Some(message.info().ok()?.stream_sequence));
        let Some(sequence) = sequence else { return Ok(()) };
        self.ask(async || Ok(logs.purge().sequence(sequence).filter(&subject).await?)).await?;
        Ok(())
    }

    /// The last message of a log, and how many bytes were ever logged.
    async fn end_of_log(&self, key: &Key) -> Result<(u64, u64), Error> {
        let subject = self.link.names.log(key);
        let logs = &self.link.streams.logs;
        let last = async || match logs.get_last_raw_message_by_subject(&subject).await {
            Ok(message) => Ok(Some(message)),
            Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => Ok(None),
            Err(error) => Err(Trouble::from(error)),
        };
        Ok(self.ask(last).await?.map_or((0, 0), |message| {
            let start = start_of(Some(&message.headers));
            (message.sequence, start + message.payload.len() as u64)
        }))
    }

    pub(super) async fn read_log(&self, key: &Key, from: u64) -> Result<LogPart, Error> {
        let (_, end) = self.end_of_log(key).await?;
        if end == 0 {
            self.known(key).await?;
        }
        let dropped = end.saturating_sub(MOST_LOG as u64);
        let from = from.clamp(dropped, end);
        let mut part = LogPart { bytes: vec![], next: end, dropped };
        if from == end {
            return Ok(part);
        }
        let subject = self.link.names.log(key);
        let logs = &self.link.streams.logs;
        for message in self.messages(logs, &subject, DeliverPolicy::All, usize::MAX).await? {
            let start = start_of(message.headers.as_ref());
            let skipped = usize::try_from(from.saturating_sub(start)).unwrap_or(usize::MAX);
            let piece = message.payload.get(skipped..).unwrap_or_default();
            if start < end {
                part.bytes.extend_from_slice(piece);
            }
        }
        Ok(part)
    }
}

fn start_of(headers: Option<&async_nats::HeaderMap>) -> u64 {
    let start = headers.and_then(|headers| headers.get(START));
    start.and_then(|start| start.as_str().parse().ok()).unwrap_or(0)
}
