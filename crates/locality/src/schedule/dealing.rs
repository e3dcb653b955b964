//! Which thread gets which iterations.

use std::fmt;
use std::str::FromStr;

use super::drawn::drawn;
use crate::change::prove::{Proof, Turn, prove};
use crate::change::{is_apart_in, is_parallel};
use crate::nest::{Affine, Loop, Nest, Step};
use crate::{Dependence, Program, Smaller};

/// So many accesses are gone through to see whether a loop is parallel.
const MOST_SEEN: u128 = 1 << 21;

/// More iterations are not drawn one by one.
const MOST_DRAWN: u64 = 1 << 14;

/// More threads are not told apart.
const MOST_THREADS: u32 = 256;

/// Which thread does which iterations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Schedule {
    /// One does all.
    #[default]
    Sequential,
    /// Chunks in turn, as OpenMP's `static`; without a size one chunk each, the first ones larger by one
    /// where they do not come out even, as GCC does it.
    Static {
        /// How many threads; at least 1.
        threads: u32,
        /// Iterations of a chunk; at least 1.
        chunk: Option<u64>,
    },
    /// Each takes the next iteration when it is done with one; which is done next is drawn.
    Dynamic {
        /// How many threads; at least 1.
        threads: u32,
        /// What is drawn from.
        seed: u64,
    },
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Schedule::Sequential => write!(f, "sequential"),
            Schedule::Static { threads, chunk: None } => write!(f, "static:{threads}"),
            Schedule::Static { threads, chunk: Some(chunk) } => {
                write!(f, "static:{threads}:{chunk}")
            }
            Schedule::Dynamic { threads, seed } => write!(f, "dynamic:{threads}:{seed}"),
        }
    }
}

impl FromStr for Schedule {
    type Err = String;

    fn from_str(text: &str) -> Result<Schedule, String> {
        let parts: Vec<&str> = text.split(':').collect();
        let threads = |text: &str| {
            text.parse::<u32>().ok().filter(|count| (1..=MOST_THREADS).contains(count))
        };
        let own = match parts[..] {
            ["sequential"] => Some(Schedule::Sequential),
            ["static", count] => {
                threads(count).map(|threads| Schedule::Static { threads, chunk: None })
            }
            ["static", count, chunk] => threads(count)
                .zip(chunk.parse().ok().filter(|chunk| *chunk > 0))
                .map(|(threads, chunk)| Schedule::Static { threads, chunk: Some(chunk) }),
            ["dynamic", count, seed] => threads(count)
                .zip(seed.parse().ok())
                .map(|(threads, seed)| Schedule::Dynamic { threads, seed }),
            _ => None,
        };
        own.ok_or_else(|| {
            format!(
                "'{text}' is not a schedule: sequential, static:THREADS, static:THREADS:CHUNK, \
                     dynamic:THREADS:SEED, of 1 to {MOST_THREADS} threads"
            )
        })
    }
}

/// Why a program has no schedule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    /// Iterations need their order.
    #[error("no loop is parallel: {0}, in different iterations of {1}")]
    Dependence(Box<Dependence>, String),
    /// Nothing is dealt out.
    #[error("no loop is known to be parallel")]
    NoLoop,
    /// What cannot be dealt out.
    #[error("iterations of {name} are not dealt out: {why}")]
    Loop {
        /// What its variable is called.
        name: String,
        /// Why.
        why: String,
    },
}

/// A program with a schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scheduled {
    /// What all threads do, in the order in which they do it.
    pub program: Program,
    /// By reference, its number in the program as it was.
    pub original: Vec<u32>,
    /// By reference, which thread has it, from 0.
    pub threads: Vec<u32>,
    /// Variables of loops whose iterations are dealt out, by name.
    pub parallel: Vec<String>,
}

struct Dealing<'a> {
    program: &'a Program,
    smaller: Smaller<'a>,
    schedule: Schedule,
    out: Scheduled,
    /// What forbids the first loop that was looked at.
    forbids: Option<(Dependence, String)>,
}

/// Deals out the iterations of the outermost parallel loops: those that are free by their source, or else
/// those whose iterations do not depend on each other.
pub fn deal(
    program: &Program,
    smaller: Smaller<'_>,
    schedule: Schedule,
) -> Result<Scheduled, ScheduleError> {
    let count = program.nest.references.len() as u32;
    let mut dealing = Dealing {
        program,
        smaller,
        schedule,
        out: Scheduled {
            program: program.clone(),
            original: (0..count).collect(),
            threads: vec![0; count as usize],
            parallel: vec![],
        },
        forbids: None,
    };
    if schedule != Schedule::Sequential {
        let body = dealing.steps(&program.nest.body)?;
        dealing.out.program.nest.body = body;
        if dealing.out.parallel.is_empty() {
            return Err(match dealing.forbids {
                Some((dependence, name)) => ScheduleError::Dependence(Box::new(dependence), name),
                None => ScheduleError::NoLoop,
            });
        }
    }
    Ok(dealing.out)
}

fn has_free(steps: &[Step]) -> bool {
    steps.iter().any(|step| match step {
        Step::Access(_) => false,
        Step::Loop(one) => one.is_free || has_free(&one.body),
    })
}

impl Dealing<'_> {
    fn steps(&mut self, steps: &[Step]) -> Result<Vec<Step>, ScheduleError> {
        let mut out = vec![];
        for step in steps {
            match step {
                Step::Loop(one) if one.is_free || (!has_free(&one.body) && self.may(one)) => {
                    self.deal(one, &mut out)?;
                }
                Step::Loop(one) => {
                    let body = self.steps(&one.body)?;
                    out.push(Step::Loop(Loop { body, ..one.clone() }));
                }
                Step::Access(_) => out.push(step.clone()),
            }
        }
        Ok(out)
    }

    fn name(&self, one: &Loop) -> String {
        self.program.variables[one.variable as usize].clone()
    }

    /// Whether iterations do not depend on each other.
    fn may(&mut self, one: &Loop) -> bool {
        if !one.unseen.is_empty() || !self.program.is_whole {
            return false;
        }
        if is_apart_in(self.program, one) {
            return true;
        }
        let found = if self.program.nest.accesses() <= MOST_SEEN {
            is_parallel(self.program, one.variable)
        } else {
            let own = Loop { body: vec![], ..one.clone() };
            let loops = std::slice::from_ref(&own);
            if prove(self.program, loops, &one.body, Turn::AtOnce) == Proof::Sound {
                return true;
            }
            // What is not proven is not dealt out; what smaller sizes show says why.
            let small =
                (self.smaller)(MOST_SEEN).filter(|small| small.variables == self.program.variables);
            let found = small.and_then(|small| is_parallel(&small, one.variable));
            if let (Some(found), None) = (found, &self.forbids) {
                self.forbids = Some((found, self.name(one)));
            }
            return false;
        };
        let is_parallel = found.is_none();
        if let (Some(found), None) = (found, &self.forbids) {
            self.forbids = Some((found, self.name(one)));
        }
        is_parallel
    }

    fn deal(&mut self, one: &Loop, out: &mut Vec<Step>) -> Result<(), ScheduleError> {
        let name = self.name(one);
        let wrong = |why: &str| ScheduleError::Loop { name: name.clone(), why: why.to_owned() };
        let bounds = one.begin.iter().chain(&one.end);
        if bounds.into_iter().any(|bound| !bound.terms.is_empty()) {
            return Err(wrong("how many there are depends on a loop around it"));
        }
        let (begin, count) = one.range(&[]);
        let (threads, chunk) = match self.schedule {
            Schedule::Sequential => (1, None),
            Schedule::Static { threads, chunk } => (threads, chunk),
            Schedule::Dynamic { threads, .. } => (threads, None),
        };
        if u64::from(threads) * self.program.nest.references.len() as u64 > 1 << 20 {
            return Err(wrong("these are too many threads for so many places that access"));
        }
        if !self.out.parallel.contains(&name) {
            self.out.parallel.push(name.clone());
        }
        let threads = u64::from(threads);
        if let Schedule::Dynamic { seed, .. } = self.schedule {
            if count > MOST_DRAWN {
                return Err(wrong(&format!(
                    "each of its {count} is drawn, {MOST_DRAWN} at most: choose smaller sizes, or static"
                )));
            }
            let bodies: Vec<Vec<Step>> =
                (0..threads).map(|own| self.copy(one, own as u32)).collect();
            for (thread, number) in drawn(threads, count, seed) {
                let at = begin + number as i64 * one.step;
                let own = Loop {
                    begin: vec![Affine::constant(at)],
                    end: vec![Affine::constant(at + one.step)],
                    body: bodies[thread as usize].clone(),
                    ..one.clone()
                };
                out.push(Step::Loop(own));
            }
            return Ok(());
        }
        let rounds = self.variable(format!("round of {name}"));
        let turns = self.variable(format!("turn of {name}"));
        match chunk {
            None => {
                let (whole, more) = (count / threads, count % threads);
                let start = |own: u64| own * whole + own.min(more);
                let each: Vec<(u64, u64)> =
                    (0..threads).map(|own| (start(own), start(own + 1) - start(own))).collect();
                let body = self.round(one, [rounds, turns], 0, &each);
                out.push(Step::Loop(Loop::over(rounds, 1, body)));
            }
            Some(chunk) => {
                let chunk = chunk.min(count.max(1));
                let each: Vec<(u64, u64)> = (0..threads).map(|own| (own * chunk, chunk)).collect();
                let full = count / (chunk * threads);
                if full > 0 {
                    let body = self.round(one, [rounds, turns], chunk * threads, &each);
                    out.push(Step::Loop(Loop::over(rounds, full as i64, body)));
                }
                let left = count - full * chunk * threads;
                let rest = |own: u64| left.saturating_sub(own * chunk).min(chunk);
                let each: Vec<(u64, u64)> =
                    (0..threads).map(|own| (own * chunk, rest(own))).collect();
                if left > 0 {
                    let body = self.round(one, [rounds, turns], chunk * threads, &each);
                    let own = Loop::over(rounds, full as i64 + 1, body);
                    out.push(Step::Loop(Loop {
                        begin: vec![Affine::constant(full as i64)],
                        ..own
                    }));
                }
            }
        }
        Ok(())
    }

    /// A round, in each turn of which each thread does an iteration of its chunk, as long as it has one: by
    /// thread, where its chunk begins in the first round, and how many it has.
    fn round(
        &mut self,
        one: &Loop,
        [rounds, turns]: [u32; 2],
        size: u64,
        each: &[(u64, u64)],
    ) -> Vec<Step> {
        let mut bodies = vec![];
        for (thread, &(start, count)) in each.iter().enumerate() {
            let at = Affine::variable(turns)
                .plus(&Affine::variable(rounds).times(size as i64))
                .plus(&Affine::constant(start as i64))
                .times(one.step)
                .plus(&Affine::constant(one.range(&[]).0));
            bodies.push(if count == 0 { vec![] } else { self.moved(one, thread as u32, &at) });
        }
        let mut ends: Vec<u64> = each.iter().map(|(_, own)| *own).collect();
        ends.push(0);
        ends.sort_unstable();
        ends.dedup();
        let over = |pair: &[u64]| {
            let go_on = each.iter().zip(&bodies).filter(|((_, own), _)| *own >= pair[1]);
            let body: Vec<Step> = go_on.flat_map(|(_, body)| body.clone()).collect();
            let begin = vec![Affine::constant(pair[0] as i64)];
            Step::Loop(Loop { begin, ..Loop::over(turns, pair[1] as i64, body) })
        };
        ends.windows(2).map(over).collect()
    }

    fn variable(&mut self, name: String) -> u32 {
        self.out.program.variables.push(name);
        self.out.program.nest.variables += 1;
        self.out.program.nest.variables - 1
    }

    /// The body of a loop, with references of a thread.
    fn copy(&mut self, one: &Loop, thread: u32) -> Vec<Step> {
        let mut body = one.body.clone();
        self.own(&mut body, thread);
        body
    }

    fn own(&mut self, steps: &mut [Step], thread: u32) {
        for step in steps {
            match step {
                Step::Access(number) => {
                    let references = &mut self.out.program.nest.references;
                    references.push(references[*number as usize].clone());
                    self.out.original.push(*number);
                    self.out.threads.push(thread);
                    *number = references.len() as u32 - 1;
                }
                Step::Loop(one) => self.own(&mut one.body, thread),
            }
        }
    }

    /// The same with a sum in the place of the variable of the loop.
    fn moved(&mut self, one: &Loop, thread: u32, sum: &Affine) -> Vec<Step> {
        let mut body = self.copy(one, thread);
        put(&mut body, &mut self.out.program.nest, one.variable, sum);
        body
    }
}

fn put(steps: &mut [Step], nest: &mut Nest, variable: u32, sum: &Affine) {
    for step in steps {
        match step {
            Step::Access(number) => {
                let one = &mut nest.references[*number as usize];
                one.element = one.element.with(variable, sum);
                for index in one.indices.iter_mut().flatten() {
                    *index = index.with(variable, sum);
                }
            }
            Step::Loop(one) => {
                for bound in one.begin.iter_mut().chain(&mut one.end) {
                    *bound = bound.with(variable, sum);
                }
                put(&mut one.body, nest, variable, sum);
            }
        }
    }
}
