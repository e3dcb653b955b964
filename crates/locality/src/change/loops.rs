//! Whether loops may be changed.

use std::collections::BTreeSet;

use super::build::{Built, Window, build};
use super::check::{Run, turned, watched};
use super::prove::{self, Proof};
use super::{Change, ChangeError, Program, Smaller};
use crate::nest::{Affine, Loop, Step};
use crate::walk::{interval, ranges, references};

/// So many accesses are gone through to see what depends on what; beyond, smaller sizes are.
const MOST_SEEN: u128 = 1 << 21;

/// By what a change is allowed, where that is not plain.
pub(super) struct Restructured {
    pub(super) note: Option<String>,
    /// Smaller sizes alone were looked at.
    pub(super) is_unproven: bool,
}

/// Changes loops; tells by what that is allowed.
pub(super) fn restructure(
    program: &mut Program,
    change: &Change,
    smaller: Smaller<'_>,
) -> Result<Restructured, ChangeError> {
    let refused = |why: String| ChangeError::Refused { change: change.clone(), why };
    let built = build(program, change, false)?;
    if let Some(why) = built.windows.iter().find_map(|one| unknown(program, one)) {
        return Err(refused(why));
    }
    let all_ranges = ranges(&program.nest.body, program.nest.variables);
    let are_apart = |window: &Window| is_apart(program, window, &all_ranges);
    let (mut note, mut is_unproven) = (None, false);
    if !built.windows.iter().all(are_apart) {
        let failed = |dependence| ChangeError::Dependence {
            change: change.clone(),
            dependence: Box::new(dependence),
        };
        if program.nest.accesses() <= MOST_SEEN {
            if let Some(dependence) = dependence(program, &built) {
                return Err(failed(dependence));
            }
        } else if let Some(proof) = proven(program, &built, change, &all_ranges) {
            if let Proof::Broken(container) = proof {
                // Two accesses say it better.
                let found = smaller(MOST_SEEN).and_then(|small| {
                    let built = build(&small, change, true).ok()?;
                    dependence(&small, &built)
                });
                if let Some(dependence) = found {
                    return Err(failed(dependence));
                }
                let name = &program.containers[container as usize].name;
                return Err(refused(format!(
                    "iterations that access the same elements of {name} would change places"
                )));
            }
        } else if let Some(small) = smaller(MOST_SEEN) {
            let built = build(&small, change, true)?;
            if let Some(dependence) = dependence(&small, &built) {
                return Err(failed(dependence));
            }
            is_unproven = true;
            note = Some(format!(
                "{change}: not proven: dependences were checked at smaller sizes only, {} \
                 accesses of {}",
                small.nest.accesses(),
                program.nest.accesses()
            ));
        } else if built
            .windows
            .iter()
            .all(|one| !one.is_fused && one.loops.iter().all(|one| one.is_free))
        {
            note = Some(format!("{change}: iterations of a map may be done in any order"));
        } else {
            return Err(refused(format!(
                "dependences are checked for up to {MOST_SEEN} accesses: choose smaller sizes"
            )));
        }
        let combines = |window: &Window| {
            let mut all = vec![];
            references(&window.body, &mut all);
            all.iter().any(|&one| program.nest.references[one as usize].combines.is_some())
        };
        if built.windows.iter().any(combines) {
            let more = "reductions (such as sums) may run in any order, which can change rounding";
            note = Some(match note {
                Some(note) => format!("{note}; {more}"),
                None => format!("{change}: {more}"),
            });
        }
    }
    *program = built.program;
    Ok(Restructured { note, is_unproven })
}

/// Why it is not known what loops depend on, if it is not.
fn unknown(program: &Program, window: &Window) -> Option<String> {
    let is_free = window.loops.iter().all(|one| one.is_free);
    let of_order = window.loops.iter().filter(|one| !one.is_free || window.is_fused);
    if let Some(name) = of_order.flat_map(|one| &one.unseen).next() {
        return Some(format!(
            "{name} is not an array here, and one iteration may use what another wrote to it"
        ));
    }
    (!program.is_whole && (!is_free || window.is_fused))
        .then(|| "some accesses are left out, and what they depend on is not known".to_owned())
}

/// Whether a change turns anything around, by going through all accesses.
#[cfg(test)]
pub(super) fn unchecked_dependence(program: &Program, change: &Change) -> bool {
    build(program, change, false).is_ok_and(|built| dependence(program, &built).is_some())
}

/// What is proven of a change at these sizes, if anything is.
fn proven(
    program: &Program,
    built: &Built,
    change: &Change,
    ranges: &[Option<[i128; 2]>],
) -> Option<Proof> {
    let variable = |name: &String| {
        let place = program.variables.iter().position(|own| own == name);
        place.map(|place| place as u32)
    };
    let tiled = match change {
        Change::Tile { loops, .. } => Some(loops.iter().filter_map(variable).collect::<Vec<_>>()),
        _ => None,
    };
    let of = |window: &Window| {
        if is_apart(program, window, ranges) {
            Proof::Sound
        } else {
            prove::of_window(program, window, tiled.as_deref())
        }
    };
    let mut all = Proof::Sound;
    for window in &built.windows {
        match of(window) {
            Proof::Sound => {}
            Proof::Broken(container) => return Some(Proof::Broken(container)),
            Proof::Unknown => all = Proof::Unknown,
        }
    }
    (all != Proof::Unknown).then_some(all)
}

/// The same program in other loops, whatever comes of it.
pub(super) fn unchecked(program: &Program, change: &Change) -> Option<Program> {
    build(program, change, true).ok().map(|built| built.program)
}

fn dependence(program: &Program, built: &Built) -> Option<super::Dependence> {
    let mut paths = vec![vec![]; program.nest.references.len()];
    path(&program.nest.body, &mut vec![], &mut paths);
    let names: Vec<Vec<Affine>> =
        paths.iter().map(|path| path.iter().map(|&one| Affine::variable(one)).collect()).collect();
    // What is before or behind all that changes keeps its place.
    let changed = program.nest.body.iter().zip(&built.program.nest.body);
    let same = changed.clone().take_while(|(one, other)| one == other).count();
    let (before, after) = (&program.nest.body[same..], &built.program.nest.body[same..]);
    let mut left_out: Option<BTreeSet<u32>> = None;
    for window in &built.windows {
        let mut own = window.loops.iter().map(|one| one.private.iter().copied().collect());
        let first: BTreeSet<u32> = own.next().unwrap_or_default();
        let both = |all: BTreeSet<u32>, own: BTreeSet<u32>| {
            if window.is_fused { &all | &own } else { &all & &own }
        };
        let own = own.fold(first, both);
        left_out = Some(left_out.map_or(own.clone(), |all| &all & &own));
    }
    let left_out: Vec<u32> = left_out.unwrap_or_default().into_iter().collect();
    let watched = watched(program, before, &left_out);
    let before = Run { nest: &program.nest, steps: before, names: &names };
    let after = Run { nest: &built.program.nest, steps: after, names: &built.names };
    turned(program, &paths, &before, &after, &watched)
}

/// The variables of loops around each reference.
pub(crate) fn path(steps: &[Step], around: &mut Vec<u32>, paths: &mut [Vec<u32>]) {
    for step in steps {
        match step {
            Step::Access(reference) => paths[*reference as usize] = around.clone(),
            Step::Loop(one) => {
                around.push(one.variable);
                path(&one.body, around, paths);
                around.pop();
            }
        }
    }
}

/// Whether each iteration of loops has elements of its own of all that is written in them, by how far their
/// variables move what is accessed; what is not known to be so may be.
fn is_apart(program: &Program, window: &Window, ranges: &[Option<[i128; 2]>]) -> bool {
    if window.is_fused {
        return false;
    }
    let mut all = vec![];
    references(&window.body, &mut all);
    let own: Vec<u32> = window.loops.iter().map(|one| one.variable).collect();
    let mut inside = vec![];
    variables(&window.body, &mut inside);
    (0..program.containers.len() as u32).all(|container| {
        let of: Vec<_> = all
            .iter()
            .map(|&one| &program.nest.references[one as usize])
            .filter(|one| one.container == container)
            .collect();
        let Some(first) = of.first() else { return true };
        let combines_alike = first.combines.is_some();
        if of.iter().all(|one| !one.is_write)
            || (combines_alike && of.iter().all(|one| one.combines == first.combines))
            || window.loops.iter().all(|one| one.private.contains(&container))
        {
            return true;
        }
        // What is left of the elements within an iteration, beside what they have in common.
        let rest = |affine: &Affine, is_inner: bool| {
            let mut rest = affine.clone();
            rest.terms.retain(|(variable, _)| inside.contains(variable) == is_inner);
            rest
        };
        let common = |affine: &Affine| {
            let mut terms = rest(affine, false).terms;
            terms.sort_unstable();
            terms
        };
        if of.iter().any(|one| common(&one.element) != common(&first.element)) {
            return false;
        }
        let ends = of.iter().map(|one| interval(&rest(&one.element, true), ranges));
        let (mut low, mut high) = (i128::MAX, i128::MIN);
        for [first, last] in ends {
            low = low.min(first);
            high = high.max(last);
        }
        let mut steps: Vec<(i128, i128)> = own
            .iter()
            .filter_map(|&variable| {
                let [low, high] = ranges[variable as usize]?;
                Some((i128::from(first.element.factor(variable)).abs(), high - low))
            })
            .collect();
        steps.sort_unstable();
        let mut covered = high - low;
        steps.iter().all(|&(factor, most)| {
            let is_beyond = most == 0 || factor > covered;
            covered = covered.saturating_add(factor.saturating_mul(most));
            is_beyond
        })
    })
}

/// The same of one loop.
pub(crate) fn is_apart_in(program: &Program, one: &Loop) -> bool {
    let own = Loop { body: vec![], ..one.clone() };
    let window = Window { loops: vec![own], body: one.body.clone(), is_fused: false };
    is_apart(program, &window, &ranges(&program.nest.body, program.nest.variables))
}

fn variables(steps: &[Step], into: &mut Vec<u32>) {
    for step in steps {
        if let Step::Loop(one) = step {
            into.push(one.variable);
            variables(&one.body, into);
        }
    }
}
