//! Loops in another order, in tiles, or fused.

use super::loops::path;
use super::{Change, ChangeError, Program};
use crate::nest::{Affine, Loop, Step};
use crate::walk::ranges;

/// Loops whose iterations come in another order, and what is done in each.
pub(super) struct Window {
    /// Without what is in them.
    pub(super) loops: Vec<Loop>,
    pub(super) body: Vec<Step>,
    pub(super) is_fused: bool,
}

/// A program in other loops.
pub(super) struct Built {
    pub(super) program: Program,
    /// By reference, values that tell its accesses apart, which are those of the loops that were around it.
    pub(super) names: Vec<Vec<Affine>>,
    pub(super) windows: Vec<Window>,
    /// Why something that was looked for is not changed.
    refused: Option<String>,
}

/// The program in other loops.
pub(super) fn build(
    program: &Program,
    change: &Change,
    is_small: bool,
) -> Result<Built, ChangeError> {
    let mut paths = vec![vec![]; program.nest.references.len()];
    path(&program.nest.body, &mut vec![], &mut paths);
    let name = |path: &Vec<u32>| path.iter().map(|&one| Affine::variable(one)).collect();
    let mut built = Built {
        program: program.clone(),
        names: paths.iter().map(name).collect(),
        windows: vec![],
        refused: None,
    };
    let mut body = std::mem::take(&mut built.program.nest.body);
    let wrong = |why: &str| ChangeError::NoLoops { change: change.clone(), why: why.to_owned() };
    let mut looked_for = vec![];
    match change {
        Change::Order(order) => {
            looked_for = order.clone();
            chains(&mut body, &mut |chain, body| built.order(chain, body, order));
        }
        Change::Tile { loops, sizes } => {
            looked_for = loops.clone();
            let all = ranges(&program.nest.body, program.nest.variables);
            chains(&mut body, &mut |chain, body| {
                built.tile(chain, body, (loops, sizes), &all, is_small);
            });
        }
        Change::Fuse { first, second } => built.fuse(&mut body, [first, second]),
        _ => {}
    }
    let mut sorted = looked_for.clone();
    sorted.sort_unstable();
    if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(wrong("a loop is named twice"));
    }
    built.program.nest.body = body;
    if let Some(why) = built.refused {
        return Err(ChangeError::Refused { change: change.clone(), why });
    }
    if built.windows.is_empty() {
        return Err(wrong(match change {
            Change::Fuse { .. } => {
                "no loops of these names and of as many iterations follow each other directly"
            }
            _ => "no loops of these names are nested directly",
        }));
    }
    Ok(built)
}

/// Tells of loops that stand directly within each other, as far as they do, and what is in the last.
fn chains(steps: &mut [Step], tell: &mut impl FnMut(&mut Vec<Loop>, &mut Vec<Step>)) {
    for step in steps {
        let Step::Loop(outer) = step else { continue };
        let mut chain = vec![];
        let mut next = std::mem::replace(outer, Loop::over(0, 0, vec![]));
        let mut body = loop {
            let mut body = std::mem::take(&mut next.body);
            chain.push(next);
            match body.pop() {
                Some(Step::Loop(inner)) if body.is_empty() => next = inner,
                Some(last) => {
                    body.push(last);
                    break body;
                }
                None => break body,
            }
        };
        tell(&mut chain, &mut body);
        chains(&mut body, tell);
        let mut chain = chain.into_iter().rev();
        if let Some(last) = chain.next() {
            *outer = Loop { body, ..last };
        }
        for one in chain {
            let inner = std::mem::replace(outer, one);
            outer.body = vec![Step::Loop(inner)];
        }
    }
}

impl Built {
    fn name(&self, one: &Loop) -> &str {
        self.program.variables.get(one.variable as usize).map_or("", |name| &**name)
    }

    /// Where names stand in a chain, if all do.
    fn places(&self, chain: &[Loop], names: &[String]) -> Option<Vec<usize>> {
        let place = |name: &String| chain.iter().position(|one| self.name(one) == name);
        names.iter().map(place).collect()
    }

    fn order(&mut self, chain: &mut [Loop], body: &[Step], order: &[String]) {
        let Some(places) = self.places(chain, order) else { return };
        let (Some(&first), Some(&last)) = (places.iter().min(), places.iter().max()) else {
            return;
        };
        if last - first + 1 != places.len() {
            return;
        }
        let new: Vec<Loop> = places.iter().map(|&place| chain[place].clone()).collect();
        for (place, one) in new.iter().enumerate() {
            let behind = &new[place..];
            let mut bounds = one.begin.iter().chain(&one.end);
            if bounds.any(|bound| behind.iter().any(|own| bound.factor(own.variable) != 0)) {
                let name = self.name(one).to_owned();
                self.refused =
                    Some(format!("the range of {name} depends on a loop that it would be around"));
                return;
            }
        }
        let inner = rest(&chain[last + 1..], body);
        self.windows.push(Window { loops: new.clone(), body: inner, is_fused: false });
        chain[first..=last].clone_from_slice(&new);
    }

    fn tile(
        &mut self,
        chain: &mut Vec<Loop>,
        body: &mut [Step],
        (names, sizes): (&[String], &[u64]),
        ranges: &[Option<[i128; 2]>],
        is_small: bool,
    ) {
        let Some(places) = self.places(chain, names) else { return };
        let Some(&outermost) = places.iter().min() else { return };
        let old = chain[outermost..].to_vec();
        self.windows.push(Window { loops: old.clone(), body: body.to_vec(), is_fused: false });
        let mut tiles = vec![];
        for (&place, &size) in places.iter().zip(sizes) {
            let one = chain[place].clone();
            let Some([low, high]) = ranges[one.variable as usize] else { continue };
            let mut size = i128::from(size);
            if is_small {
                // At small sizes there are at least two tiles, too.
                let count = (high - low) / i128::from(one.step).abs() + 1;
                size = size.min((count / 2).max(2));
            }
            let Some(width) = i64::try_from(size).ok().and_then(|size| size.checked_mul(one.step))
            else {
                self.refused = Some("a tile is too large".to_owned());
                return;
            };
            let tile = self.program.variables.len() as u32;
            self.program.variables.push(format!("{}_tile", self.name(&one)));
            self.program.nest.variables = tile + 1;
            let moved = Affine::variable(tile);
            let mut bounds = one.begin.iter().chain(&one.end);
            let depends = bounds.any(|bound| old.iter().any(|own| bound.factor(own.variable) != 0));
            let mut over = Loop { variable: tile, step: width, body: vec![], ..one.clone() };
            let within = &mut chain[place];
            let behind = moved.clone().plus(&Affine::constant(width));
            if depends {
                if one.step.abs() != 1 {
                    let name = self.name(&one).to_owned();
                    self.refused = Some(format!("the range of {name} depends on a loop around it"));
                    return;
                }
                let ends = if one.step > 0 { [low, high + 1] } else { [high, low - 1] };
                let [begin, end] = ends.map(|end| Affine::constant(end as i64));
                (over.begin, over.end) = (vec![begin], vec![end]);
                within.begin.push(moved);
                within.end.push(behind);
            } else if let ([begin], [end]) = (&one.begin[..], &one.end[..])
                && let length = end.clone().plus(&begin.clone().times(-1))
                && length.terms.is_empty()
                && length.constant % width == 0
            {
                // Tiles that are whole are all alike.
                within.begin = vec![Affine::constant(0)];
                within.end = vec![Affine::constant(width)];
                let sum = moved.plus(&Affine::variable(one.variable));
                for inner in &mut chain[place + 1..] {
                    substitute_bounds(inner, one.variable, &sum);
                }
                self.substitute(body, one.variable, &sum);
            } else {
                within.begin = vec![moved];
                within.end.push(behind);
            }
            tiles.push(over);
        }
        chain.splice(outermost..outermost, tiles);
    }

    /// Fuses what stands right behind each other, wherever that is.
    fn fuse(&mut self, steps: &mut Vec<Step>, [first, second]: [&str; 2]) {
        let mut at = 0;
        while at + 1 < steps.len() {
            if self.fuse_at(steps, at, [first, second]) {
                steps.remove(at + 1);
            } else {
                at += 1;
            }
        }
        for step in steps {
            if let Step::Loop(one) = step {
                self.fuse(&mut one.body, [first, second]);
            }
        }
    }

    /// Puts the body of a loop into the one before it, if they go together.
    fn fuse_at(&mut self, steps: &mut [Step], at: usize, names: [&str; 2]) -> bool {
        let [Step::Loop(one), Step::Loop(other)] = &mut steps[at..at + 2] else { return false };
        if [self.name(one), self.name(other)] != names || one.step != other.step {
            return false;
        }
        // Either the same ranges, or as many iterations elsewhere.
        let by = if one.begin == other.begin && one.end == other.end {
            Affine::constant(0)
        } else if let ([begin], [end], [other_begin], [other_end]) =
            (&one.begin[..], &one.end[..], &other.begin[..], &other.end[..])
        {
            let by = other_begin.clone().plus(&begin.clone().times(-1));
            if other_end.clone().plus(&end.clone().times(-1)) != by {
                return false;
            }
            by
        } else {
            return false;
        };
        let (mut body, variable) = (std::mem::take(&mut other.body), other.variable);
        let mut window = Window { loops: vec![], body: one.body.clone(), is_fused: true };
        window.body.extend(body.iter().cloned());
        window.loops = [&*one, &*other].map(|one| Loop { body: vec![], ..one.clone() }).into();
        self.substitute(&mut body, variable, &by.plus(&Affine::variable(one.variable)));
        one.is_free &= other.is_free;
        one.unseen.extend(other.unseen.iter().cloned());
        one.private.extend(&other.private);
        one.body.extend(body);
        self.windows.push(window);
        true
    }

    /// Puts a sum in the place of a variable in some steps.
    fn substitute(&mut self, steps: &mut [Step], variable: u32, sum: &Affine) {
        for step in steps {
            match step {
                Step::Access(number) => {
                    let number = *number as usize;
                    let one = &mut self.program.nest.references[number];
                    one.element = one.element.with(variable, sum);
                    let indices = one.indices.iter_mut().flatten();
                    for affine in indices.chain(&mut self.names[number]) {
                        *affine = affine.with(variable, sum);
                    }
                }
                Step::Loop(one) => {
                    substitute_bounds(one, variable, sum);
                    self.substitute(&mut one.body, variable, sum);
                }
            }
        }
    }
}

fn substitute_bounds(one: &mut Loop, variable: u32, sum: &Affine) {
    for bound in one.begin.iter_mut().chain(&mut one.end) {
        *bound = bound.with(variable, sum);
    }
}

/// Loops of a chain around a body.
fn rest(chain: &[Loop], body: &[Step]) -> Vec<Step> {
    let around = |body, one: &Loop| vec![Step::Loop(Loop { body, ..one.clone() })];
    chain.iter().rev().fold(body.to_vec(), around)
}
