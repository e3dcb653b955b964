//! A profile's own wish to cut stacks: `drop_frames` and `keep_frames` of profile.proto.
//!
//! A function matches by its whole simplified name. From the root down, the first match after a
//! function that does not match cuts the stack: it goes, with all that it calls, and its value
//! falls to its caller. Allocators wish this for their own innards.

use profile::{ContextId, FrameId, LocationId, Profile};

use crate::shown::Hidden;
use crate::{Pattern, PatternError};

/// What the profile wishes to hide.
pub(crate) fn hidden(profile: &Profile) -> Result<Hidden, PatternError> {
    let origin = &profile.origin;
    let mut hidden = Hidden::default();
    if origin.drop_frames.is_empty() {
        return Ok(hidden);
    }
    let drop = Pattern::whole(&origin.drop_frames)?;
    let keep = match origin.keep_frames.as_str() {
        "" => None,
        pattern => Some(Pattern::whole(pattern)?),
    };
    let unwanted: Vec<bool> = (0..profile.functions.len())
        .map(|row| {
            let name = simplified(profile.text(profile.functions.name[row]));
            !name.is_empty()
                && drop.is_match(&name)
                && !keep.as_ref().is_some_and(|keep| keep.is_match(&name))
        })
        .collect();
    if !unwanted.contains(&true) {
        return Ok(hidden);
    }

    // The outermost unwanted frame of each location, and whether it is the location's first.
    let cut = |location: LocationId| {
        let mut frames = profile.locations.frames(location);
        let first = frames.start;
        let found = frames.find(|&frame| {
            let function = profile.frames.function(FrameId(frame));
            function.is_some_and(|function| unwanted[function.index()])
        });
        found.map(|frame| (frame, frame == first))
    };
    let mut whole = vec![None; profile.locations.len()];
    hidden.frames = vec![false; profile.frames.len()];
    for location in (0..profile.locations.len() as u32).map(LocationId) {
        if let Some((frame, is_first)) = cut(location) {
            whole[location.index()] = Some(is_first);
            if !is_first {
                let end = profile.locations.frames(location).end;
                hidden.frames[frame as usize..end as usize].fill(true);
            }
        }
    }

    #[derive(Clone, Copy, PartialEq)]
    enum State {
        /// Nothing wanted yet: nothing is cut.
        NoUserFrame,
        Wanted,
        /// All below is hidden.
        CutBelow,
        Hidden,
    }
    let count = profile.contexts.len();
    hidden.contexts = vec![false; count];
    let mut states = vec![State::NoUserFrame; count];
    let parents = profile.contexts.parents();
    for context in 1..count {
        let location = profile.contexts.location(ContextId(context as u32));
        let unwanted = location.and_then(|location| whole[location.index()]);
        let state = match (states[parents[context] as usize], unwanted) {
            (State::CutBelow | State::Hidden, _) => State::Hidden,
            (_, None) => State::Wanted,
            (State::NoUserFrame, Some(_)) => State::NoUserFrame,
            (State::Wanted, Some(true)) => State::Hidden,
            (State::Wanted, Some(false)) => State::CutBelow,
        };
        states[context] = state;
        hidden.contexts[context] = state == State::Hidden;
    }
    Ok(hidden)
}

/// A function's name without a leading dot and without its argument list.
fn simplified(name: &str) -> String {
    /// Names with parentheses that are not argument lists.
    const RESERVED: [&str; 2] = ["(anonymous namespace)", "operator()"];
    let name = name.strip_prefix('.').unwrap_or(name);
    let mut at = 0;
    while let Some(found) = name[at..].find('(').map(|offset| at + offset) {
        let reserved = RESERVED.iter().find_map(|reserved| {
            let start = found.checked_sub(reserved.find('(')?)?;
            name.get(start..)?.starts_with(reserved).then_some(start + reserved.len())
        });
        match reserved {
            Some(end) => at = end,
            None => return name[..found].to_owned(),
        }
    }
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::simplified;

    #[test]
    fn names_lose_their_arguments_only() {
        assert_eq!(simplified(".foo"), "foo");
        assert_eq!(simplified("std::sort(int*, int*)"), "std::sort");
        assert_eq!(simplified("(anonymous namespace)::f(int)"), "(anonymous namespace)::f");
        assert_eq!(simplified("A::operator()(int)"), "A::operator()");
        assert_eq!(simplified("plain"), "plain");
    }
}
