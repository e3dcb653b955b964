//! The begins and ends of a track's spans in an order in which each span stands in the one that its
//! context says, for writers.
//!
//! ```text
//! spans by begin   main 0-10, run 10-20, stop 10-10      written   begin main   0
//!                  (stop is called by main)                        begin stop  10, end stop
//!                                                                  end main    10, begin run
//! ```
//! Spans that overlap stand on lines of their own, where a track may have several.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use hashbrown::{HashMap, HashSet};
use profile::{ContextId, Profile, Span, TrackId};

use crate::WriteError;

/// What a span stands in or is: a context, of an operation where several are on a track.
type Place = (u32, ContextId);

/// In nothing.
const NOWHERE: Place = (0, ContextId::ROOT);

/// A begin or an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// A span begins on a line.
    Begin {
        /// Its row.
        row: usize,
        /// Its line, from 0 on.
        line: u64,
    },
    /// A span ends on its line.
    End {
        /// Its row.
        row: usize,
        /// Its line.
        line: u64,
    },
}

/// Whether spans of a track stand in each other as their times alone say: each in the last that began
/// before it and ends behind it, and not where one just ends.
pub(crate) fn is_plain(profile: &Profile, track: TrackId) -> bool {
    let spans = &profile.timeline.spans;
    let mut open: Vec<(i64, ContextId)> = vec![];
    spans.of_track(track).map(|row| spans.get(row)).all(|span| {
        while open.last().is_some_and(|&(end, _)| end <= span.begin) {
            open.pop();
        }
        let context = context_of(profile, span);
        let around = open.last().map_or(ContextId::ROOT, |&(_, context)| context);
        let fits = open.last().is_none_or(|&(end, _)| span.end() <= end);
        open.push((span.end(), context));
        fits && caller(profile, context) == around
    })
}

/// Calls `each` with all begins and ends of a track, by time; how many spans do not stand in the one
/// that their context says. With `overlapping` there are as many lines as it takes, else one.
pub(crate) fn steps(
    profile: &Profile,
    track: TrackId,
    overlapping: bool,
    each: &mut dyn FnMut(Step, i64) -> Result<(), WriteError>,
) -> Result<u64, WriteError> {
    let mut sweep = Sweep {
        profile,
        overlapping,
        each,
        lines: HashMap::new(),
        next_line: 0,
        ends: BinaryHeap::new(),
        tops: HashMap::new(),
        put_off: BTreeMap::new(),
        serial: 0,
        misplaced: 0,
    };
    let spans = &profile.timeline.spans;
    let mut rows = spans.of_track(track).peekable();
    while let Some(&first) = rows.peek() {
        let now = spans.begin(first);
        sweep.end_until(|end| end < now)?;
        let (mut longer, mut instants) = (vec![], vec![]);
        while let Some(row) = rows.next_if(|&row| spans.begin(row) == now) {
            if spans.length(row) == 0 { instants.push(row) } else { longer.push(row) }
        }
        sweep.put_off(instants);
        // What takes no time stands in what its context says, be it in what ends now.
        for place in sweep.put_off.keys().copied().collect::<Vec<_>>() {
            if let Some(line) = sweep.line_in(place, now) {
                sweep.instants(place, line, now)?;
            }
        }
        sweep.end_until(|end| end <= now)?;
        let is_free = overlapping || sweep.lines.is_empty();
        if is_free && sweep.put_off.contains_key(&NOWHERE) {
            let line = sweep.free_line();
            sweep.instants(NOWHERE, line, now)?;
        }
        for row in longer {
            sweep.begin(row)?;
        }
        for place in sweep.put_off.keys().copied().collect::<Vec<_>>() {
            let line = sweep.free_line();
            sweep.misplaced += sweep.instants(place, line, now)?;
        }
    }
    sweep.end_until(|_| true)?;
    Ok(sweep.misplaced)
}

/// Whether no span of a track ends behind one that it begins in.
pub(crate) fn nests(profile: &Profile, track: TrackId) -> bool {
    let spans = &profile.timeline.spans;
    let mut ends: Vec<i64> = vec![];
    spans.of_track(track).map(|row| spans.get(row)).all(|span| {
        while ends.last().is_some_and(|&end| end <= span.begin) {
            ends.pop();
        }
        let fits = ends.last().is_none_or(|&end| span.end() <= end);
        ends.push(span.end());
        fits
    })
}

struct Sweep<'a> {
    profile: &'a Profile,
    overlapping: bool,
    each: &'a mut dyn FnMut(Step, i64) -> Result<(), WriteError>,
    /// What is open on each line that has anything.
    lines: HashMap<u64, Line>,
    next_line: u64,
    /// When what is open ends, what began last first, and where it is.
    ends: BinaryHeap<Reverse<(i64, Reverse<u64>, usize, u64)>>,
    /// Lines by the place that is innermost on them, with its end.
    tops: HashMap<Place, BTreeSet<(i64, u64)>>,
    /// Spans that take no time and begin now, by the place that they are called in; each is followed
    /// by those inside it.
    put_off: BTreeMap<Place, Vec<usize>>,
    serial: u64,
    misplaced: u64,
}

#[derive(Default)]
struct Line {
    /// Rows, innermost last.
    open: Vec<usize>,
    /// Those of them that ended below others.
    ended: HashSet<usize>,
}

impl Sweep<'_> {
    fn span(&self, row: usize) -> Span {
        self.profile.timeline.spans.get(row)
    }

    /// What a span is for those inside it.
    fn place(&self, row: usize) -> Place {
        let span = self.span(row);
        place(span.operation, context_of(self.profile, span))
    }

    /// What its context says that a span is in.
    fn around(&self, row: usize) -> Place {
        let span = self.span(row);
        place(span.operation, caller(self.profile, context_of(self.profile, span)))
    }

    /// The line whose innermost span is a place and ends no earlier than `end`, but soonest.
    fn line_in(&self, place: Place, end: i64) -> Option<u64> {
        self.tops.get(&place)?.range((end, 0)..).next().map(|&(_, line)| line)
    }

    /// Whether what stands for a place may be a span that never ends, or another one. The former end last.
    fn is_unsure(&self, place: Place, end: i64) -> bool {
        let is_unfinished = |(_, line): &(i64, u64)| {
            let innermost = self.lines.get(line).and_then(|line| line.open.last());
            innermost.is_some_and(|&row| self.profile.timeline.spans.is_unfinished(row))
        };
        let all = self.tops.get(&place);
        let mut all = all.into_iter().flat_map(|all| all.range((end, 0)..));
        let first = all.next().is_some_and(is_unfinished);
        all.next_back().is_some_and(|last| is_unfinished(last) != first)
    }

    /// The place and the end of what is innermost on a line.
    fn top(&self, line: u64) -> Option<(Place, (i64, u64))> {
        let &row = self.lines.get(&line)?.open.last()?;
        Some((self.place(row), (self.span(row).end(), line)))
    }

    /// The line that a span belongs on, and whether its context says so.
    fn line_of(&mut self, row: usize) -> (u64, bool) {
        let around = self.around(row);
        let end = self.span(row).end();
        let inside = if around == NOWHERE { None } else { self.line_in(around, end) };
        let fits = around == NOWHERE || inside.is_some() && !self.is_unsure(around, end);
        if !self.overlapping {
            let is_open = self.lines.contains_key(&0);
            return (0, inside.is_some() || (around == NOWHERE && !is_open));
        }
        (inside.unwrap_or_else(|| self.free_line()), fits)
    }

    /// A line on which nothing is open; the only one there is, where there is one.
    fn free_line(&mut self) -> u64 {
        self.next_line += u64::from(self.overlapping);
        self.next_line
    }

    fn begin(&mut self, row: usize) -> Result<(), WriteError> {
        let (line, fits) = self.line_of(row);
        self.misplaced += u64::from(!fits);
        self.push(row, line)?;
        self.serial += 1;
        let Span { begin, .. } = self.span(row);
        self.ends.push(Reverse((self.span(row).end(), Reverse(self.serial), row, line)));
        self.exposed(line, begin)
    }

    /// Keeps spans that take no time until what they stand in is innermost.
    fn put_off(&mut self, rows: Vec<usize>) {
        let (mut chain, mut of) = (vec![], NOWHERE);
        for row in rows {
            let around = self.around(row);
            while chain.last().is_some_and(|&inner| inner != around) {
                chain.pop();
            }
            if chain.is_empty() {
                of = around;
            }
            chain.push(self.place(row));
            self.put_off.entry(of).or_default().push(row);
        }
    }

    /// Lets those that are called in a place happen on a line; how many these are, without what is
    /// inside them.
    fn instants(&mut self, of: Place, line: u64, now: i64) -> Result<u64, WriteError> {
        let rows = self.put_off.remove(&of).unwrap_or_default();
        let (mut chain, mut count) = (vec![], 0);
        for row in rows {
            let around = self.around(row);
            count += u64::from(around == of);
            while let Some(inner) = chain.pop_if(|inner| self.place(*inner) != around) {
                self.pop(inner, line, now)?;
            }
            self.push(row, line)?;
            chain.push(row);
        }
        while let Some(row) = chain.pop() {
            self.pop(row, line, now)?;
        }
        Ok(count)
    }

    /// Lets those happen that stand in what is innermost on a line now.
    fn exposed(&mut self, line: u64, now: i64) -> Result<(), WriteError> {
        if !self.put_off.is_empty()
            && let Some((place, _)) = self.top(line)
        {
            self.instants(place, line, now)?;
        }
        Ok(())
    }

    fn end_until(&mut self, is_over: impl Fn(i64) -> bool) -> Result<(), WriteError> {
        while let Some(&Reverse((end, _, row, line))) = self.ends.peek()
            && is_over(end)
        {
            self.ends.pop();
            self.pop(row, line, end)?;
            self.exposed(line, end)?;
        }
        Ok(())
    }

    fn push(&mut self, row: usize, line: u64) -> Result<(), WriteError> {
        self.change(line, |line| line.open.push(row));
        let begin = self.profile.timeline.spans.begin(row);
        (self.each)(Step::Begin { row, line }, begin)
    }

    fn pop(&mut self, row: usize, line: u64, now: i64) -> Result<(), WriteError> {
        self.change(line, |line| {
            if line.open.last() == Some(&row) {
                line.open.pop();
            } else {
                line.ended.insert(row);
            }
            while let Some(below) = line.open.last()
                && line.ended.remove(below)
            {
                line.open.pop();
            }
        });
        (self.each)(Step::End { row, line }, now)
    }

    /// Changes what is open on a line.
    fn change(&mut self, line: u64, change: impl FnOnce(&mut Line)) {
        let before = self.top(line);
        let changed = self.lines.entry(line).or_default();
        change(changed);
        if changed.open.is_empty() {
            self.lines.remove(&line);
        }
        if let Some((of, end)) = before
            && let Some(lines) = self.tops.get_mut(&of)
        {
            lines.remove(&end);
            if lines.is_empty() {
                self.tops.remove(&of);
            }
        }
        if let Some((of, end)) = self.top(line) {
            self.tops.entry(of).or_default().insert(end);
        }
    }
}

fn context_of(profile: &Profile, span: Span) -> ContextId {
    profile.points.context[span.point.index()]
}

/// The place of a context in an operation.
fn place(operation: u32, context: ContextId) -> Place {
    if context == ContextId::ROOT { NOWHERE } else { (operation, context) }
}

/// The context that a context is called in.
fn caller(profile: &Profile, context: ContextId) -> ContextId {
    profile.contexts.parent(context).unwrap_or(ContextId::ROOT)
}
