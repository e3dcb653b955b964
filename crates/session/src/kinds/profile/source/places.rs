//! The lines and functions of source files that a profile names.

use std::sync::{Arc, OnceLock};

use analysis::{FrameKey, FrameKeys, GroupPlaces};
use profile::{FrameId, Profile};

use crate::kinds::profile::source::instructions::InstructionPlaces;

/// Frames grouped by line and by function of a file. The same for every metric.
#[derive(Debug)]
pub(crate) struct SourcePlaces {
    pub(in crate::kinds::profile) keys: Arc<FrameKeys>,
    pub(in crate::kinds::profile) files: Vec<String>,
    /// File and line, sorted. A frame without either has the number after the last.
    pub(in crate::kinds::profile) lines: Vec<(u32, u32)>,
    pub(in crate::kinds::profile) line_of_frame: Vec<u32>,
    /// File and key, sorted. A frame without a file has the number after the last.
    pub(in crate::kinds::profile) functions: Vec<(u32, FrameKey)>,
    pub(in crate::kinds::profile) function_of_frame: Vec<u32>,
    pub(in crate::kinds::profile) names: Vec<String>,
    /// By function.
    pub(in crate::kinds::profile) starts: Vec<Start>,
    /// Line and function of every frame that has both, sorted.
    pub(in crate::kinds::profile) on_lines: Vec<(u32, u32)>,
    /// Functions by key.
    pub(in crate::kinds::profile) by_key: OnceLock<Vec<u32>>,
    pub(in crate::kinds::profile) instructions: InstructionPlaces,
    /// Where the functions of `keys` are.
    pub(in crate::kinds::profile) groups: OnceLock<GroupPlaces>,
}

/// Where a function starts.
#[derive(Debug, Clone, Copy)]
pub(in crate::kinds::profile) struct Start {
    /// 0 where nothing is known.
    pub(in crate::kinds::profile) line: u32,
    /// Whether the profile tells it; else it is the first line that was measured.
    pub(in crate::kinds::profile) is_told: bool,
}

impl SourcePlaces {
    pub(in crate::kinds::profile) fn new(profile: &Profile, keys: Arc<FrameKeys>) -> SourcePlaces {
        let frames = || (0..profile.frames.len() as u32).map(FrameId);
        let file_text = |frame: FrameId| {
            let function = profile.frames.function(frame)?;
            let file = profile.functions.file[function.index()];
            (!profile.text(file).is_empty()).then_some(file)
        };
        let texts = distinct(frames().filter_map(file_text));
        let file_of = |frame: FrameId| {
            let file = file_text(frame)?;
            texts.binary_search(&file).ok().map(|file| file as u32)
        };
        let line_of = |frame: FrameId| {
            let line = profile.frames.line[frame.index()];
            file_of(frame).filter(|_| line != 0).map(|file| (file, line))
        };
        let function_of = |frame: FrameId| file_of(frame).map(|file| (file, keys.key(frame)));
        let lines = distinct(frames().filter_map(line_of));
        let functions = distinct(frames().filter_map(function_of));
        let line_of_frame: Vec<u32> = numbers(&lines, frames().map(line_of));
        let function_of_frame: Vec<u32> = numbers(&functions, frames().map(function_of));
        let mut first_lines = vec![0; functions.len() + 1];
        let mut start_lines = vec![0; functions.len() + 1];
        for frame in work::steps("finding lines", 0..profile.frames.len() as u32).map(FrameId) {
            let function = function_of_frame[frame.index()] as usize;
            let start = profile.frames.function(frame);
            let start = start.map_or(0, |id| profile.functions.start_line[id.index()]);
            take_smaller(&mut start_lines[function], start);
            take_smaller(&mut first_lines[function], profile.frames.line[frame.index()]);
        }
        let start = |(told, first)| match told {
            0 => Start { line: first, is_told: false },
            line => Start { line, is_told: true },
        };
        let starts = start_lines.into_iter().zip(first_lines).map(start).collect();
        let pairs = line_of_frame.iter().copied().zip(function_of_frame.iter().copied());
        let on_lines = distinct(pairs.filter(|&(line, _)| (line as usize) < lines.len()));
        let instructions = InstructionPlaces::new(
            profile,
            (lines.len(), &line_of_frame),
            (functions.len(), &function_of_frame),
        );
        let names =
            functions.iter().map(|&(_, key)| keys.name(profile, key).into_owned()).collect();
        let files = texts.iter().map(|&file| profile.text(file).to_owned()).collect();
        SourcePlaces {
            keys,
            files,
            lines,
            line_of_frame,
            functions,
            function_of_frame,
            names,
            starts,
            on_lines,
            by_key: OnceLock::new(),
            instructions,
            groups: OnceLock::new(),
        }
    }
}

pub(crate) fn distinct<T: Ord>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut all: Vec<T> = all.collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The place of each in the sorted list; the list's length for what is not there.
pub(crate) fn numbers<T: Ord>(sorted: &[T], all: impl Iterator<Item = Option<T>>) -> Vec<u32> {
    let number = |one: Option<T>| one.and_then(|one| sorted.binary_search(&one).ok());
    all.map(|one| number(one).unwrap_or(sorted.len()) as u32).collect()
}

/// Lines count from 1, so 0 is none.
fn take_smaller(line: &mut u32, other: u32) {
    if other != 0 && (*line == 0 || other < *line) {
        *line = other;
    }
}
