//! Where CPython keeps what: from 3.14 on each interpreter tells that itself, for debuggers.
//!
//! The interpreter has a section `.PyRuntime` that begins with `_Py_DebugOffsets` (CPython's
//! `Include/internal/pycore_debug_offsets.h`), its module `_asyncio` a section `.AsyncioDebug` with
//! `_Py_AsyncioModuleDebugOffsets` (`Modules/_asynciomodule.c`): words of eight bytes, each the place of a field
//! in a structure.

#![allow(clippy::disallowed_methods, reason = "files of the kernel, below /proc and /sys")]

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::PathBuf;

use super::memory::Memory;

/// Places of fields, by structure and field: `frame.owner`.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    fields: HashMap<String, u64>,
    /// Files of the process that tell nothing of asyncio.
    without_asyncio: HashSet<String>,
    /// Where the interpreter's state begins.
    pub(crate) runtime: u64,
}

/// Fields of `_Py_DebugOffsets` in their order; each structure begins with its own size, but for
/// those with a dash.
const V3_14: &str = "
    runtime: finalizing interpreters_head
    interpreter: id next threads_head threads_main gc imports_modules sysdict builtins ceval_gil
        gil_runtime_state gil_enabled gil_locked gil_holder code_object_generation tlbc_generation
    thread: prev next interp current_frame thread_id native_thread_id datastack_chunk status
    frame: previous executable instr_ptr localsplus owner stackpointer tlbc_index
    code: filename name qualname linetable firstlineno argcount localsplusnames localspluskinds adaptive tlbc
    object: type
    type: name repr flags
    tuple: item size
    list: item size
    set: used table mask
    dict: keys values
    float: fval
    long: lv_tag digit
    bytes: length sval
    unicode: state length ascii_size
    gc: collecting
    gen: name iframe frame_state
    -list_node: next prev
    -debugger: eval_breaker support is_enabled pending_call script_path script_path_size";
const V3_15: &str = "
    runtime: finalizing interpreters_head
    interpreter: id next threads_head threads_main gc imports_modules sysdict builtins ceval_gil
        gil_runtime_state gil_enabled gil_locked gil_holder code_object_generation tlbc_generation
    thread: prev next interp current_frame base_frame last_profiled_frame last_profiled_frame_seq thread_id
        native_thread_id datastack_chunk status holds_gil gil_requested current_exception exc_state
    -exception: exc_value
    frame: previous executable instr_ptr localsplus owner stackpointer tlbc_index
    code: filename name qualname linetable firstlineno argcount localsplusnames localspluskinds adaptive tlbc
    object: type
    type: name repr flags basicsize dictoffset
    heap_type: cached_keys
    tuple: item size
    list: item size
    set: used table mask
    dict: keys values
    float: fval
    long: lv_tag digit
    bytes: length sval
    unicode: state length ascii_size compact_size
    gc: collecting frame generation_stats_size generation_stats
    gen: name iframe frame_state
    -list_node: next prev
    -debugger: eval_breaker support is_enabled pending_call script_path script_path_size";
/// Fields of `_Py_AsyncioModuleDebugOffsets`.
const ASYNCIO: &str = "
    task: name awaited_by is_task awaited_by_is_set coro node
    asyncio_interpreter: tasks_head
    asyncio_thread: running_loop running_task tasks_head";

const COOKIE: u64 = u64::from_le_bytes(*b"xdebugpy");

impl Layout {
    /// That of a process; none where it does not tell.
    pub(crate) fn new(pid: i32, memory: &Memory) -> Option<Layout> {
        let mut layout = Layout {
            runtime: section(pid, ".PyRuntime", &mut HashSet::new())?,
            ..Layout::default()
        };
        let [cookie, version, is_free_threaded] =
            [0, 8, 16].map(|at| memory.word(layout.runtime + at));
        let fields = match version? >> 16 {
            0x030e => V3_14,
            0x030f => V3_15,
            _ => return None,
        };
        // Without the lock objects begin otherwise.
        if cookie? != COOKIE || is_free_threaded? != 0 {
            return None;
        }
        layout.add(fields, layout.runtime + 24, memory)?;
        Some(layout)
    }

    /// Adds that of asyncio, unless it is not imported yet. Each file of the process is looked into once.
    pub(crate) fn add_asyncio(&mut self, pid: i32, memory: &Memory) -> Option<()> {
        let at = section(pid, ".AsyncioDebug", &mut self.without_asyncio)?;
        self.add(ASYNCIO, at, memory)
    }

    #[cfg(test)]
    pub(crate) fn of_fields(fields: &[(&str, u64)]) -> Layout {
        let fields = fields.iter().map(|&(name, at)| (name.to_owned(), at)).collect();
        Layout { fields, ..Layout::default() }
    }

    /// The place of a field in its structure; beyond every structure where there is none.
    pub(crate) fn get(&self, field: &str) -> u64 {
        self.fields.get(field).copied().unwrap_or(u64::MAX >> 1)
    }

    fn add(&mut self, fields: &str, mut at: u64, memory: &Memory) -> Option<()> {
        let mut structure = "";
        for word in fields.split_whitespace() {
            let name = match word.strip_suffix(':') {
                Some(begun) => {
                    structure = begun.trim_start_matches('-');
                    if begun.starts_with('-') {
                        continue;
                    }
                    format!("{structure}.size_of")
                }
                None => format!("{structure}.{word}"),
            };
            self.fields.insert(name, memory.word(at)?);
            at += 8;
        }
        Some(())
    }
}

/// Where a section is in a process, of the first of its files that has one of that name; those that have none are not
/// looked into again.
fn section(pid: i32, name: &str, without: &mut HashSet<String>) -> Option<u64> {
    let maps = fs::read_to_string(format!("/proc/{pid}/maps")).ok()?;
    // Where there is no module of its own, asyncio is part of the interpreter.
    let wanted = |file: &str| {
        file.contains("python") || name == ".AsyncioDebug" && file.contains("_asyncio")
    };
    for line in maps.lines() {
        let mut words = line.split_whitespace();
        let (range, _, offset) = (words.next()?, words.next(), words.next());
        let Some(path) = words.nth(2).filter(|path| path.starts_with('/')) else { continue };
        let file = path.rsplit('/').next().unwrap_or(path);
        // The first part of a file is where its addresses count from.
        if offset != Some("00000000") || !wanted(file) || without.contains(path) {
            continue;
        }
        let base = u64::from_str_radix(range.split('-').next()?, 16).ok()?;
        // As the process sees it, where that is another file system.
        let whole = PathBuf::from(format!("/proc/{pid}/root{path}"));
        if let Some(address) = fs::read(whole).ok().and_then(|file| address_in(&file, name)) {
            let (address, is_fixed) = address;
            return Some(if is_fixed { address } else { base.wrapping_add(address) });
        }
        without.insert(path.to_owned());
    }
    None
}

/// The address of a section of an ELF file of 64 bits, and whether it stays as it is (`ET_EXEC`).
fn address_in(file: &[u8], name: &str) -> Option<(u64, bool)> {
    let number = |at: usize, length: usize| -> Option<u64> {
        let bytes = file.get(at..at.checked_add(length)?)?;
        Some(bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte)))
    };
    let (is_elf, is_64) = (file.starts_with(b"\x7fELF"), file.get(4..6) == Some(&[2, 1]));
    if !is_elf || !is_64 {
        return None;
    }
    const EXECUTABLE: u64 = 2;
    let is_fixed = number(16, 2)? == EXECUTABLE;
    let (table, size, count) = (number(40, 8)? as usize, number(58, 2)? as usize, number(60, 2)?);
    let header = |index: u64| table.checked_add(size.checked_mul(index as usize)?);
    let names = number(header(number(62, 2)?)?.checked_add(24)?, 8)? as usize;
    (0..count).find_map(|index| {
        let at = header(index)?;
        let text = file.get(names.checked_add(number(at, 4)? as usize)?..)?;
        let is_it = text.strip_prefix(name.as_bytes()).is_some_and(|rest| rest.first() == Some(&0));
        let address = number(at.checked_add(16)?, 8)?;
        is_it.then_some((address, is_fixed))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `offsetof` of each field in 3.14.10 and 3.15.2, counted in words.
    #[test]
    fn fields_stand_where_the_interpreter_has_them() {
        let image = tempfile::NamedTempFile::new().unwrap();
        let words: Vec<u8> = (0..200u64).flat_map(u64::to_le_bytes).collect();
        std::fs::write(image.path(), words).unwrap();
        let memory = Memory::of_file(image.reopen().unwrap());
        let told = |fields: &str| {
            let mut layout = Layout::default();
            layout.add(fields, 24, &memory).unwrap();
            let names =
                ["thread.native_thread_id", "frame.stackpointer", "debugger.script_path_size"];
            names.map(|name| layout.get(name))
        };
        assert_eq!(told(V3_14), [28, 37, 94]);
        assert_eq!(told(V3_15), [31, 45, 110]);
    }

    #[test]
    fn sections_of_a_file_have_addresses() {
        let own = std::fs::read("/proc/self/exe").unwrap();
        let (text, is_fixed) = address_in(&own, ".text").unwrap();
        assert!(text > 0 && !is_fixed);
        assert_eq!(address_in(&own, ".PyRuntime"), None);
        assert_eq!(address_in(&own[..100], ".text"), None);
        assert_eq!(address_in(b"#!/bin/sh", ".text"), None);
    }
}
