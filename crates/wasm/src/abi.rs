//! What the worker calls, and what it provides: numbers, and bytes by their address.
//!
//! The worker asks for [`room`], writes there, and calls what takes them.
#![allow(
    unsafe_code,
    reason = "a page and its module share addresses, which only `unsafe` can say"
)]

use std::cell::{OnceCell, RefCell};
use std::{io, panic};

use crate::{Engine, Page};

#[link(wasm_import_module = "hotframe")]
unsafe extern "C" {
    #[link_name = "send"]
    fn page_send(frame: *const u8, count: usize);
    #[link_name = "read"]
    fn page_read(file: u32, offset: f64, out: *mut u8, count: usize) -> i32;
    #[link_name = "seconds"]
    fn page_seconds() -> f64;
    #[link_name = "fault"]
    fn page_fault(text: *const u8, count: usize);
}

struct Worker;

impl Page for Worker {
    fn send(&self, frame: &[u8]) {
        // SAFETY: the worker copies the bytes before it returns.
        unsafe { page_send(frame.as_ptr(), frame.len()) }
    }

    fn read(&self, file: u32, offset: u64, out: &mut [u8]) -> io::Result<usize> {
        // SAFETY: the worker writes at most so many bytes there, before it returns.
        let count = unsafe { page_read(file, offset as f64, out.as_mut_ptr(), out.len()) };
        let count = usize::try_from(count).ok().filter(|count| *count <= out.len());
        count.ok_or_else(|| {
            io::Error::other("the browser does not give the file any more: it was moved or changed")
        })
    }

    fn seconds(&self) -> f64 {
        // SAFETY: it takes nothing.
        unsafe { page_seconds() }
    }
}

thread_local! {
    static ENGINE: OnceCell<Engine<Worker>> = const { OnceCell::new() };
    static ROOM: RefCell<Vec<u8>> = const { RefCell::new(vec![]) };
}

/// Where the worker may write `count` bytes for the next call.
#[unsafe(no_mangle)]
extern "C" fn room(count: usize) -> *mut u8 {
    ROOM.with_borrow_mut(|room| {
        *room = vec![0; count];
        room.as_mut_ptr()
    })
}

/// Starts the engine, whose name is in the room.
#[unsafe(no_mangle)]
extern "C" fn start() {
    panic::set_hook(Box::new(|fault| {
        let text = fault.to_string();
        // SAFETY: the worker copies the text before it returns.
        unsafe { page_fault(text.as_ptr(), text.len()) }
    }));
    let id = String::from_utf8_lossy(&ROOM.take()).into_owned();
    ENGINE.with(|engine| {
        engine.get_or_init(|| Engine::new(Worker, id));
    });
}

/// Takes the files that are told in the room, as JSON; 0 if they cannot be read there.
#[unsafe(no_mangle)]
extern "C" fn hand() -> u32 {
    let Ok(handed) = serde_json::from_slice(&ROOM.take()) else { return 0 };
    ENGINE.with(|engine| {
        let Some(engine) = engine.get() else { return 0 };
        engine.hand(handed);
        1
    })
}

/// Answers the frame that is in the room.
#[unsafe(no_mangle)]
extern "C" fn take() {
    let frame = ROOM.take();
    ENGINE.with(|engine| {
        if let Some(engine) = engine.get() {
            engine.take(&frame);
        }
    });
}
