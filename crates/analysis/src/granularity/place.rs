//! Where a group of frames is, for lists and trees.

use profile::{FrameId, Profile};

use super::{FrameKey, FrameKeys, Granularity};

/// Where a group of frames is. Empty or 0 where the profile does not say so; no file and no line where the group merges
/// several files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GroupPlace<'a> {
    /// Source file.
    pub file: &'a str,
    /// How many source files the group merges, where that is more than one; else 0.
    pub files: usize,
    /// Line, from 1. Of a function the one where it starts; where the profile does not say that, its first line that
    /// was measured.
    pub line: u32,
    /// Where the function starts in its line, which tells functions of one line apart.
    pub column: u32,
    /// Module, such as a library: that of the frame that gives the place.
    pub module: &'a str,
}

impl FrameKeys {
    /// Where a group is.
    pub fn place<'a>(&self, profile: &'a Profile, key: FrameKey) -> GroupPlace<'a> {
        let frame = match self.granularity {
            Granularity::Function | Granularity::Name => {
                self.placed.get_or_init(|| self.best_placed(profile))[key.index()]
            }
            _ => self.representative(key),
        };
        let module = profile.frame_module(frame);
        let files = match self.file_count(profile, key) {
            0 | 1 => 0,
            files => files,
        };
        if files > 0 || self.granularity == Granularity::Module {
            return GroupPlace { files, module, ..GroupPlace::default() };
        }
        let (line, column) = self.line(profile, frame);
        GroupPlace { file: profile.frame_file(frame), files, line, column, module }
    }

    /// Line and column of a frame that stands for its group.
    fn line(&self, profile: &Profile, frame: FrameId) -> (u32, u32) {
        let measured = profile.frames.line[frame.index()];
        match (self.granularity, start(profile, frame)) {
            (Granularity::File | Granularity::Module, _) => (0, 0),
            (Granularity::Line | Granularity::Address, _) if measured > 0 => (measured, 0),
            (_, (0, _)) => (measured, 0),
            (_, start) => start,
        }
    }

    /// By key, the frame whose place is that of the group: one with a file, then one whose function's start is known,
    /// then the one that is further up.
    fn best_placed(&self, profile: &Profile) -> Vec<FrameId> {
        let order = |frame: FrameId| {
            let (start, column) = start(profile, frame);
            let measured = profile.frames.line[frame.index()];
            let line = if start > 0 { start } else { measured };
            let has_no_file = profile.frame_file(frame).is_empty();
            (has_no_file, start == 0, line == 0, line, column)
        };
        let mut best = self.representative.clone();
        for (frame, key) in (0..).map(FrameId).zip(&self.key_of_frame) {
            let of_group = &mut best[key.index()];
            if order(frame) < order(*of_group) {
                *of_group = frame;
            }
        }
        best
    }
}

/// Line and column where the function of a frame starts; 0 where the profile does not say that.
fn start(profile: &Profile, frame: FrameId) -> (u32, u32) {
    let functions = &profile.functions;
    let at = profile.frames.function(frame).map(|function| function.index());
    at.map_or((0, 0), |at| (functions.start_line[at], functions.start_column[at]))
}
