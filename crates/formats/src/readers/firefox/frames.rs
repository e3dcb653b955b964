//! From tables of frames and stacks to contexts.

use hashbrown::HashMap;
use profile::{ContextId, FunctionId, Location, LocationId, ModuleId, ProfileBuilder};

use crate::Warnings;

/// A frame, whatever form it had.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Frame {
    pub(super) function: Option<FunctionId>,
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) module: Option<ModuleId>,
    pub(super) address: u64,
    /// 0 for a function that was called, else how many it is inlined into.
    pub(super) inline_depth: u32,
    pub(super) category: Option<usize>,
}

/// What a stack is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stack {
    pub(super) context: ContextId,
    pub(super) category: Option<usize>,
    /// The context of the caller and the location: inlined functions are part of the location of
    /// the function around them.
    caller: ContextId,
    location: LocationId,
    frame: usize,
    prefix: Option<usize>,
}

/// The stacks of a table whose rows have a parent, which comes before them, and a frame.
pub(super) fn stacks(
    count: usize,
    row: impl Fn(usize) -> (Option<usize>, Option<usize>),
    frames: &[Frame],
    builder: &mut ProfileBuilder,
    warnings: &mut Warnings,
) -> Vec<Stack> {
    let mut stacks: Vec<Stack> = Vec::with_capacity(count);
    let mut plain: Vec<Option<LocationId>> = vec![None; frames.len()];
    let mut inlined: HashMap<(LocationId, usize), LocationId> = HashMap::new();
    for index in 0..count {
        let (prefix, at) = row(index);
        let prefix = prefix.filter(|&prefix| {
            if prefix >= index {
                warnings.add("stacks", || "stacks that come before their parents".to_owned());
            }
            prefix < index
        });
        let Some((frame, info)) = at.and_then(|at| Some((at, frames.get(at)?))) else {
            warnings.add("frames", || "stacks without a frame are their parents".to_owned());
            let parent = prefix.map(|prefix| stacks[prefix]);
            stacks.push(parent.unwrap_or(Stack {
                context: ContextId::ROOT,
                category: None,
                caller: ContextId::ROOT,
                location: LocationId(u32::MAX),
                frame: usize::MAX,
                prefix: None,
            }));
            continue;
        };
        let parent = prefix.map(|prefix| stacks[prefix]);
        let around = parent.filter(|parent| {
            info.inline_depth > 0
                && frames.get(parent.frame).is_some_and(|outer| {
                    outer.inline_depth.checked_add(1) == Some(info.inline_depth)
                        && outer.address == info.address
                })
        });
        let (caller, location) = match around {
            Some(outer) => {
                let location = match inlined.get(&(outer.location, frame)) {
                    Some(&known) => known,
                    None => {
                        let location = with_inlined(&stacks, outer, frame, frames, builder);
                        inlined.insert((outer.location, frame), location);
                        location
                    }
                };
                (outer.caller, location)
            }
            None => {
                let location = *plain[frame].get_or_insert_with(|| {
                    let Frame { function, line, column, module, address, .. } = *info;
                    let place = Location { module, address, ..Location::default() };
                    builder.location(place, &[(function, line, column)])
                });
                (parent.map_or(ContextId::ROOT, |parent| parent.context), location)
            }
        };
        let context = builder.contexts.child(caller, location);
        let category = info.category.or(parent.and_then(|parent| parent.category));
        stacks.push(Stack { context, category, caller, location, frame, prefix });
    }
    stacks
}

/// The location of a frame inlined into those of `outer`.
fn with_inlined(
    stacks: &[Stack],
    outer: Stack,
    frame: usize,
    frames: &[Frame],
    builder: &mut ProfileBuilder,
) -> LocationId {
    let of = |frame: &Frame| (frame.function, frame.line, frame.column);
    let mut lines = vec![of(&frames[frame])];
    let mut at = outer;
    loop {
        let info = &frames[at.frame];
        lines.push(of(info));
        match at.prefix.map(|prefix| stacks[prefix]) {
            Some(next) if info.inline_depth > 0 && next.frame < frames.len() => at = next,
            _ => break,
        }
    }
    lines.reverse();
    let Frame { module, address, .. } = frames[at.frame];
    builder.location(Location { module, address, ..Location::default() }, &lines)
}
