//! `hotframe engine`: frames of the protocol on standard input and output, for programs that start one.
//!
//! ```text
//! u32 little-endian   bytes of the frame
//! frame               see `protocol`
//! ```

use std::collections::HashMap;
use std::io::{self, Read, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use protocol::{DecodeError, ErrorCode, Frame, Header, Progress, ProtocolError};
use session::{Call, Session};

use crate::arguments::EngineOfPrograms;
use crate::host::FileHost;
use crate::{server, settings};

/// A longer frame is none of ours.
const MOST_FRAME_BYTES: u32 = 1 << 31;
/// How often is told how far an answer is, once it takes a while.
const BETWEEN_PROGRESS: Duration = Duration::from_millis(100);

/// Answers frames one after the other until standard input ends.
pub(crate) fn engine(arguments: &EngineOfPrograms) -> Result<()> {
    if arguments.page {
        let page = server::notebook().context(
            "this Hotframe was compiled without its page: `cargo xtask demo` builds both",
        )?;
        return Ok(io::stdout().lock().write_all(&page)?);
    }
    let options = arguments.limits.read_options();
    let host = FileHost::new(&[], options.max_size).with_any_file();
    let session = Session::new(Box::new(host), options)
        .with_formulas(settings::formulas()?)
        .with_rules(settings::rules()?)
        .reading_as(arguments.limits.reading_as());
    let open = Open::default();
    let (send, frames) = mpsc::channel();
    let reader_open = Arc::clone(&open);
    std::thread::spawn(move || read(&send, &reader_open));
    for frame in frames {
        let answer = match frame {
            Ok(frame) => answer(&session, &open, frame),
            Err(error) => {
                let id = if let DecodeError::Header { id: Some(id), .. } = error { id } else { 0 };
                let error = ProtocolError::new(ErrorCode::BadRequest, error.to_string());
                Frame { header: Header::Error { id, error }, columns: vec![] }
            }
        };
        // Nobody reads any more.
        if write(&answer).is_err() {
            break;
        }
    }
    Ok(())
}

/// Requests that wait or are under way, so that they can be cancelled.
type Open = Arc<Mutex<HashMap<u32, Arc<AtomicBool>>>>;

/// Reads frames while answers are worked out: one that cancels is not to wait for what it cancels.
fn read(send: &mpsc::Sender<Result<Frame, DecodeError>>, open: &Open) {
    let mut input = io::stdin().lock();
    let mut length = [0; 4];
    while input.read_exact(&mut length).is_ok() {
        let length = u32::from_le_bytes(length);
        let mut bytes = vec![];
        let read = (&mut input).take(length.into()).read_to_end(&mut bytes);
        if length > MOST_FRAME_BYTES || read.is_err() || bytes.len() != length as usize {
            break;
        }
        let frame = protocol::decode(&bytes);
        if let Ok(Frame { header, .. }) = &frame {
            let mut open = open.lock().unwrap_or_else(PoisonError::into_inner);
            match header {
                Header::Cancel { id } => {
                    if let Some(cancelled) = open.get(id) {
                        cancelled.store(true, Ordering::Relaxed);
                    }
                    continue;
                }
                Header::Request { id, .. } => drop(open.insert(*id, Arc::default())),
                Header::Response { .. } | Header::Error { .. } | Header::Progress { .. } => {}
            }
        }
        if send.send(frame).is_err() {
            break;
        }
    }
}

fn answer(session: &Session, open: &Open, frame: Frame) -> Frame {
    let id = if let Header::Request { id, .. } = frame.header { id } else { 0 };
    let locked = || open.lock().unwrap_or_else(PoisonError::into_inner);
    let cancelled = locked().get(&id).cloned().unwrap_or_default();
    let told_at = Mutex::new(Instant::now());
    let call = ProgramCall(Arc::new(Caller { id, cancelled, told_at }));
    let answer = if call.is_cancelled() {
        let error = ProtocolError::new(ErrorCode::Cancelled, "the request was cancelled");
        Frame { header: Header::Error { id, error }, columns: vec![] }
    } else {
        session.answer_frame(frame, &call)
    };
    locked().remove(&id);
    answer
}

fn write(frame: &Frame) -> io::Result<()> {
    let bytes = protocol::encode(frame);
    let length = u32::try_from(bytes.len()).ok().filter(|length| *length <= MOST_FRAME_BYTES);
    let Some(length) = length else {
        let Header::Response { id, .. } = frame.header else { return Ok(()) };
        let message = "the answer has more than 2 GiB";
        let error = ProtocolError::new(ErrorCode::Limit, message).with_hint("Filter the view.");
        return write(&Frame { header: Header::Error { id, error }, columns: vec![] });
    };
    let mut out = io::stdout().lock();
    out.write_all(&length.to_le_bytes())?;
    out.write_all(&bytes)?;
    out.flush()
}

struct ProgramCall(Arc<Caller>);

impl Call for ProgramCall {
    fn progress(&self, progress: Progress) {
        self.0.tell(progress);
    }

    fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Relaxed)
    }

    fn watch(&self) -> Option<Arc<dyn work::Watch>> {
        Some(self.0.clone())
    }
}

/// The program that waits for an answer.
struct Caller {
    id: u32,
    cancelled: Arc<AtomicBool>,
    told_at: Mutex<Instant>,
}

impl Caller {
    fn tell(&self, progress: Progress) {
        let mut told = self.told_at.lock().unwrap_or_else(PoisonError::into_inner);
        if told.elapsed() < BETWEEN_PROGRESS {
            return;
        }
        *told = Instant::now();
        // That nobody reads any more is seen where the answer is written.
        let header = Header::Progress { id: self.id, progress };
        let _ = write(&Frame { header, columns: vec![] });
    }
}

impl work::Watch for Caller {
    fn is_stopped(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    fn see(&self, progress: work::Progress) {
        self.tell(Progress {
            phase: progress.phase.to_owned(),
            done: progress.done as f64,
            total: progress.total as f64,
        });
    }
}
