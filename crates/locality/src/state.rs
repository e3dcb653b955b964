//! Stack distances as they are counted, and whether they repeat.

use crate::histogram::Histogram;
use crate::stack::LruStack;
use crate::walk::{Repeating, Touch};
use crate::warp::{Moves, Repeats};

/// What a simulation of distances has.
pub(crate) struct State {
    pub(crate) stack: LruStack,
    /// A bit a line: whether it was touched.
    touched: Vec<u64>,
    /// By reference.
    pub(crate) histograms: Vec<Histogram>,
    /// Touches that were simulated.
    pub(crate) simulated: u64,
}

/// What a touch met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Touched {
    /// Whether it was the first of its line.
    pub(crate) is_new: bool,
    /// How many other lines were touched since; none if that is further than is followed.
    pub(crate) distance: Option<u64>,
}

/// What there was when a period began, and which lines were touched since.
pub(crate) struct Saved {
    lines: Vec<u32>,
    histograms: Vec<Histogram>,
    /// Lines that were touched since, once each, and whether they were new.
    seen: Vec<(u32, bool)>,
    /// A bit a line of those.
    marks: Vec<u64>,
}

impl Saved {
    pub(crate) fn mark(&mut self, line: u32, is_new: bool) {
        let (word, bit) = (line as usize / 64, 1u64 << (line % 64));
        if self.marks[word] & bit == 0 {
            self.marks[word] |= bit;
            self.seen.push((line, is_new));
        }
    }
}

impl State {
    pub(crate) fn new(lines: usize, depth: usize, references: usize) -> State {
        State {
            stack: LruStack::new(lines, depth),
            touched: vec![0; lines.div_ceil(64)],
            histograms: vec![Histogram::default(); references],
            simulated: 0,
        }
    }

    /// The same for lines that are added one by one.
    pub(crate) fn growing(depth: usize, references: usize) -> State {
        State { stack: LruStack::growing(depth), ..State::new(0, 1, references) }
    }

    /// One more line, of the next number.
    pub(crate) fn add_line(&mut self) {
        self.stack.add_line();
        self.touched.resize(self.stack.lines_known().div_ceil(64), 0);
    }

    /// Counts a touch.
    pub(crate) fn touch(&mut self, Touch { reference, line }: Touch) -> Touched {
        let histogram = &mut self.histograms[reference as usize];
        if let Some(distance) = self.stack.touch(line) {
            histogram.add(distance, 1);
            return Touched { is_new: false, distance: Some(distance) };
        }
        let (word, bit) = (line as usize / 64, 1u64 << (line % 64));
        let is_new = self.touched[word] & bit == 0;
        self.touched[word] |= bit;
        if is_new {
            histogram.cold += 1;
        } else {
            histogram.far += 1;
        }
        Touched { is_new, distance: None }
    }
}

impl Repeats for State {
    type Saved = Saved;

    fn save(&self) -> Saved {
        Saved {
            lines: self.stack.lines().collect(),
            histograms: self.histograms.clone(),
            seen: vec![],
            marks: vec![0; self.touched.len()],
        }
    }

    fn size(&self) -> u64 {
        self.stack.len() as u64
    }

    fn simulated(&self) -> u64 {
        self.simulated
    }

    fn multiple(&self, _: &Repeating) -> u64 {
        1
    }

    fn skip(
        &mut self,
        by: &Moves<'_>,
        saved: &Saved,
        periods: u64,
        around: &mut [&mut Saved],
    ) -> u64 {
        let now: Vec<u32> = self.stack.lines().collect();
        let is_moved = |(&old, &new): (&u32, &u32)| i64::from(old) + by.of(old) == i64::from(new);
        if now.len() != saved.lines.len() || !saved.lines.iter().zip(&now).all(is_moved) {
            return 0;
        }
        // The stack does not tell what was ever touched: so lines are gone through for each period that is
        // skipped, whether those are new that ought to be. What does not move was touched and stays so.
        let moving: Vec<(u32, i64, bool)> = saved
            .seen
            .iter()
            .map(|&(line, is_new)| (line, by.of(line), is_new))
            .filter(|(_, by, is_new)| *by != 0 || *is_new)
            .collect();
        let mut skipped = 0;
        while skipped < periods {
            let to = |&(line, by, is_new): &(u32, i64, bool)| {
                ((i64::from(line) + by * (skipped as i64 + 1)) as usize, is_new)
            };
            let is_as_before = moving.iter().map(to).all(|(line, is_new)| {
                self.touched[line / 64] >> (line % 64) & 1 == u64::from(!is_new)
            });
            if !is_as_before {
                break;
            }
            for (line, is_new) in moving.iter().map(to) {
                self.touched[line / 64] |= 1 << (line % 64);
                for saved in around.iter_mut() {
                    saved.mark(line as u32, is_new);
                }
            }
            skipped += 1;
        }
        if skipped > 0 {
            for (own, before) in self.histograms.iter_mut().zip(&saved.histograms) {
                own.repeat(before, skipped);
            }
            let to = |&line: &u32| (i64::from(line) + by.of(line) * skipped as i64) as u32;
            self.stack.restore(&now.iter().map(to).collect::<Vec<u32>>());
        }
        skipped
    }
}
