//! Which task awaits which.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use py_spy::Frame;

use super::frames::{DEEPEST, Reader};
use crate::interpreter::{Layout, Memory};

/// Tasks of a process.
#[derive(Debug)]
pub(in crate::python) struct Chains {
    pid: i32,
    is_3_14: bool,
    reader: Option<Reader>,
    /// Whether asyncio is imported, and says where it keeps what.
    is_ready: bool,
    next_try: Instant,
}

/// The task that a thread runs.
#[derive(Debug)]
pub(in crate::python) struct Running {
    pub(in crate::python) name: String,
    /// Of the coroutine that it was made of.
    outermost: Frame,
    /// Coroutines of the tasks that wait for it, outermost first.
    awaiting: Vec<Frame>,
}

/// Stands where several tasks wait for one: each of them has all of its time.
const SEVERAL: &str = "(several tasks wait for this one)";

/// As CPython names tasks that nobody named.
const UNNAMED: &str = "Task-";

/// After it was looked for in vain, asyncio is looked for again so much later.
const LOOK: Duration = Duration::from_millis(5);

const MOST_THREADS: usize = 4096;

const LARGEST_SET: u64 = 1 << 20;

impl Chains {
    /// None where the interpreter does not tell of tasks.
    pub(in crate::python) fn new(pid: i32, version: (u64, u64)) -> Option<Chains> {
        let is_3_14 = version == (3, 14);
        let tells = is_3_14 || version == (3, 15);
        tells.then(|| Chains {
            pid,
            is_3_14,
            reader: None,
            is_ready: false,
            next_try: Instant::now(),
        })
    }

    /// Tasks that run now, by the thread's number as the process sees it; asyncio is looked for once a stack
    /// is in it.
    pub(in crate::python) fn running(&mut self, is_in_asyncio: bool) -> HashMap<u64, Running> {
        if !self.is_ready && is_in_asyncio && Instant::now() >= self.next_try {
            self.next_try = Instant::now() + LOOK;
            self.look();
        }
        if !self.is_ready {
            return HashMap::new();
        }
        self.reader.as_mut().map(running).unwrap_or_default()
    }

    fn look(&mut self) {
        if self.reader.is_none() {
            self.reader = Memory::new(self.pid).ok().and_then(|memory| {
                let layout = Layout::new(self.pid, &memory)?;
                Some(Reader::new(memory, layout, self.is_3_14))
            });
        }
        if let Some(Reader { memory, layout, .. }) = &mut self.reader {
            self.is_ready = layout.add_asyncio(self.pid, memory).is_some();
        }
    }
}

fn running(reader: &mut Reader) -> HashMap<u64, Running> {
    let mut found = HashMap::new();
    let mut interpreter = reader.pointer(reader.layout.runtime, "runtime.interpreters_head");
    let mut seen = 0;
    while let Some(at) = interpreter {
        let mut thread = reader.pointer(at, "interpreter.threads_head");
        while let Some(at) = thread
            && seen < MOST_THREADS
        {
            seen += 1;
            let number = reader.word(at, "thread.native_thread_id");
            let task = reader.pointer(at, "asyncio_thread.running_task");
            if let (Some(number), Some(task)) = (number, task)
                && let Some(running) = task_of(reader, task)
            {
                found.insert(number, running);
            }
            thread = reader.pointer(at, "thread.next");
        }
        seen += 1;
        interpreter = reader.pointer(at, "interpreter.next").filter(|_| seen < MOST_THREADS);
    }
    found
}

fn task_of(reader: &mut Reader, task: u64) -> Option<Running> {
    let coroutine = reader.pointer(task, "task.coro")?;
    let outermost = reader.frame(coroutine)?;
    Some(Running { name: name(reader, task)?, outermost, awaiting: awaiting(reader, task) })
}

fn name(reader: &Reader, task: u64) -> Option<String> {
    let name = reader.pointer(task, "task.name")?;
    // One that nobody named has a number until it is asked for its name.
    reader.text(name).or_else(|| {
        let digits = reader.word(name, "long.lv_tag")? >> 3;
        let digit = name.checked_add(reader.layout.get("long.digit"))?;
        let number = u32::from_le_bytes(reader.memory.bytes(digit)?);
        (digits == 1).then(|| format!("{UNNAMED}{number}"))
    })
}

/// Frames of the tasks that wait for a task, outermost first.
fn awaiting(reader: &mut Reader, task: u64) -> Vec<Frame> {
    let mut frames: Vec<Frame> = vec![];
    let mut at = task;
    for _ in 0..DEEPEST {
        let Some(by) = reader.pointer(at, "task.awaited_by") else { break };
        at = match reader.flag(at, "task.awaited_by_is_set") {
            Some(false) => by,
            Some(true) => match members(reader, by)[..] {
                [one] => one,
                [] => break,
                _ => {
                    frames.insert(0, several());
                    break;
                }
            },
            None => break,
        };
        // What gathers others is awaited in turn, and has no coroutine.
        if reader.flag(at, "task.is_task") == Some(true)
            && let Some(coroutine) = reader.pointer(at, "task.coro")
        {
            let above = reader.coroutine(coroutine);
            frames.splice(0..0, above);
        }
    }
    frames
}

fn several() -> Frame {
    Frame {
        name: SEVERAL.to_owned(),
        filename: String::new(),
        module: None,
        short_filename: None,
        line: 0,
        locals: None,
        is_entry: false,
        is_shim_entry: false,
    }
}

/// Two members of a set at most.
fn members(reader: &Reader, set: u64) -> Vec<u64> {
    let mut found = vec![];
    let table = reader.pointer(set, "set.table");
    let (Some(table), Some(mask)) = (table, reader.word(set, "set.mask")) else { return found };
    // An entry is an object and its hash; one that was taken out has a hash of -1.
    for entry in 0..=mask.min(LARGEST_SET) {
        let Some([object, hash]) = table
            .checked_add(entry * 16)
            .and_then(|at| Some([reader.memory.word(at)?, reader.memory.word(at + 8)?]))
        else {
            break;
        };
        if object != 0 && hash != u64::MAX {
            found.push(object);
        }
        if found.len() > 1 {
            break;
        }
    }
    found
}

impl Running {
    /// Puts the tasks that wait below the task's own frames (innermost first), if these are of that task: the thread
    /// may have gone on to another one since its stack was read.
    pub(in crate::python) fn put_into(&self, frames: &mut Vec<Frame>) -> bool {
        let is_outermost = |frame: &Frame| {
            frame.name == self.outermost.name && frame.filename == self.outermost.filename
        };
        // The coroutine may call itself.
        let Some(at) = frames.iter().rposition(is_outermost) else { return false };
        frames.splice(at + 1..at + 1, self.awaiting.iter().rev().cloned());
        true
    }
}
