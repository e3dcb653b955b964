//! Functions after they were switched off: what samples saw of them.
//!
//! ```text
//! events     main [                                  ]   no event of `ours` any more
//! samples      m    o      o      o    m      m
//! told       main [      ours[            ]          ]   each sample stands for the time around it
//! ```
//! Time is moved from the innermost traced function to those that ran below it, never made. Where a sample stands
//! for more than the stretch in which it was taken has left, the rest is a debt of the context and taken from its
//! next stretches, after some time from those of its function elsewhere: calls that are shorter than a sample's
//! time are estimated right on the whole.

use hashbrown::HashSet;

use super::debts::Debts;
use super::doubts::Doubts;
use super::functions::Functions;
use super::process::Process;
use super::samples::{Cursor, FunctionStacks, NONE, Sample, Samples};
use super::shown::{Canvas, Shown};
use super::{calls::Open, functions::Met};

/// After so many calls it is known who calls a function.
const WELL_KNOWN: u64 = 100;

/// The estimate of a process.
pub(super) struct Estimate<'a> {
    functions: &'a Functions,
    stacks: FunctionStacks,
    samples: &'a Samples,
    zero: i64,
    /// By number of the function.
    all: Vec<OfFunction>,
    /// When samples were taken that fit.
    fitting: Vec<i64>,
    /// Who called functions that were switched off later, next to functions of C: stacks that changed while they
    /// were read have others.
    callers: HashSet<(u32, u32)>,
    /// Samples that were looked at, to tell functions in one from others.
    looked: u32,
    pub(super) doubts: Doubts,
}

/// What is known of a function.
#[derive(Debug, Clone, Copy, Default)]
struct OfFunction {
    /// Calls that were traced.
    calls: u64,
    /// Of what was switched off: nanoseconds, and samples.
    time: i64,
    samples: u64,
    /// The last sample and the last piece of time that it was in.
    seen: u32,
}

/// A switched-off function.
#[derive(Debug, Clone, Copy)]
pub(super) struct SwitchedOffFunction {
    pub(super) function: u32,
    /// Time in it and in what it called, nanoseconds.
    pub(super) time: i64,
    /// Samples of it, and all of its process that were taken since it was switched off and fit.
    pub(super) samples: u64,
    pub(super) of_samples: u64,
}

impl<'a> Estimate<'a> {
    /// None where nothing was switched off, or no stacks were seen.
    pub(super) fn new(
        process: &'a Process,
        functions: &'a Functions,
        zero: i64,
    ) -> Option<Estimate<'a>> {
        let samples = &process.samples;
        (!process.demotions.is_empty() && !samples.is_empty()).then(|| Estimate {
            functions,
            stacks: FunctionStacks::new(samples, &process.functions, functions),
            samples,
            zero,
            all: vec![OfFunction::default(); functions.len()],
            fitting: vec![],
            callers: HashSet::new(),
            looked: 0,
            doubts: Doubts::default(),
        })
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.all.capacity() * size_of::<OfFunction>()
            + self.fitting.capacity() * 8
            + self.callers.capacity() * 9
    }

    /// A call of a function that is switched off later.
    #[inline]
    pub(super) fn begins(&mut self, function: u32, open: &[Open]) {
        if let Some(own) = self.all.get_mut(function as usize) {
            own.calls += 1;
        }
        if let Some(caller) = open.iter().rev().find(|open| !open.is_c) {
            self.callers.insert((caller.function, function));
        }
    }

    /// How far functions are known.
    pub(super) fn finish(self) -> (Vec<SwitchedOffFunction>, Doubts) {
        let Estimate { functions, all, mut fitting, doubts, .. } = self;
        fitting.sort_unstable();
        let self_times_by_path = |function: u32| {
            let own = all.get(function as usize).copied().unwrap_or_default();
            let from = functions.met(function).switched_off;
            let before = fitting.partition_point(|&at| at < from);
            SwitchedOffFunction {
                function,
                time: own.time,
                samples: own.samples,
                of_samples: (fitting.len() - before) as u64,
            }
        };
        let self_times_by_path: Vec<SwitchedOffFunction> =
            functions.switched_off().map(self_times_by_path).collect();
        (self_times_by_path, doubts)
    }

    fn met(&self, function: u32) -> Option<Met> {
        (function != NONE).then(|| self.functions.met(function))
    }
}

/// The estimate of a thread.
pub(super) struct Estimating<'a, 'b> {
    all: &'b mut Estimate<'a>,
    cursor: Cursor<'a>,
    debts: Debts,
    shown: Shown,
    /// Functions of a piece of time, outermost first.
    chain: Vec<u32>,
}

/// Whether a sample is of what the trace says.
enum Fit {
    /// So many innermost functions of it are switched off.
    Below(usize),
    /// They called the function of C that runs.
    AboveC,
    /// It never was so.
    Torn,
    No,
}

impl<'a, 'b> Estimating<'a, 'b> {
    pub(super) fn new(all: &'b mut Estimate<'a>, thread: u64) -> Estimating<'a, 'b> {
        let cursor = all.samples.of_thread(thread, all.zero);
        Estimating { all, cursor, debts: Debts::default(), shown: Shown::default(), chain: vec![] }
    }

    pub(super) fn process(&mut self) -> &mut Estimate<'a> {
        self.all
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.all.heap_bytes() + self.debts.heap_bytes()
    }

    /// Time goes on from `from` to `to`, with calls open; gives how much of it is in switched-off functions below.
    pub(super) fn stretch(
        &mut self,
        open: &[Open],
        (from, to): (i64, i64),
        canvas: &mut Canvas<'_>,
    ) -> i64 {
        let slack = self.all.samples.slack();
        let (mut at, mut moved) = (from, 0);
        let has_sample = |sample: &Sample| sample.at.saturating_sub(slack) < to;
        while let Some(sample) = self.cursor.peek().filter(has_sample) {
            let stack = self.all.stacks.of_node(sample.node);
            let is_over = sample.at.saturating_add(slack) < from;
            let fit = if is_over { Fit::No } else { self.fit(open, &sample, stack, canvas) };
            let (below, top) = match (fit, open.last()) {
                (Fit::Below(below), Some(top)) => (below, top),
                (Fit::AboveC, _) => {
                    self.all.doubts.in_c += 1;
                    self.cursor.pass();
                    continue;
                }
                (Fit::Torn, _) => {
                    self.all.doubts.torn += 1;
                    self.cursor.pass();
                    continue;
                }
                // The moment of the sample may be in the next stretch.
                _ if !is_over && sample.at.saturating_add(slack) >= to => break,
                _ => {
                    self.unfitting(&sample, stack);
                    self.cursor.pass();
                    continue;
                }
            };
            self.cursor.pass();
            self.all.fitting.push(sample.at);
            let begin = sample.begin.clamp(at, to);
            let end = sample.end.clamp(begin, to);
            moved += self.pay(top, (at, begin), canvas);
            at = end;
            if below == 0 {
                continue;
            }
            self.chain_of(stack, below);
            self.count();
            self.show(top, (begin, end), canvas);
            moved += end - begin;
            let rest = (sample.end - sample.begin).saturating_sub(end - begin);
            let below = (stack, below as u32);
            self.debts.owe((top.context, top.location), below, rest, to);
        }
        if let Some(top) = open.last() {
            moved += self.pay(top, (at, to), canvas);
        }
        self.shown.close(0, canvas);
        moved
    }

    /// What is left unpaid is told.
    pub(super) fn finish(self) {
        self.all.doubts.unpaid = self.all.doubts.unpaid.saturating_add(self.debts.owed());
    }

    fn fit(&self, open: &[Open], sample: &Sample, stack: u32, canvas: &Canvas<'_>) -> Fit {
        let is_off = |met: &Met| met.switched_off <= sample.at;
        let mut functions = self.all.stacks.functions(stack);
        let (mut below, mut outermost) = (0, None);
        let first = loop {
            let Some(function) = functions.next() else { return Fit::No };
            match self.all.met(function) {
                Some(met) if is_off(&met) => (below, outermost) = (below + 1, Some(met.location)),
                _ => break function,
            }
        };
        let mut python = open.iter().rev().filter(|open| !open.is_c && open.until > sample.at);
        if python.next().is_none_or(|open| open.function != first) {
            return Fit::No;
        }
        let Some(top) = open.last() else { return Fit::No };
        // Below one that is over by then the sample is of a later stretch.
        if !top.is_c && top.until <= sample.at {
            return Fit::No;
        }
        match outermost {
            // Samples see no functions of C: what such a one calls back was seen below it before.
            Some(outermost)
                if top.is_c && canvas.builder.contexts.find(top.context, outermost).is_none() =>
            {
                Fit::AboveC
            }
            _ if !self.is_known(stack, below) => Fit::Torn,
            _ => Fit::Below(below),
        }
    }

    /// Whether each of the innermost functions was called by the next one while that was traced.
    fn is_known(&self, stack: u32, below: usize) -> bool {
        let chain = self.all.stacks.functions(stack);
        let mut pairs = chain.clone().zip(chain.skip(1)).take(below);
        pairs.all(|(function, caller)| {
            let own = self.all.all.get(function as usize);
            let is_little_known = own.is_none_or(|own| own.calls < WELL_KNOWN);
            is_little_known || self.all.callers.contains(&(caller, function))
        })
    }

    fn unfitting(&mut self, sample: &Sample, stack: u32) {
        let innermost = self.all.stacks.functions(stack).next();
        let met = innermost.and_then(|function| self.all.met(function));
        if met.is_some_and(|met| met.switched_off <= sample.at) {
            self.all.doubts.unfitting += 1;
        }
    }

    /// Pays debts with what is left of a stretch.
    fn pay(&mut self, top: &Open, (from, to): (i64, i64), canvas: &mut Canvas<'_>) -> i64 {
        let mut at = from;
        while at < to
            && let Some(((stack, below), paid)) =
                self.debts.pay((top.context, top.location), to - at, to)
        {
            self.chain_of(stack, below as usize);
            self.show(top, (at, at + paid), canvas);
            at += paid;
        }
        at - from
    }

    fn chain_of(&mut self, stack: u32, below: usize) {
        self.chain.clear();
        self.chain.extend(self.all.stacks.functions(stack).take(below));
        self.chain.reverse();
    }

    /// A sample of the chain.
    fn count(&mut self) {
        self.of_each(|own| own.samples += 1);
    }

    fn show(&mut self, top: &Open, (from, to): (i64, i64), canvas: &mut Canvas<'_>) {
        if from < to {
            self.of_each(|own| own.time = own.time.saturating_add(to - from));
            let functions = self.all.functions;
            let place = |function: u32| functions.met(function).location;
            self.shown.piece(top.context, (&self.chain, place), (from, to), canvas);
        }
    }

    /// Once of each function, however often it is in the chain.
    fn of_each(&mut self, mut does: impl FnMut(&mut OfFunction)) {
        self.all.looked = self.all.looked.wrapping_add(1);
        for &function in &self.chain {
            if let Some(own) = self.all.all.get_mut(function as usize)
                && own.seen != self.all.looked
            {
                own.seen = self.all.looked;
                does(own);
            }
        }
    }
}
