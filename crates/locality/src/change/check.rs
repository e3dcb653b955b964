//! Whether accesses keep their order where it matters.
//!
//! The accesses of an element come in groups: reads that follow each other, writes that combine in the same
//! way, or one write. Within a group any order will do; so two orders are alike if every access is in the
//! same group of its element. Both are gone through once, with a sum of what was in the groups by element;
//! where sums differ, the element is gone through again to find what was turned around.

use std::fmt;

use rustc_hash::FxHashMap;

use super::Program;
use crate::nest::{Affine, Nest, Step};

/// One access, done once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    /// By which reference.
    pub reference: u32,
    /// Whether it writes.
    pub is_write: bool,
    /// Loops around it, and the values of their variables.
    pub iteration: Vec<(String, i64)>,
}

/// Two accesses that have to be in this order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependence {
    /// What is accessed.
    pub container: String,
    /// Which element, counted from its base.
    pub element: i64,
    /// Its indices, where they are known.
    pub indices: Option<Vec<i64>>,
    /// What is first.
    pub first: Instance,
    /// What is second.
    pub second: Instance,
}

impl fmt::Display for Dependence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = match &self.indices {
            Some(indices) => indices.iter().map(i64::to_string).collect::<Vec<String>>().join(", "),
            None => format!("{} in memory", self.element),
        };
        let told = |one: &Instance| {
            let way = if one.is_write { "written" } else { "read" };
            let all = one.iteration.iter().map(|(name, value)| format!("{name} = {value}"));
            let all: Vec<String> = all.collect();
            if all.is_empty() { way.to_owned() } else { format!("{way} at {}", all.join(", ")) }
        };
        write!(
            f,
            "{}[{at}] is {} and only then {}",
            self.container,
            told(&self.first),
            told(&self.second)
        )
    }
}

/// What loops do, and when it is that which other loops do, too.
pub(super) struct Run<'a> {
    pub(super) nest: &'a Nest,
    pub(super) steps: &'a [Step],
    /// By reference, what tells its instances apart, the same in both.
    pub(super) names: &'a [Vec<Affine>],
}

/// What was done to an element.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Print {
    /// Groups that ended.
    done: [u64; 2],
    /// The group that goes on.
    group: [u64; 2],
    class: u32,
}

/// How an access may be done among others: those of a class in any order, but for writes.
const READ: u32 = 1;
const WRITE: u32 = 2;

pub(super) fn class(nest: &Nest, reference: u32) -> u32 {
    let one = &nest.references[reference as usize];
    match one.combines {
        Some(number) => number.saturating_add(3),
        None if one.is_write => WRITE,
        None => READ,
    }
}

pub(super) fn are_alike(one: u32, other: u32) -> bool {
    one == other && one != WRITE
}

/// Goes through steps, with the values of variables.
pub(crate) fn run(steps: &[Step], values: &mut [i64], tell: &mut impl FnMut(u32, &[i64])) {
    for step in steps {
        match step {
            Step::Access(reference) => tell(*reference, values),
            Step::Loop(one) => {
                let (begin, count) = one.range(values);
                let variable = one.variable as usize;
                let outer = values[variable];
                for number in 0..count {
                    values[variable] = begin.wrapping_add((number as i64).wrapping_mul(one.step));
                    run(&one.body, values, tell);
                }
                values[variable] = outer;
            }
        }
    }
}

/// By container, whether the order of its accesses may matter.
pub(super) fn watched(program: &Program, steps: &[Step], left_out: &[u32]) -> Vec<bool> {
    let mut all = vec![];
    crate::walk::references(steps, &mut all);
    let mut watched = vec![false; program.containers.len()];
    for reference in all {
        let container = program.nest.references[reference as usize].container;
        watched[container as usize] |=
            class(&program.nest, reference) != READ && !left_out.contains(&container);
    }
    watched
}

fn mix(seed: u64, value: u64) -> u64 {
    // The steps of splitmix64.
    let mut all = (seed ^ value).wrapping_add(0x9e37_79b9_7f4a_7c15);
    all = (all ^ (all >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    all = (all ^ (all >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    all ^ (all >> 31)
}

impl Run<'_> {
    fn go(&self, tell: &mut impl FnMut(u32, i64, &[i64])) {
        let mut values = vec![0; self.nest.variables as usize];
        run(self.steps, &mut values, &mut |reference, values| {
            let element = self.nest.references[reference as usize].element.value(values);
            tell(reference, element, values);
        });
    }

    fn prints(&self, watched: &[bool]) -> FxHashMap<(u32, i64), Print> {
        let mut prints: FxHashMap<(u32, i64), Print> = FxHashMap::default();
        self.go(&mut |reference, element, values| {
            let container = self.nest.references[reference as usize].container;
            if !watched[container as usize] {
                return;
            }
            let mut own = [mix(1, reference.into()), mix(2, reference.into())];
            for name in &self.names[reference as usize] {
                let value = name.value(values) as u64;
                own = own.map(|own| mix(own, value));
            }
            let print = prints.entry((container, element)).or_default();
            let class = class(self.nest, reference);
            if are_alike(print.class, class) {
                let [one, other] = &mut print.group;
                *one = one.wrapping_add(own[0]);
                *other = other.wrapping_add(own[1]);
            } else {
                for (done, group) in print.done.iter_mut().zip(print.group) {
                    *done = mix(mix(*done, group), print.class.into());
                }
                print.group = own;
                print.class = class;
            }
        });
        prints
    }

    /// Accesses of an element, as they come: the instance, and its class.
    fn of(&self, container: u32, element: i64) -> Vec<(u32, Vec<i64>, u32)> {
        let mut all = vec![];
        self.go(&mut |reference, at, values| {
            if at == element && self.nest.references[reference as usize].container == container {
                let names = self.names[reference as usize].iter();
                let name = names.map(|name| name.value(values)).collect();
                all.push((reference, name, class(self.nest, reference)));
            }
        });
        all
    }
}

/// What is turned around, if anything; `paths` are loops around references in what was before.
pub(super) fn turned(
    program: &Program,
    paths: &[Vec<u32>],
    before: &Run<'_>,
    after: &Run<'_>,
    watched: &[bool],
) -> Option<Dependence> {
    let (one, other) = (before.prints(watched), after.prints(watched));
    let differing = one.iter().filter(|(place, print)| other.get(place) != Some(print));
    let &(container, element) = differing.map(|(place, _)| place).min()?;
    let (was, is) = (before.of(container, element), after.of(container, element));
    // The groups as they were.
    let mut groups: FxHashMap<(u32, &[i64]), usize> = FxHashMap::default();
    let mut of_group: Vec<usize> = vec![];
    for (place, (reference, name, class)) in was.iter().enumerate() {
        let is_new = place == 0 || !are_alike(was[place - 1].2, *class);
        if is_new {
            of_group.push(place);
        }
        groups.insert((*reference, name), of_group.len() - 1);
    }
    let group = |at: usize| groups.get(&(is[at].0, &is[at].1[..])).copied();
    let at_of =
        |place: usize| is.iter().position(|own| own.0 == was[place].0 && own.1 == was[place].1);
    let (mut later, mut sooner) =
        (1..is.len()).find(|&at| group(at) < group(at - 1)).map(|at| (at - 1, at))?;
    // Neighbours in other groups are of groups that do not follow each other, maybe: what is between stands
    // on the wrong side of one of the two.
    while group(sooner)? + 1 < group(later)? {
        let between = at_of(of_group[group(sooner)? + 1])?;
        if between < sooner { later = between } else { sooner = between }
    }
    let instance = |at: usize| {
        let (reference, name, _) = &is[at];
        let names = paths[*reference as usize].iter().zip(name);
        Instance {
            reference: *reference,
            is_write: program.nest.references[*reference as usize].is_write,
            iteration: names
                .map(|(&variable, &value)| (program.variables[variable as usize].clone(), value))
                .collect(),
        }
    };
    let (reference, name, _) = &is[sooner];
    let mut values = vec![0; program.nest.variables as usize];
    for (&variable, &value) in paths[*reference as usize].iter().zip(name) {
        values[variable as usize] = value;
    }
    let indices = program.nest.references[*reference as usize].indices.as_ref();
    Some(Dependence {
        container: program.containers[container as usize].name.clone(),
        element,
        indices: indices.map(|all| all.iter().map(|index| index.value(&values)).collect()),
        first: instance(sooner),
        second: instance(later),
    })
}
