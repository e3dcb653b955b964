//! Accesses of a nest in program order, iterations that touch the same lines together.

use crate::nest::{Affine, Loop, Nest, Reference, Step, is_bound};
use crate::{Container, Error, Space};

/// A reference touches a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Touch {
    /// Number of the reference.
    pub reference: u32,
    /// Number of the line.
    pub line: u32,
}

/// What accesses are told to.
pub trait Sink {
    /// Touches in their order, so many times one after the other; once at least.
    fn touch(&mut self, touches: &[Touch], times: u64) -> Result<(), Error>;

    /// Before an iteration of a loop that has loops in it: how many iterations are not told, for the sink
    /// counts them by itself.
    fn enter(&mut self, _turn: &Turn<'_>) -> Result<u64, Error> {
        Ok(0)
    }
}

/// An iteration of a loop that has loops in it.
#[derive(Debug)]
pub struct Turn<'a> {
    /// Which loop, by its number in the order in which loops begin in the program.
    pub number: usize,
    /// How many iterations there were of it since it began.
    pub done: u64,
    /// How many there will be in all.
    pub count: u64,
    /// What repeats in it, if anything does.
    pub repeating: Option<&'a Repeating>,
}

/// What iterations of a loop do, again and again, elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeating {
    /// After so many iterations, every container's accesses are the same, whole lines further on.
    pub period: u64,
    /// By container, how many lines.
    pub lines: Vec<i64>,
}

/// A walk over all accesses of a nest.
pub struct Walk<'a> {
    nest: &'a Nest,
    space: &'a Space,
    shift: u32,
    /// Whether it is known before that nothing leaves its container.
    is_inside: bool,
    /// Whether an element may cross a line.
    crosses: bool,
    body: Vec<Planned>,
    /// By variable.
    values: Vec<i64>,
    /// By reference, the address of the element that is touched next.
    addresses: Vec<i64>,
    touches: Vec<Touch>,
}

/// What a walk does, with what can be known before.
enum Planned {
    Access(u32),
    Loop(Box<PlannedLoop>),
}

struct PlannedLoop {
    variable: usize,
    own: Loop,
    /// References in it that move, and how many bytes as its variable grows by one.
    moving: Vec<(usize, i64)>,
    body: Vec<Planned>,
    /// The references, where there is nothing but accesses in it.
    leaf: Option<Vec<Leaf>>,
    number: usize,
    repeating: Option<Repeating>,
}

#[derive(Clone, Copy)]
struct Leaf {
    reference: u32,
    bytes: i64,
    /// Its bits, where that is a power of two: shifts are quicker than divisions.
    shift: Option<u32>,
}

impl<'a> Walk<'a> {
    /// Prepares a walk; refuses a nest that leaves its containers.
    pub fn new(nest: &'a Nest, space: &'a Space) -> Result<Walk<'a>, Error> {
        nest.check(space)?;
        let mut planner = Planner { nest, space, loops: 0 };
        let is_inside = planner.is_inside(&nest.body, &mut vec![None; nest.variables as usize]);
        let body = planner.steps(&nest.body);
        if space.lines > u64::from(u32::MAX) {
            let bytes = u128::from(space.lines) * u128::from(space.line);
            return Err(Error::Room { bytes, most: u128::from(u32::MAX) * u128::from(space.line) });
        }
        let address = |reference: &Reference| {
            let container = reference.container as usize;
            let element = space.containers[container].element as i64;
            space.bases[container].wrapping_add(reference.element.constant.wrapping_mul(element))
        };
        Ok(Walk {
            nest,
            space,
            shift: space.shift(),
            is_inside,
            crosses: nest
                .references
                .iter()
                .any(|one| space.most_lines_of(one.container as usize) > 1),
            body,
            values: vec![0; nest.variables as usize],
            addresses: nest.references.iter().map(address).collect(),
            touches: vec![],
        })
    }

    /// Tells all accesses.
    pub fn run(mut self, sink: &mut impl Sink) -> Result<(), Error> {
        let body = std::mem::take(&mut self.body);
        self.steps(&body, sink)
    }

    fn steps(&mut self, steps: &[Planned], sink: &mut impl Sink) -> Result<(), Error> {
        for step in steps {
            match step {
                Planned::Access(reference) => {
                    self.check(*reference, self.addresses[*reference as usize])?;
                    self.touches.clear();
                    self.touch_element(*reference, self.addresses[*reference as usize]);
                    sink.touch(&self.touches, 1)?;
                }
                Planned::Loop(one) => self.iterate(one, sink)?,
            }
        }
        Ok(())
    }

    fn iterate(&mut self, one: &PlannedLoop, sink: &mut impl Sink) -> Result<(), Error> {
        let (begin, count) = one.own.range(&self.values);
        if count == 0 {
            return Ok(());
        }
        let outer = self.values[one.variable];
        self.set(one, begin);
        match &one.leaf {
            Some(leaves) => self.leaf(leaves, count, sink)?,
            None => {
                let mut done = 0;
                while done < count {
                    let turn =
                        Turn { number: one.number, done, count, repeating: one.repeating.as_ref() };
                    let skipped = sink.enter(&turn)?.min(count - done);
                    if skipped > 0 {
                        done += skipped;
                        self.set(one, begin + done as i64 * one.own.step);
                        continue;
                    }
                    self.steps(&one.body, sink)?;
                    done += 1;
                    self.set(one, begin + done as i64 * one.own.step);
                }
            }
        }
        self.set(one, outer);
        Ok(())
    }

    /// Gives a variable a value, and moves what depends on it.
    fn set(&mut self, one: &PlannedLoop, value: i64) {
        let old = self.values[one.variable];
        self.values[one.variable] = value;
        let by = value.wrapping_sub(old);
        for &(reference, bytes) in &one.moving {
            self.addresses[reference] =
                self.addresses[reference].wrapping_add(by.wrapping_mul(bytes));
        }
    }

    /// An innermost loop: as long as no reference goes on to another line, one iteration is as the other.
    fn leaf(&mut self, leaves: &[Leaf], count: u64, sink: &mut impl Sink) -> Result<(), Error> {
        let line = 1i64 << self.shift;
        let mut touches = std::mem::take(&mut self.touches);
        touches.clear();
        touches.extend(leaves.iter().map(|leaf| Touch { reference: leaf.reference, line: 0 }));
        let mut at: Vec<i64> =
            leaves.iter().map(|leaf| self.addresses[leaf.reference as usize]).collect();
        for (leaf, &first) in leaves.iter().zip(&at) {
            self.check(leaf.reference, first)?;
            let way = leaf.bytes.saturating_mul((count - 1) as i64);
            self.check(leaf.reference, first.saturating_add(way))?;
        }
        if self.crosses {
            self.touches = touches;
            return self.leaf_across(leaves, &mut at, count, sink);
        }
        let mut rest = count;
        while rest > 0 {
            let mut same = rest;
            for ((leaf, at), touch) in leaves.iter().zip(&at).zip(&mut touches) {
                touch.line = (at >> self.shift) as u32;
                let inside = at & (line - 1);
                let steps = match (leaf.bytes, leaf.shift) {
                    (0, _) => continue,
                    (1.., Some(shift)) => ((line - inside - 1) >> shift) + 1,
                    (bytes @ 1.., None) => (line - inside - 1) / bytes + 1,
                    (bytes, _) => inside / bytes.saturating_neg() + 1,
                };
                same = same.min(steps as u64);
            }
            sink.touch(&touches, same)?;
            for (leaf, at) in leaves.iter().zip(&mut at) {
                *at = at.wrapping_add(leaf.bytes.wrapping_mul(same as i64));
            }
            rest -= same;
        }
        self.touches = touches;
        Ok(())
    }

    /// The same where an element may be in several lines.
    fn leaf_across(
        &mut self,
        leaves: &[Leaf],
        at: &mut [i64],
        count: u64,
        sink: &mut impl Sink,
    ) -> Result<(), Error> {
        let line = 1i64 << self.shift;
        let mut rest = count;
        while rest > 0 {
            let mut same = rest;
            self.touches.clear();
            for (leaf, &at) in leaves.iter().zip(&*at) {
                self.touch_element(leaf.reference, at);
                let last =
                    at.wrapping_add(self.container_of(leaf.reference).element.max(1) as i64 - 1);
                for end in [at, last] {
                    let inside = end & (line - 1);
                    let steps = match leaf.bytes {
                        0 => continue,
                        bytes @ 1.. => (line - inside - 1) / bytes + 1,
                        bytes => inside / bytes.saturating_neg() + 1,
                    };
                    same = same.min(steps as u64);
                }
            }
            sink.touch(&self.touches, same)?;
            for (leaf, at) in leaves.iter().zip(&mut *at) {
                *at = at.wrapping_add(leaf.bytes.wrapping_mul(same as i64));
            }
            rest -= same;
        }
        Ok(())
    }

    /// The container that a reference touches.
    fn container_of(&self, reference: u32) -> &Container {
        &self.space.containers[self.nest.references[reference as usize].container as usize]
    }

    /// Adds a touch of each line of an element.
    fn touch_element(&mut self, reference: u32, address: i64) {
        let container = self.nest.references[reference as usize].container as usize;
        let [first, last] = self.space.lines_of(container, address);
        let lines = (first..=last).map(|line| Touch { reference, line: line as u32 });
        self.touches.extend(lines);
    }

    /// Refuses an address outside of its container.
    fn check(&self, reference: u32, address: i64) -> Result<(), Error> {
        if self.is_inside {
            return Ok(());
        }
        let number = self.nest.references[reference as usize].container as usize;
        let container = &self.space.containers[number];
        let [first, last] = container.extent().unwrap_or([0, -1]);
        let at = i128::from(address) - i128::from(self.space.bases[number]);
        let at = at.div_euclid(i128::from(container.element.max(1)));
        if at >= first && at <= last {
            return Ok(());
        }
        let (container, first, last) = (container.name.clone(), first as i64, last as i64);
        Err(Error::Outside { container, first, last, at })
    }
}

struct Planner<'a> {
    nest: &'a Nest,
    space: &'a Space,
    loops: usize,
}

impl Planner<'_> {
    fn steps(&mut self, steps: &[Step]) -> Vec<Planned> {
        let planned = steps.iter().map(|step| match step {
            Step::Access(reference) => Planned::Access(*reference),
            Step::Loop(one) => Planned::Loop(Box::new(self.plan(one))),
        });
        planned.collect()
    }

    fn plan(&mut self, one: &Loop) -> PlannedLoop {
        let number = self.loops;
        self.loops += 1;
        let body = self.steps(&one.body);
        let mut within = vec![];
        references(&one.body, &mut within);
        within.sort_unstable();
        within.dedup();
        let unit = |reference: u32| {
            let reference = &self.nest.references[reference as usize];
            let element = self.space.containers[reference.container as usize].element as i64;
            reference.element.factor(one.variable).saturating_mul(element)
        };
        // What is too far to be a number is outside of every container.
        let bytes = |reference: u32| unit(reference).saturating_mul(one.step);
        let moving = within.iter().map(|&own| (own as usize, unit(own)));
        let is_leaf = body.iter().all(|step| matches!(step, Planned::Access(_)));
        let leaf = |step: &Step| match step {
            Step::Access(reference) => {
                let bytes = bytes(*reference);
                let is_power = bytes > 0 && bytes & (bytes - 1) == 0;
                let shift = is_power.then(|| bytes.trailing_zeros());
                Some(Leaf { reference: *reference, bytes, shift })
            }
            Step::Loop(_) => None,
        };
        PlannedLoop {
            variable: one.variable as usize,
            own: one.clone(),
            moving: moving.filter(|(_, bytes)| *bytes != 0).collect(),
            leaf: is_leaf.then(|| one.body.iter().filter_map(leaf).collect()),
            body,
            number,
            repeating: self.repeating(one, &within, bytes),
        }
    }

    /// What repeats in a loop: nothing in it has bounds by its variable, and all references of a container
    /// move alike.
    fn repeating(
        &self,
        one: &Loop,
        within: &[u32],
        bytes: impl Fn(u32) -> i64,
    ) -> Option<Repeating> {
        if !self.space.is_apart || is_bound(&one.body, one.variable) {
            return None;
        }
        let mut moves: Vec<Option<i64>> = vec![None; self.space.containers.len()];
        for &reference in within {
            let own = &mut moves[self.nest.references[reference as usize].container as usize];
            let by = bytes(reference);
            if *own.get_or_insert(by) != by {
                return None;
            }
        }
        let line = self.space.line;
        let periods = moves.iter().flatten().map(|&by| line / gcd(line, by.unsigned_abs()));
        let period = periods.max().unwrap_or(1);
        let lines =
            |by: &Option<i64>| by.unwrap_or(0).wrapping_mul(period as i64) >> self.space.shift();
        Some(Repeating { period, lines: moves.iter().map(lines).collect() })
    }

    /// Whether no access leaves its container, by the least and the largest value of each variable; what
    /// depends on several may stay inside and not be known to.
    fn is_inside(&self, steps: &[Step], ranges: &mut Vec<Option<[i128; 2]>>) -> bool {
        steps.iter().all(|step| match step {
            Step::Access(number) => {
                let reference = &self.nest.references[*number as usize];
                let container = &self.space.containers[reference.container as usize];
                let [first, last] = container.extent().unwrap_or([0, -1]);
                let [least, most] = interval(&reference.element, ranges);
                least >= first && most <= last
            }
            Step::Loop(one) => match range_of(one, ranges) {
                None => true,
                Some(range) => {
                    let outer = ranges[one.variable as usize].replace(range);
                    let is_inside = self.is_inside(&one.body, ranges);
                    ranges[one.variable as usize] = outer;
                    is_inside
                }
            },
        })
    }
}

/// By variable, the values that it may have anywhere in some steps; none where no loop has it.
pub(crate) fn ranges(steps: &[Step], variables: u32) -> Vec<Option<[i128; 2]>> {
    fn go(steps: &[Step], inside: &mut Vec<Option<[i128; 2]>>, all: &mut [Option<[i128; 2]>]) {
        for step in steps {
            let Step::Loop(one) = step else { continue };
            let Some([low, high]) = range_of(one, inside) else { continue };
            let variable = one.variable as usize;
            let outer = inside[variable].replace([low, high]);
            let whole = all[variable].get_or_insert([low, high]);
            *whole = [whole[0].min(low), whole[1].max(high)];
            go(&one.body, inside, all);
            inside[variable] = outer;
        }
    }
    let mut all = vec![None; variables as usize];
    go(steps, &mut vec![None; variables as usize], &mut all);
    all
}

/// The least and the largest value of an affine.
pub(crate) fn interval(affine: &Affine, ranges: &[Option<[i128; 2]>]) -> [i128; 2] {
    let mut ends = [i128::from(affine.constant); 2];
    for &(variable, factor) in &affine.terms {
        let [low, high] = ranges[variable as usize].unwrap_or([0, 0]);
        let both = [low, high].map(|end| end.saturating_mul(factor.into()));
        ends[0] = ends[0].saturating_add(both[0].min(both[1]));
        ends[1] = ends[1].saturating_add(both[0].max(both[1]));
    }
    ends
}

/// The values that a variable may have; none if the loop is never entered.
fn range_of(one: &Loop, ranges: &[Option<[i128; 2]>]) -> Option<[i128; 2]> {
    let up = one.step > 0;
    // The most that there may be: from the least begin to the largest end.
    let begins = one.begin.iter().map(|bound| interval(bound, ranges));
    let ends = one.end.iter().map(|bound| interval(bound, ranges));
    let (low, high) = if up {
        let begin = begins.map(|[low, _]| low).max()?;
        let end = ends.map(|[_, high]| high).min()?;
        (begin, end - 1)
    } else {
        let begin = begins.map(|[_, high]| high).min()?;
        let end = ends.map(|[low, _]| low).max()?;
        (end + 1, begin)
    };
    (low <= high).then_some([low, high])
}

/// References in some steps.
pub(crate) fn references(steps: &[Step], into: &mut Vec<u32>) {
    for step in steps {
        match step {
            Step::Access(reference) => into.push(*reference),
            Step::Loop(one) => references(&one.body, into),
        }
    }
}

/// The greatest common divisor.
pub(crate) fn gcd(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { gcd(other, one % other) }
}
