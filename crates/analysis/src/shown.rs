//! Frames and contexts that filters hide, and paths on which something matches.

use profile::{ContextId, FrameId, LocationId, Profile};
use work::steps;

use crate::Pattern;

/// What does not show. An empty vector hides nothing.
#[derive(Debug, Default, Clone)]
pub(crate) struct Hidden {
    /// Frames that do not show, by frame.
    pub(crate) frames: Vec<bool>,
    /// Contexts none of whose frames show, by context.
    pub(crate) contexts: Vec<bool>,
}

impl Hidden {
    fn frame(&self, frame: u32) -> bool {
        self.frames.get(frame as usize).copied().unwrap_or(false)
    }

    fn context(&self, context: usize) -> bool {
        self.contexts.get(context).copied().unwrap_or(false)
    }

    /// Whether a frame shows in a context.
    #[inline]
    pub(crate) fn shows(&self, context: ContextId, frame: u32) -> bool {
        !self.frame(frame) && !self.context(context.index())
    }

    /// Whether everything shows.
    pub(crate) fn is_nothing(&self) -> bool {
        [&self.frames, &self.contexts].into_iter().flatten().all(|hidden| !hidden)
    }

    /// By context, whether a frame that shows matches on its stack.
    pub(crate) fn paths_matching(&self, profile: &Profile, pattern: &Pattern) -> Vec<bool> {
        self.paths_with(profile, &self.locations_with(profile, &frames_matching(profile, pattern)))
    }

    /// Hides the frames that match (or, with `!matching`, those that do not); says whether any matched,
    /// and by context whether its stack still shows one.
    pub(crate) fn hide(
        &mut self,
        profile: &Profile,
        matching: bool,
        pattern: &Pattern,
    ) -> (bool, Vec<bool>) {
        let matches = frames_matching(profile, pattern);
        self.frames.resize(profile.frames.len(), false);
        let mut any = false;
        for (hidden, matches) in self.frames.iter_mut().zip(matches) {
            any |= matches;
            *hidden |= matches == matching;
        }
        let all = vec![true; profile.frames.len()];
        (any, self.paths_with(profile, &self.locations_with(profile, &all)))
    }

    /// Hides what is above the outermost frames that match; says whether any does, and by context whether
    /// one is on its stack.
    pub(crate) fn cut_above(&mut self, profile: &Profile, pattern: &Pattern) -> (bool, Vec<bool>) {
        let frames = frames_matching(profile, pattern);
        let marked = self.locations_with(profile, &frames);
        let below = self.paths_with(profile, &marked);
        self.frames.resize(profile.frames.len(), false);
        self.contexts.resize(profile.contexts.len(), false);
        // Inside a matching location the frames outside its outermost match go too.
        for (location, _) in marked.iter().enumerate().filter(|(_, marked)| **marked) {
            for frame in profile.locations.frames(LocationId(location as u32)) {
                if frames[frame as usize] && !self.frames[frame as usize] {
                    break;
                }
                self.frames[frame as usize] = true;
            }
        }
        for (hidden, below) in self.contexts.iter_mut().zip(&below).skip(1) {
            *hidden |= !below;
        }
        (marked.contains(&true), below)
    }

    /// Whether any frame of a location is in `frames` and shows, by location.
    fn locations_with(&self, profile: &Profile, frames: &[bool]) -> Vec<bool> {
        let locations = (0..profile.locations.len() as u32).map(LocationId);
        let shows = |frame: u32| frames[frame as usize] && !self.frame(frame);
        locations.map(|location| profile.locations.frames(location).any(shows)).collect()
    }

    /// Whether a context that shows, or one of its ancestors, has a marked location, by context.
    fn paths_with(&self, profile: &Profile, marked: &[bool]) -> Vec<bool> {
        paths_with(profile, |context| {
            let location = profile.contexts.location(ContextId(context as u32));
            location.is_some_and(|location| marked[location.index()]) && !self.context(context)
        })
    }
}

/// Whether a context or one of its ancestors is marked, by context.
fn paths_with(profile: &Profile, is_marked: impl Fn(usize) -> bool) -> Vec<bool> {
    let mut on_path = vec![false; profile.contexts.len()];
    let parents = profile.contexts.parents();
    for context in steps("filtering contexts", 1..on_path.len()) {
        on_path[context] = is_marked(context) || on_path[parents[context] as usize];
    }
    on_path
}

/// Whether frames match, by frame: each word in the function, the file or the module.
pub(crate) fn frames_matching(profile: &Profile, pattern: &Pattern) -> Vec<bool> {
    let mut matching = vec![true; profile.frames.len()];
    for word in pattern.words() {
        let found = frames_with(profile, &word);
        matching.iter_mut().zip(found).for_each(|(all, one)| *all &= one);
    }
    matching
}

fn frames_with(profile: &Profile, word: &Pattern) -> Vec<bool> {
    let functions: Vec<bool> = steps("matching functions", 0..profile.functions.len())
        .map(|row| {
            let texts = [profile.functions.name[row], profile.functions.file[row]];
            texts.into_iter().any(|id| word.is_match(profile.text(id)))
        })
        .collect();
    let modules: Vec<bool> =
        profile.modules.iter().map(|module| word.is_match(profile.text(module.name))).collect();
    steps("matching frames", 0..profile.frames.len() as u32)
        .map(FrameId)
        .map(|frame| {
            let module = profile.locations.module(profile.frames.location[frame.index()]);
            let function = profile.frames.function(frame);
            module.is_some_and(|m| modules[m.index()])
                || match function {
                    Some(function) => functions[function.index()],
                    None => word.is_match(&profile.frame_name(frame)),
                }
        })
        .collect()
}
