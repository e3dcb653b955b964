//! Frames over a WebSocket.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use protocol::{DecodeError, ErrorCode, Frame, Header, Progress, ProtocolError};
use session::{Call, Session};
use tokio::sync::{Semaphore, mpsc};

use super::bound::Shared;

/// Largest message: a piece of an upload with room to spare.
const MOST_MESSAGE_BYTES: usize = 64 << 20;
/// Answers that may wait for a slow page.
const MOST_WAITING: usize = 64;
/// Requests answered at the same time; further ones wait.
const MOST_AT_ONCE: usize = 8;
/// Answers that take less are not worth a look at their progress.
const UNTIL_PROGRESS: Duration = Duration::from_millis(400);
/// How often a page is told how far an answer is.
const BETWEEN_PROGRESS: Duration = Duration::from_millis(100);

pub(super) async fn upgrade(
    State(shared): State<Shared>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if !shared.guard.admits(query.as_deref()) || !shared.guard.admits_origin(&headers) {
        return StatusCode::FORBIDDEN.into_response();
    }
    upgrade
        .max_message_size(MOST_MESSAGE_BYTES)
        .max_frame_size(MOST_MESSAGE_BYTES)
        .on_upgrade(move |socket| talk(socket, shared.session))
}

/// Numbers of sockets; 0 is for calls that come from no page.
static NEXT_CALLER: AtomicU64 = AtomicU64::new(1);

/// Requests under way, so that they can be cancelled.
type Open = Arc<Mutex<HashMap<u32, Arc<AtomicBool>>>>;

async fn talk(mut socket: WebSocket, session: Arc<Session>) {
    let (send, mut answers) = mpsc::channel::<Vec<u8>>(MOST_WAITING);
    let open = Open::default();
    let caller = NEXT_CALLER.fetch_add(1, Ordering::Relaxed);
    let places = Arc::new(Semaphore::new(MOST_AT_ONCE));
    loop {
        tokio::select! {
            Some(answer) = answers.recv() => {
                if socket.send(Message::Binary(Bytes::from(answer))).await.is_err() {
                    break;
                }
            }
            message = socket.recv() => match message {
                Some(Ok(Message::Binary(bytes))) => {
                    take(&bytes, &session, caller, &send, &open, &places);
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => break,
                Some(Ok(_)) => {}
            },
        }
    }
    // The page is gone: nobody wants these answers.
    for cancelled in open.lock().unwrap_or_else(PoisonError::into_inner).values() {
        cancelled.store(true, Ordering::Relaxed);
    }
    session.forget_caller(caller);
}

fn take(
    bytes: &[u8],
    session: &Arc<Session>,
    caller: u64,
    send: &mpsc::Sender<Vec<u8>>,
    open: &Open,
    places: &Arc<Semaphore>,
) {
    let frame = match protocol::decode(bytes) {
        Ok(frame) => frame,
        Err(error) => {
            let id = if let DecodeError::Header { id: Some(id), .. } = error { id } else { 0 };
            let error = ProtocolError::new(ErrorCode::BadRequest, error.to_string());
            let frame = Frame { header: Header::Error { id, error }, columns: vec![] };
            // A full channel means that the page does not read; it gets nothing either way.
            let _ = send.try_send(protocol::encode(&frame));
            return;
        }
    };
    let mut under_way = open.lock().unwrap_or_else(PoisonError::into_inner);
    let id = match frame.header {
        Header::Cancel { id } => {
            if let Some(cancelled) = under_way.get(&id) {
                cancelled.store(true, Ordering::Relaxed);
            }
            return;
        }
        Header::Request { id, .. } => id,
        Header::Response { .. } | Header::Error { .. } | Header::Progress { .. } => 0,
    };
    let cancelled = Arc::new(AtomicBool::new(false));
    under_way.insert(id, cancelled.clone());
    drop(under_way);
    let (session, send, open, places) =
        (session.clone(), send.clone(), open.clone(), places.clone());
    tokio::spawn(async move {
        let Ok(_place) = places.acquire_owned().await else { return };
        let told_at = Mutex::new(Instant::now() + UNTIL_PROGRESS);
        let (to_page, is_cancelled) = (send.clone(), cancelled.clone());
        let page = PageOfCall { id, send: to_page, cancelled: is_cancelled, told_at };
        let call = SocketCall { caller, page: Arc::new(page) };
        let answered = tokio::task::spawn_blocking(move || {
            (!call.is_cancelled()).then(|| session.answer_frame(frame, &call))
        });
        let answer = match answered.await {
            Ok(Some(answer)) if !cancelled.load(Ordering::Relaxed) => answer,
            Ok(_) => failure(id, ErrorCode::Cancelled, "the request was cancelled"),
            Err(_) => failure(id, ErrorCode::BadRequest, "the engine failed on this request"),
        };
        open.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
        // A closed channel means that the page is gone.
        let _ = send.send(protocol::encode(&answer)).await;
    });
}

fn failure(id: u32, code: ErrorCode, message: &str) -> Frame {
    Frame {
        header: Header::Error { id, error: ProtocolError::new(code, message) },
        columns: vec![],
    }
}

struct SocketCall {
    caller: u64,
    page: Arc<PageOfCall>,
}

impl Call for SocketCall {
    fn progress(&self, progress: Progress) {
        self.page.tell(progress);
    }

    fn caller(&self) -> u64 {
        self.caller
    }

    fn is_cancelled(&self) -> bool {
        self.page.cancelled.load(Ordering::Relaxed)
    }

    fn watch(&self) -> Option<Arc<dyn work::Watch>> {
        Some(self.page.clone())
    }
}

/// The page that waits for an answer.
struct PageOfCall {
    id: u32,
    send: mpsc::Sender<Vec<u8>>,
    cancelled: Arc<AtomicBool>,
    /// When it was told last how far the answer is; at first a moment to come.
    told_at: Mutex<Instant>,
}

impl PageOfCall {
    fn tell(&self, progress: Progress) {
        let header = Header::Progress { id: self.id, progress };
        // Progress that finds the channel full may be missed.
        let _ = self.send.try_send(protocol::encode(&Frame { header, columns: vec![] }));
    }
}

impl work::Watch for PageOfCall {
    fn is_stopped(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    fn see(&self, progress: work::Progress) {
        let mut told = self.told_at.lock().unwrap_or_else(PoisonError::into_inner);
        if told.elapsed() < BETWEEN_PROGRESS {
            return;
        }
        *told = Instant::now();
        self.tell(Progress {
            phase: progress.phase.to_owned(),
            done: progress.done as f64,
            total: progress.total as f64,
        });
    }
}
