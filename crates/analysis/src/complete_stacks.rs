//! Whether call stacks go up to where a thread begins. Where code is compiled without frame pointers, a chain of
//! them skips callers or ends too soon, and what is left looks like a whole stack.

use profile::{ContextId, FrameId, Profile};

/// How many stacks of samples are whole, of those that can be judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CompleteStacks {
    /// They go up to where a thread or the program begins.
    pub whole: u64,
    /// All stacks with frames of the program, and a name for the outermost.
    pub judged: u64,
    /// Stacks whose outermost frame has no name.
    pub unnamed: u64,
}

/// Functions in which programs and threads begin.
const ENTRIES: [&str; 24] = [
    "_start",
    "__libc_start_main",
    "__libc_start_main_impl",
    "__libc_start_call_main",
    "main",
    "start_thread",
    "clone",
    "clone3",
    "__clone",
    "__clone3",
    "__GI___clone3",
    "thread_start",
    "_dl_start",
    "_dl_start_user",
    "runtime.goexit",
    "runtime.goexit.abi0",
    "runtime.rt0_go",
    "runtime.rt0_go.abi0",
    "runtime.mstart",
    "runtime.mstart.abi0",
    "runtime.mcall",
    "runtime.systemstack",
    "_pthread_start",
    "start",
];

/// Of the samples of a profile that perf recorded; nothing for others.
pub fn complete_stacks(profile: &Profile) -> Option<CompleteStacks> {
    if !matches!(&*profile.origin.format, "perf-data" | "perf-script") {
        return None;
    }
    let is_kernel = |frame: FrameId| {
        let module = profile.frame_module(frame);
        module.starts_with("[kernel")
            || module.starts_with("[guest.kernel")
            || module.ends_with(".ko")
    };
    // By context, its outermost frame: parents have smaller numbers.
    let parents = profile.contexts.parents();
    let mut outermost: Vec<Option<FrameId>> = vec![None; profile.contexts.len()];
    for context in 1..profile.contexts.len() {
        let own = profile.frames_of(ContextId(context as u32)).next().map(FrameId);
        outermost[context] = outermost[parents[context] as usize].or(own);
    }
    let mut told = CompleteStacks { whole: 0, judged: 0, unnamed: 0 };
    for point in 0..profile.points.len() {
        let context = profile.points.context[point];
        if profile.points.time(point).is_none() {
            continue;
        }
        let Some(frame) = outermost[context.index()].filter(|frame| !is_kernel(*frame)) else {
            continue;
        };
        let name = profile
            .frames
            .function(frame)
            .map_or("", |function| profile.text(profile.functions.name[function.index()]));
        let plain = name.split(['+', '@']).next().unwrap_or(name);
        if plain.is_empty() || plain.starts_with('[') {
            told.unnamed += 1;
        } else {
            told.judged += 1;
            told.whole += u64::from(ENTRIES.contains(&plain));
        }
    }
    Some(told)
}
