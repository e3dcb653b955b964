//! Where a group of frames is, for lists and trees.

use profile::{FrameId, Profile};

use super::{FrameKey, FrameKeys, Granularity};

/// Where a group of frames is. Empty or 0 where the profile does not say so, or several differ.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GroupPlace<'a> {
    /// Source file.
    pub file: &'a str,
    /// How many source files the group merges, where that is more than one; else 0.
    pub files: usize,
    /// Line, from 1. Of a function the one where it starts; where the profile does not say that, its first line that
    /// was measured.
    pub line: u32,
    /// Where a function starts in its line, which tells functions of one line apart.
    pub column: u32,
    /// Module, such as a library.
    pub module: &'a str,
}

impl FrameKeys {
    /// Where a group is.
    pub fn place<'a>(&self, profile: &'a Profile, key: FrameKey) -> GroupPlace<'a> {
        let frame = self.representative(key);
        let function = profile.frames.function(frame);
        let module = profile.frame_module(frame);
        let files = match self.file_count(profile, key) {
            0 | 1 => 0,
            files => files,
        };
        if files > 0 || self.granularity == Granularity::Module {
            return GroupPlace { files, module, ..GroupPlace::default() };
        }
        GroupPlace {
            file: profile.frame_file(frame),
            files,
            line: self.line(profile, key),
            column: match self.granularity {
                Granularity::File => 0,
                _ => function.map_or(0, |one| profile.functions.start_column[one.index()]),
            },
            module,
        }
    }

    fn line(&self, profile: &Profile, key: FrameKey) -> u32 {
        match self.granularity {
            Granularity::File | Granularity::Module => 0,
            Granularity::Line | Granularity::Address => {
                profile.place_line(self.representative(key))
            }
            Granularity::Function | Granularity::Name => {
                self.lines.get_or_init(|| self.first_lines(profile))[key.index()]
            }
        }
    }

    /// By key.
    fn first_lines(&self, profile: &Profile) -> Vec<u32> {
        let mut starts = vec![0; self.len()];
        let mut measured = vec![0; self.len()];
        for (frame, key) in (0..).map(FrameId).zip(&self.key_of_frame) {
            let function = profile.frames.function(frame);
            let start = function.map_or(0, |one| profile.functions.start_line[one.index()]);
            take_smaller(&mut starts[key.index()], start);
            take_smaller(&mut measured[key.index()], profile.frames.line[frame.index()]);
        }
        let lines = starts.into_iter().zip(measured);
        lines.map(|(start, first)| if start == 0 { first } else { start }).collect()
    }
}

/// Lines count from 1, so 0 is none.
fn take_smaller(line: &mut u32, other: u32) {
    if other != 0 && (*line == 0 || other < *line) {
        *line = other;
    }
}
