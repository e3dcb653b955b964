//! Whether loops may be changed, by what accesses may meet at any of their iterations: systems of linear
//! constraints, whatever the sizes are.
//!
//! ```text
//! for j in 0..999, for i in 1000..4000: A[i][j] = A[i - 1000][j + 1]
//!
//! a write at (j, i) and a read at (j', i'):   i = i' - 1000, j = j' + 1
//! the read comes first as it is:              j' < j
//! and second in the other order:              i' = i + 1000 > i        so the order may not change
//! ```
//! Variables are eliminated one by one (Fourier and Motzkin), with constants rounded as whole numbers allow. Where a
//! system has no solution in fractions there is none in whole numbers; where each step was exact, as it is
//! where one of two factors is 1, a solution is one in whole numbers, too.

use crate::nest::{Affine, Loop, Step};
use crate::walk::references;

use super::Program;
use super::build::Window;

/// What is known of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Proof {
    /// Nothing that needs its order loses it.
    Sound,
    /// Accesses to this container need their order, and lose it.
    Broken(u32),
    /// Neither is proven.
    Unknown,
}

/// How the order of iterations changes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Turn<'a> {
    /// Loops stand in this order, by variable, outermost first.
    Order(&'a [u32]),
    /// Loops go through tiles, by variable; others stay as they are.
    Tiles(&'a [u32]),
    /// Iterations of the outermost loop are done at the same time.
    AtOnce,
}

/// More constraints than this are not worked through.
const MOST_CONSTRAINTS: usize = 4000;

/// What a change of the order of loops does. The loops stand in the order of the program.
pub(crate) fn prove(program: &Program, loops: &[Loop], body: &[Step], turn: Turn<'_>) -> Proof {
    let mut all = vec![];
    references(body, &mut all);
    let around = loops_around(&program.nest.body, loops[0].variable);
    let mut verdict = Proof::Sound;
    for (place, &first) in all.iter().enumerate() {
        for &second in &all[place..] {
            let [one, other] = [first, second].map(|own| &program.nest.references[own as usize]);
            let is_private = loops.iter().all(|own| own.private.contains(&one.container));
            let combine_alike = one.combines.is_some() && one.combines == other.combines;
            if one.container != other.container
                || !(one.is_write || other.is_write)
                || is_private
                || combine_alike
            {
                continue;
            }
            for [before, after] in [[first, second], [second, first]] {
                let pair = Pair { program, around: &around, loops, body, ends: [before, after] };
                match pair.is_turned(turn) {
                    Some(Solved::Never) => {}
                    Some(Solved::Surely) => return Proof::Broken(one.container),
                    _ => verdict = Proof::Unknown,
                }
            }
        }
    }
    verdict
}

/// The same of what a change has made.
pub(super) fn of_window(program: &Program, window: &Window, tiled: Option<&[u32]>) -> Proof {
    if window.is_fused {
        return Proof::Unknown;
    }
    let new: Vec<u32> = window.loops.iter().map(|one| one.variable).collect();
    let mut path = vec![];
    order_of(&program.nest.body, &new, &mut path);
    let mut loops: Vec<Loop> = window.loops.clone();
    loops.sort_by_key(|one| path.iter().position(|own| *own == one.variable));
    if path.len() != loops.len() {
        return Proof::Unknown;
    }
    let turn = match tiled {
        Some(tiled) => Turn::Tiles(tiled),
        None => Turn::Order(&new),
    };
    prove(program, &loops, &window.body, turn)
}

/// Variables of some loops, as they stand in the program.
fn order_of(steps: &[Step], wanted: &[u32], into: &mut Vec<u32>) {
    for step in steps {
        if let Step::Loop(one) = step {
            into.extend(wanted.contains(&one.variable).then_some(one.variable));
            order_of(&one.body, wanted, into);
        }
    }
}

/// The loops around the one of a variable, outermost first.
fn loops_around(steps: &[Step], variable: u32) -> Vec<Loop> {
    for step in steps {
        let Step::Loop(one) = step else { continue };
        if one.variable == variable {
            return vec![];
        }
        if has_loop(&one.body, variable) {
            let mut all = vec![Loop { body: vec![], ..one.clone() }];
            all.extend(loops_around(&one.body, variable));
            return all;
        }
    }
    vec![]
}

fn has_loop(steps: &[Step], variable: u32) -> bool {
    steps.iter().any(|step| match step {
        Step::Loop(one) => one.variable == variable || has_loop(&one.body, variable),
        Step::Access(_) => false,
    })
}

/// Two accesses, the first of which comes before the second.
struct Pair<'a> {
    program: &'a Program,
    around: &'a [Loop],
    loops: &'a [Loop],
    body: &'a [Step],
    ends: [u32; 2],
}

impl Pair<'_> {
    /// Whether the second may come before the first after a change; nothing where that is too much.
    fn is_turned(&self, turn: Turn<'_>) -> Option<Solved> {
        let mut base = System::default();
        let count = self.program.nest.variables;
        // What is around is the same for both; each has all else of its own.
        let shared: Vec<u32> = self.around.iter().map(|one| one.variable).collect();
        let own = |end: usize, variable: u32| -> u32 {
            if shared.contains(&variable) { variable } else { variable + count * end as u32 }
        };
        for one in self.around {
            base.bound(one, &|variable| variable);
        }
        for end in 0..2 {
            let mut all: Vec<Loop> = self.loops.to_vec();
            inside(self.body, self.ends[end], &mut all);
            for one in &all {
                base.bound(one, &|variable| own(end, variable));
            }
        }
        let [first, second] = self.ends.map(|end| &self.program.nest.references[end as usize]);
        match (&first.indices, &second.indices) {
            (Some(first), Some(second)) if first.len() == second.len() => {
                for (first, second) in first.iter().zip(second) {
                    base.equal(first, &|of| own(0, of), second, &|of| own(1, of));
                }
            }
            _ => base.equal(&first.element, &|of| own(0, of), &second.element, &|of| own(1, of)),
        }
        let mut worst = Solved::Never;
        for (level, outer) in self.loops.iter().enumerate() {
            // They differ in this loop first.
            let mut ordered = base.clone();
            for one in &self.loops[..level] {
                ordered.same(own(0, one.variable), own(1, one.variable));
            }
            ordered.before(outer, [own(0, outer.variable), own(1, outer.variable)]);
            match turn {
                Turn::AtOnce => {
                    if level == 0 {
                        worst = worst.or(ordered.solved()?);
                    }
                }
                Turn::Order(order) => {
                    for (place, &variable) in order.iter().enumerate() {
                        let mut turned = ordered.clone();
                        for &outer in &order[..place] {
                            turned.same(own(0, outer), own(1, outer));
                        }
                        let one = self.loops.iter().find(|one| one.variable == variable)?;
                        turned.before(one, [own(1, variable), own(0, variable)]);
                        worst = worst.or(turned.solved()?);
                    }
                }
                Turn::Tiles(tiled) => {
                    // In tiles of some size it may, in others not.
                    for one in self.loops.iter().filter(|one| tiled.contains(&one.variable)) {
                        let mut turned = ordered.clone();
                        turned.before(one, [own(1, one.variable), own(0, one.variable)]);
                        worst = worst.or(match turned.solved()? {
                            Solved::Surely => Solved::Perhaps,
                            solved => solved,
                        });
                    }
                }
            }
            if worst == Solved::Surely {
                break;
            }
        }
        Some(worst)
    }
}

/// The loops of a body around an access.
fn inside(steps: &[Step], reference: u32, into: &mut Vec<Loop>) -> bool {
    steps.iter().any(|step| match step {
        Step::Access(own) => *own == reference,
        Step::Loop(one) => {
            into.push(Loop { body: vec![], ..one.clone() });
            let found = inside(&one.body, reference, into);
            if !found {
                into.pop();
            }
            found
        }
    })
}

/// Whether a system has a solution in whole numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Solved {
    Never,
    Surely,
    /// In fractions.
    Perhaps,
}

impl Solved {
    fn or(self, other: Solved) -> Solved {
        match (self, other) {
            (Solved::Surely, _) | (_, Solved::Surely) => Solved::Surely,
            (Solved::Perhaps, _) | (_, Solved::Perhaps) => Solved::Perhaps,
            _ => Solved::Never,
        }
    }
}

/// A sum of variables and a constant that is 0 or more.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    /// By variable, none is 0.
    terms: Vec<(u32, i128)>,
    constant: i128,
}

/// Constraints.
#[derive(Debug, Clone, Default)]
struct System {
    at_least: Vec<Row>,
    equal: Vec<Row>,
    /// Whether something is left out that whole numbers need.
    is_loose: bool,
    /// Variables that steps have, counted from the highest number down.
    steps: u32,
}

impl Row {
    fn new(affine: &Affine, own: &dyn Fn(u32) -> u32) -> Row {
        let terms = affine.terms.iter().map(|&(of, factor)| (own(of), i128::from(factor)));
        let mut row = Row { terms: vec![], constant: affine.constant.into() };
        for (of, factor) in terms {
            row.add(of, factor);
        }
        row
    }

    fn add(&mut self, variable: u32, factor: i128) {
        match self.terms.binary_search_by_key(&variable, |(own, _)| *own) {
            Ok(at) => {
                self.terms[at].1 += factor;
                if self.terms[at].1 == 0 {
                    self.terms.remove(at);
                }
            }
            Err(at) if factor != 0 => self.terms.insert(at, (variable, factor)),
            Err(_) => {}
        }
    }

    fn factor(&self, variable: u32) -> i128 {
        let at = self.terms.binary_search_by_key(&variable, |(own, _)| *own);
        at.map_or(0, |at| self.terms[at].1)
    }

    /// So many times this, and so many times another.
    fn combined(&self, by: i128, other: &Row, by_other: i128) -> Option<Row> {
        let mut row =
            Row { terms: Vec::with_capacity(self.terms.len() + other.terms.len()), constant: 0 };
        row.constant =
            self.constant.checked_mul(by)?.checked_add(other.constant.checked_mul(by_other)?)?;
        for (terms, by) in [(&self.terms, by), (&other.terms, by_other)] {
            for &(of, factor) in terms {
                let factor = factor.checked_mul(by)?;
                let known = row.factor(of);
                known.checked_add(factor)?;
                row.add(of, factor);
            }
        }
        Some(row)
    }

    fn divisor(&self) -> i128 {
        self.terms.iter().fold(0, |all, (_, factor)| gcd(all, factor.abs()))
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl System {
    /// A variable is within its loop.
    fn bound(&mut self, one: &Loop, own: &dyn Fn(u32) -> u32) {
        let variable = own(one.variable);
        let sign = if one.step < 0 { -1 } else { 1 };
        let at = Row { terms: vec![(variable, sign)], constant: 0 };
        for begin in &one.begin {
            let begin = Row::new(begin, own);
            self.at_least.extend(at.combined(1, &begin, -sign));
        }
        for end in &one.end {
            let end = Row::new(end, own);
            let mut row = end.combined(sign, &at, -1).unwrap_or_else(|| at.clone());
            row.constant -= 1;
            self.at_least.push(row);
        }
        if one.step.abs() != 1 {
            match &one.begin[..] {
                [begin] => {
                    // It is so many steps behind where it begins.
                    let steps = u32::MAX - self.steps;
                    self.steps += 1;
                    let mut row = Row::new(begin, own);
                    row.add(variable, -1);
                    row.add(steps, one.step.into());
                    self.equal.push(row);
                    self.at_least.push(Row { terms: vec![(steps, 1)], constant: 0 });
                }
                _ => self.is_loose = true,
            }
        }
    }

    fn equal(
        &mut self,
        first: &Affine,
        of_first: &dyn Fn(u32) -> u32,
        second: &Affine,
        of_second: &dyn Fn(u32) -> u32,
    ) {
        let (first, second) = (Row::new(first, of_first), Row::new(second, of_second));
        self.equal.extend(first.combined(1, &second, -1));
    }

    fn same(&mut self, first: u32, second: u32) {
        let mut row = Row { terms: vec![], constant: 0 };
        row.add(first, 1);
        row.add(second, -1);
        self.equal.push(row);
    }

    /// One value of a loop comes before another.
    fn before(&mut self, one: &Loop, [first, second]: [u32; 2]) {
        let sign = if one.step < 0 { -1 } else { 1 };
        let mut row = Row { terms: vec![], constant: -1 };
        row.add(second, sign);
        row.add(first, -sign);
        self.at_least.push(row);
    }

    /// Whether there is a solution; nothing where finding out is too much.
    fn solved(mut self) -> Option<Solved> {
        let mut is_exact = !self.is_loose;
        while let Some(row) = self.equal.pop() {
            let divisor = row.divisor();
            if divisor == 0 {
                if row.constant != 0 {
                    return Some(Solved::Never);
                }
                continue;
            }
            if row.constant % divisor != 0 {
                return Some(Solved::Never);
            }
            let row = Row {
                terms: row.terms.iter().map(|&(of, factor)| (of, factor / divisor)).collect(),
                constant: row.constant / divisor,
            };
            // One with a factor of 1 is put in the place of all others.
            let unit = row.terms.iter().find(|(_, factor)| factor.abs() == 1).copied();
            let Some((variable, factor)) = unit else {
                is_exact = false;
                let negative = row.combined(-1, &row, 0)?;
                self.at_least.extend([row, negative]);
                continue;
            };
            for other in self.equal.iter_mut().chain(&mut self.at_least) {
                let own = other.factor(variable);
                if own != 0 {
                    *other = other.combined(1, &row, -own * factor)?;
                }
            }
        }
        let mut rows = std::mem::take(&mut self.at_least);
        loop {
            for row in &mut rows {
                let divisor = row.divisor();
                if divisor > 1 {
                    row.terms.iter_mut().for_each(|(_, factor)| *factor /= divisor);
                    row.constant = row.constant.div_euclid(divisor);
                }
            }
            if rows.iter().any(|row| row.terms.is_empty() && row.constant < 0) {
                return Some(Solved::Never);
            }
            rows.retain(|row| !row.terms.is_empty());
            rows.sort();
            // Of rows of the same terms the first, of the least constant, says it all.
            rows.dedup_by(|next, known| next.terms == known.terms);
            let Some(variable) = cheapest(&rows) else { break };
            let (mut above, mut below, mut rest) = (vec![], vec![], vec![]);
            for row in rows {
                match row.factor(variable) {
                    0 => rest.push(row),
                    factor if factor > 0 => above.push(row),
                    _ => below.push(row),
                }
            }
            if above.len() * below.len() + rest.len() > MOST_CONSTRAINTS {
                return None;
            }
            for one in &above {
                for other in &below {
                    let (up, down) = (one.factor(variable), -other.factor(variable));
                    is_exact &= up == 1 || down == 1;
                    rest.push(one.combined(down, other, up)?);
                }
            }
            rows = rest;
        }
        Some(if is_exact { Solved::Surely } else { Solved::Perhaps })
    }
}

/// The variable whose elimination makes the fewest rows.
fn cheapest(rows: &[Row]) -> Option<u32> {
    let mut counts: std::collections::BTreeMap<u32, [usize; 2]> = Default::default();
    for &(of, factor) in rows.iter().flat_map(|row| &row.terms) {
        counts.entry(of).or_default()[usize::from(factor < 0)] += 1;
    }
    counts.into_iter().min_by_key(|(_, [up, down])| up * down).map(|(of, _)| of)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::is_parallel;
    use super::super::loops::unchecked_dependence;
    use super::*;
    use crate::change::Change;
    use crate::nest::Nest;
    use crate::{Container, Space};

    /// Two loops that may be skewed and go backwards, around a write and a read of one container.
    #[derive(Debug, Clone)]
    struct Made {
        sizes: [i64; 2],
        steps: [i64; 2],
        depends: i64,
        write: [[i64; 3]; 2],
        read: [[i64; 3]; 2],
    }

    fn made() -> impl Strategy<Value = Made> {
        let index = || prop::array::uniform3(-2..3i64);
        let access = || prop::array::uniform2(index());
        let step = prop_oneof![4 => Just(1i64), 1 => Just(2i64), 1 => Just(-1i64)];
        let steps = prop::array::uniform2(step);
        (prop::array::uniform2(1..6i64), steps, 0..2i64, access(), access()).prop_map(
            |(sizes, steps, depends, write, read)| Made { sizes, steps, depends, write, read },
        )
    }

    fn program(made: &Made) -> Program {
        let containers = vec![Container::rows("a", 8, &[64, 64])];
        let mut nest = Nest { variables: 2, ..Nest::default() };
        let index = |[i, j, more]: [i64; 3]| {
            let sum = Affine::variable(0).times(i).plus(&Affine::variable(1).times(j));
            sum.plus(&Affine::constant(32 + more))
        };
        let mut refer = |indices: [[i64; 3]; 2], is_write: bool| {
            nest.refer(&containers, 0, &indices.map(index), is_write)
        };
        let body = vec![refer(made.read, false), refer(made.write, true)];
        let over = |place: usize, body: Vec<Step>| {
            let size = made.sizes[place];
            let (begin, end) = match made.steps[place] {
                step if step < 0 => (size - 1, -1),
                _ => (0, size),
            };
            let mut end = Affine::constant(end);
            if place == 1 && made.steps == [1, 1] {
                end = end.plus(&Affine::variable(0).times(made.depends));
            }
            Loop {
                begin: vec![Affine::constant(begin)],
                end: vec![end],
                step: made.steps[place],
                ..Loop::over(place as u32, size, body)
            }
        };
        nest.body = vec![Step::Loop(over(0, vec![Step::Loop(over(1, body))]))];
        let variables = vec!["i".to_owned(), "j".to_owned()];
        let space = Space::new(containers, Default::default(), 64).unwrap();
        Program { containers: space.containers, nest, variables, is_whole: true }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(samples::cases(2000, 100_000)))]

        /// Against going through all accesses: what is proven sound turns nothing around, what is proven broken
        /// turns something around.
        #[test]
        fn proofs_are_what_a_run_shows(made in made()) {
            let program = program(&made);
            let Step::Loop(outer) = &program.nest.body[0] else { panic!() };
            let Step::Loop(inner) = &outer.body[0] else { panic!() };
            let alone = |one: &Loop| Loop { body: vec![], ..one.clone() };
            let depends = is_parallel(&program, 0).is_some();
            match prove(&program, &[alone(outer)], &outer.body, Turn::AtOnce) {
                Proof::Sound => prop_assert!(!depends),
                Proof::Broken(_) => prop_assert!(depends),
                Proof::Unknown => {}
            }
            if made.depends == 0 || made.steps != [1, 1] {
                let order = Change::Order(vec!["j".to_owned(), "i".to_owned()]);
                let turned = unchecked_dependence(&program, &order);
                let loops = [alone(outer), alone(inner)];
                match prove(&program, &loops, &inner.body, Turn::Order(&[1, 0])) {
                    Proof::Sound => prop_assert!(!turned),
                    Proof::Broken(_) => prop_assert!(turned),
                    Proof::Unknown => {}
                }
                let sizes = vec![2, 2];
                let tile = Change::Tile { loops: vec!["i".to_owned(), "j".to_owned()], sizes };
                let turned = unchecked_dependence(&program, &tile);
                match prove(&program, &loops, &inner.body, Turn::Tiles(&[0, 1])) {
                    Proof::Sound => prop_assert!(!turned),
                    Proof::Broken(_) => prop_assert!(false),
                    Proof::Unknown => {}
                }
            }
        }
    }
}
