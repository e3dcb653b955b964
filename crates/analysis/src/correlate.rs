//! Contexts that points join: where memory was allocated, used and used again; the two sides of a
//! race; who holds a lock and who waits.
//!
//! ```text
//! point 1   allocation: main > grid > malloc   use: main > sweep   reuse: main > relax
//! role view of `use`, with main > grid chosen in `allocation`: the points whose allocation lies
//! below grid, each counted where it was used
//! ```
//! A role view is a [`Filtered`](crate::Filtered) ([`at_role`](crate::Filtered::at_role)), so that
//! every shape, filter and search works on it. It costs four bytes a point beside the masks.

use hashbrown::HashMap;
use profile::{ContextId, Contexts, FrameId, MetricId, Profile, RoleId};
use work::steps;

use crate::tree::SimplePaths;
use crate::{Collapse, Filtered, FrameKey, FrameKeys};

/// A role as views show it. A point may have several contexts of one role (two sides of a race are
/// both accesses): they are told apart by their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LinkedRole {
    /// The role.
    pub role: RoleId,
    /// How many contexts of the role come before it in a point.
    pub nth: usize,
}

/// Most contexts of one role in a point that have a view of their own.
const MOST_OF_A_ROLE: usize = 4;

/// Most roles that have views.
const MOST_ROLES: usize = 16;

impl LinkedRole {
    /// The context that has the role, among those of a point.
    pub fn of(self, links: &[(RoleId, ContextId)]) -> Option<ContextId> {
        let mut same = links.iter().filter(|(role, _)| *role == self.role);
        same.nth(self.nth).map(|&(_, context)| context)
    }

    /// What it is called: `use`, or `access 2` where it is not the first.
    pub fn name(self, profile: &Profile) -> String {
        let name = profile.text(profile.roles[self.role.index()]);
        match self.nth {
            0 => name.to_owned(),
            nth => format!("{name} {}", nth + 1),
        }
    }
}

/// The roles that contexts have in a profile's points, in the profile's order.
pub fn linked_roles(profile: &Profile) -> Vec<LinkedRole> {
    let most = most_of_each_role(profile);
    let roles = most.into_iter().enumerate().flat_map(|(role, most)| {
        let role = RoleId(role as u32);
        (0..most.min(MOST_OF_A_ROLE)).map(move |nth| LinkedRole { role, nth })
    });
    roles.take(MOST_ROLES).collect()
}

/// How many contexts that points link have no place in `roles`, which [`linked_roles`] gave: there
/// are too many roles or too many contexts of one role.
pub fn unlisted_links(profile: &Profile, roles: &[LinkedRole]) -> u64 {
    let mut listed = vec![0usize; profile.roles.len()];
    for role in roles {
        listed[role.role.index()] += 1;
    }
    let mut unlisted = 0;
    each_count(profile, |role, count| {
        unlisted += count.saturating_sub(listed[role]) as u64;
    });
    unlisted
}

/// By role, the most contexts that have it in one point.
fn most_of_each_role(profile: &Profile) -> Vec<usize> {
    let mut most = vec![0; profile.roles.len()];
    each_count(profile, |role, count| most[role] = most[role].max(count));
    most
}

/// Calls `each` with every role of every point and how many of the point's contexts have it.
fn each_count(profile: &Profile, mut each: impl FnMut(usize, usize)) {
    if !profile.points.has_links() {
        return;
    }
    let mut counts = vec![0usize; profile.roles.len()];
    for point in steps("counting links", 0..profile.points.len()) {
        let links = profile.points.links(point);
        for (role, _) in links {
            counts[role.index()] += 1;
        }
        for (role, _) in links {
            let count = std::mem::take(&mut counts[role.index()]);
            if count > 0 {
                each(role.index(), count);
            }
        }
    }
}

/// Two contexts that points join.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// The context of the first role, and of the second.
    pub contexts: [ContextId; 2],
    /// Sums over the points that join them, one a metric.
    pub values: Vec<i64>,
    /// How many points join them.
    pub points: u64,
    /// How many pairs of contexts it stands for: 1, or more where pairs are merged.
    pub merged: u64,
}

/// The pairs of contexts that kept points join in two roles, by a metric: largest first. What a
/// role view ([`Filtered::at_role`]) leaves out is left out here too.
pub fn linked_pairs(filtered: &Filtered, roles: [LinkedRole; 2], metric: MetricId) -> Vec<Pair> {
    let points = &filtered.profile().points;
    let mut known = HashMap::<[ContextId; 2], usize>::new();
    let mut pairs: Vec<Pair> = vec![];
    let all = steps("joining contexts", 0..points.len());
    for point in all.filter(|&point| filtered.keeps_point(point)) {
        let links = points.links(point);
        let (Some(first), Some(second)) = (roles[0].of(links), roles[1].of(links)) else {
            continue;
        };
        let contexts = [first, second];
        let index = *known.entry(contexts).or_insert_with(|| {
            pairs.push(Pair { contexts, values: vec![0; points.metrics()], points: 0, merged: 1 });
            pairs.len() - 1
        });
        let pair = &mut pairs[index];
        pair.points += 1;
        for (sum, value) in pair.values.iter_mut().zip(filtered.row(point)) {
            *sum = sum.saturating_add(*value);
        }
    }
    sort(&mut pairs, metric);
    pairs
}

/// Makes one of the pairs whose contexts are equal at a granularity (`group_of_context` from
/// [`path_groups`]), named by the contexts of the first, which is the largest.
pub fn merged_pairs(pairs: Vec<Pair>, group_of_context: &[u32], metric: MetricId) -> Vec<Pair> {
    let mut known = HashMap::<[u32; 2], usize>::new();
    let mut merged: Vec<Pair> = vec![];
    for pair in pairs {
        let groups = pair.contexts.map(|context| group_of_context[context.index()]);
        let index = *known.entry(groups).or_insert(merged.len());
        let Some(whole) = merged.get_mut(index) else {
            merged.push(pair);
            continue;
        };
        whole.points += pair.points;
        whole.merged += pair.merged;
        for (sum, value) in whole.values.iter_mut().zip(pair.values) {
            *sum = sum.saturating_add(value);
        }
    }
    sort(&mut merged, metric);
    merged
}

fn sort(pairs: &mut [Pair], metric: MetricId) {
    pairs.sort_by_key(|pair| {
        (std::cmp::Reverse(pair.values[metric.index()].saturating_abs()), pair.contexts)
    });
}

/// A number for each context, equal where the keys of the frames that show from the root down to
/// it are: for contexts that are one node of the top-down tree.
pub fn path_groups(filtered: &Filtered, keys: &FrameKeys, collapse: Collapse) -> Vec<u32> {
    let profile = filtered.profile();
    let mut simple = SimplePaths::new(None);
    let mut known = HashMap::<(u32, FrameKey), u32>::new();
    // The group of each context, and the key where its path ends.
    let mut groups = vec![(0u32, None); profile.contexts.len()];
    for context in (1..profile.contexts.len() as u32).map(ContextId) {
        let parent = profile.contexts.parent(context).map_or(0, ContextId::index);
        let (mut group, mut last) = groups[parent];
        for frame in profile.frames_of(context).filter(|&frame| filtered.shows(context, frame)) {
            let key = keys.keys()[frame as usize];
            match collapse {
                Collapse::All => {
                    group = simple.next(group, key);
                    continue;
                }
                Collapse::Direct if last == Some(key) => continue,
                Collapse::Direct | Collapse::None => {}
            }
            let next = known.len() as u32 + 1;
            group = *known.entry((group, key)).or_insert(next);
            last = Some(key);
        }
        groups[context.index()] = (group, last);
    }
    groups.into_iter().map(|(group, _)| group).collect()
}

/// The least common ancestor: the innermost context that both are, or lie below.
pub fn common_ancestor(contexts: &Contexts, a: ContextId, b: ContextId) -> ContextId {
    let mut at = a;
    while !contexts.subtree(at).contains(&b.0) {
        match contexts.parent(at) {
            Some(parent) => at = parent,
            None => return ContextId::ROOT,
        }
    }
    at
}

/// Where the paths to two contexts part: the innermost function that both are in, or go through.
///
/// ```text
/// main:9 > solve:20 > use       The least common ancestor is main:9, but both paths go on to
/// main:9 > solve:30 > reuse     solve, which calls the one at line 20 and the other at line 30.
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meeting {
    /// The least common ancestor.
    pub ancestor: ContextId,
    /// The frame of that function on each path; one frame twice where the paths part below it.
    /// None where nothing that shows is common to both.
    pub frames: Option<[FrameId; 2]>,
}

/// Where the paths to two contexts part, told in frames that show.
pub fn meeting(filtered: &Filtered, a: ContextId, b: ContextId) -> Meeting {
    let profile = filtered.profile();
    let ancestor = common_ancestor(&profile.contexts, a, b);
    let mut frames = filtered.innermost_shown(ancestor, None).map(|(_, frame)| [FrameId(frame); 2]);
    let below = |context| step_below(&profile.contexts, ancestor, context);
    if let (Some(first), Some(second)) = (below(a), below(b)) {
        // Inlined frames of the two places may still agree.
        let shown = |context| {
            let shows = move |frame: &u32| filtered.shows(context, *frame);
            profile.frames_of(context).filter(shows).map(FrameId)
        };
        for (first, second) in shown(first).zip(shown(second)) {
            let function = profile.frames.function(first);
            if function.is_none() || function != profile.frames.function(second) {
                break;
            }
            frames = Some([first, second]);
            if profile.frames.line[first.index()] != profile.frames.line[second.index()] {
                break;
            }
        }
    }
    Meeting { ancestor, frames }
}

/// The child of `ancestor` on the way to `context`; none where that is the ancestor itself.
fn step_below(contexts: &Contexts, ancestor: ContextId, context: ContextId) -> Option<ContextId> {
    let mut at = context;
    while at != ancestor {
        let parent = contexts.parent(at)?;
        if parent == ancestor {
            return Some(at);
        }
        at = parent;
    }
    None
}
