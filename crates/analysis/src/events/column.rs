//! The values of an event, by place and time.

use std::ops::Range;

use super::EventSum;
use super::context_sums::Quick;

/// The samples that have some of a metric, by segment and time.
#[derive(Debug)]
pub(super) struct Column {
    /// By segment, where its entries begin; one more than segments.
    starts: Vec<u32>,
    /// When each was; `UNTIMED` of those that nobody knows, which come first.
    pub(super) times: Vec<i64>,
    values: Values,
    pub(super) contexts: Vec<u32>,
    samples: Counts,
    /// For how long counters were wanted and counted, where that is told.
    wanted: Vec<[i64; 2]>,
    /// By segment, all of it.
    pub(super) sums: Vec<EventSum>,
    pub(super) has_negative: bool,
}

/// Values as they are stored.
#[derive(Debug)]
enum Values {
    Narrow(Vec<u32>),
    Wide(Vec<i64>),
}

/// How many samples each entry is.
#[derive(Debug)]
enum Counts {
    Same(Option<u64>),
    Each(Vec<Option<u64>>),
}

/// A column whose entries come in the order of points.
pub(super) struct Filling {
    column: Column,
    /// By segment, where its next entry goes.
    next: Vec<u32>,
    /// By segment, whether its entries came by time.
    is_sorted: Vec<bool>,
    pushed: usize,
}

impl Filling {
    /// `counts` are those of the segments.
    pub(super) fn new<'a>(counts: impl Iterator<Item = &'a u32>) -> Filling {
        let mut starts = vec![0];
        for count in counts {
            starts.push(starts.last().map_or(0, |last| last + count));
        }
        let (segments, count) = (starts.len() - 1, starts[starts.len() - 1] as usize);
        let next = starts.clone();
        let column = Column {
            starts,
            times: vec![0; count],
            values: Values::Narrow(vec![0; count]),
            contexts: vec![0; count],
            samples: Counts::Same(None),
            wanted: vec![],
            sums: vec![EventSum::default(); segments],
            has_negative: false,
        };
        Filling { column, next, is_sorted: vec![true; segments], pushed: 0 }
    }

    pub(super) fn push(
        &mut self,
        segment: usize,
        (time, context): (i64, u32),
        value: i64,
        (samples, wanted): (Option<u64>, Option<[i64; 2]>),
    ) {
        let Filling { column, next, is_sorted, pushed } = self;
        let entry = next[segment] as usize;
        next[segment] += 1;
        let before = entry.checked_sub(1).filter(|_| entry > column.starts[segment] as usize);
        is_sorted[segment] &= before.is_none_or(|before| column.times[before] <= time);
        let count = column.times.len();
        column.sums[segment].add(value, samples, wanted);
        column.samples.set(entry, samples, (*pushed, count));
        *pushed += 1;
        column.times[entry] = time;
        column.contexts[entry] = context;
        column.has_negative |= value < 0;
        if let Some(wanted) = wanted {
            column.wanted.resize(count, [0; 2]);
            column.wanted[entry] = wanted;
        }
        match (&mut column.values, u32::try_from(value)) {
            (Values::Narrow(values), Ok(value)) => values[entry] = value,
            (Values::Narrow(values), Err(_)) => {
                let mut wide: Vec<i64> = values.iter().map(|&value| value.into()).collect();
                wide[entry] = value;
                column.values = Values::Wide(wide);
            }
            (Values::Wide(values), _) => values[entry] = value,
        }
    }

    pub(super) fn finish(self) -> Column {
        let Filling { mut column, is_sorted, .. } = self;
        for segment in (0..is_sorted.len()).filter(|&segment| !is_sorted[segment]) {
            column.sort(segment);
        }
        column
    }
}

impl Column {
    /// Brings the entries of a segment into the order of time.
    fn sort(&mut self, segment: usize) {
        let own = self.of_segment(segment);
        let mut order: Vec<usize> = own.clone().collect();
        order.sort_by_key(|&entry| self.times[entry]);
        fn put<T: Copy>(values: &mut [T], own: &Range<usize>, order: &[usize]) {
            let sorted: Vec<T> = order.iter().map(|&entry| values[entry]).collect();
            values[own.clone()].copy_from_slice(&sorted);
        }
        put(&mut self.times, &own, &order);
        put(&mut self.contexts, &own, &order);
        match &mut self.values {
            Values::Narrow(values) => put(values, &own, &order),
            Values::Wide(values) => put(values, &own, &order),
        }
        if let Counts::Each(samples) = &mut self.samples {
            put(samples, &own, &order);
        }
        if !self.wanted.is_empty() {
            put(&mut self.wanted, &own, &order);
        }
    }

    /// Adds entries that follow each other, of contexts that are kept, by context. None where they are not
    /// one sample each, or of large values.
    pub(super) fn add_quickly(
        &self,
        entries: Range<usize>,
        to: &mut [Quick],
        is_kept: impl Fn(u32) -> bool,
    ) -> Option<()> {
        let (Values::Narrow(values), Counts::Same(Some(1))) = (&self.values, &self.samples) else {
            return None;
        };
        if !self.wanted.is_empty() {
            return None;
        }
        for (&context, &value) in self.contexts[entries.clone()].iter().zip(&values[entries]) {
            if is_kept(context) {
                to[context as usize].add(value);
            }
        }
        Some(())
    }

    /// The entries of a segment.
    pub(super) fn of_segment(&self, segment: usize) -> Range<usize> {
        self.starts[segment] as usize..self.starts[segment + 1] as usize
    }

    #[inline]
    pub(super) fn value(&self, entry: usize) -> i64 {
        match &self.values {
            Values::Narrow(values) => values[entry].into(),
            Values::Wide(values) => values[entry],
        }
    }

    /// How many samples an entry is.
    #[inline]
    pub(super) fn samples(&self, entry: usize) -> Option<u64> {
        match &self.samples {
            Counts::Same(samples) => *samples,
            Counts::Each(samples) => samples[entry],
        }
    }

    /// Adds an entry to a sum.
    #[inline]
    pub(super) fn add(&self, entry: usize, to: &mut EventSum) {
        to.add(self.value(entry), self.samples(entry), self.wanted.get(entry).copied());
    }

    /// Adds entries that follow each other to a sum.
    pub(super) fn add_all(&self, entries: Range<usize>, to: &mut EventSum) {
        match (&self.values, &self.samples) {
            (Values::Narrow(values), Counts::Same(Some(samples @ 1..)))
                if self.wanted.is_empty() =>
            {
                let values = &values[entries];
                let mut sum = 0u64;
                let mut squares = [0.0; 4];
                for four in values.chunks(4) {
                    for (square, &value) in squares.iter_mut().zip(four) {
                        sum += u64::from(value);
                        *square += f64::from(value).powi(2);
                    }
                }
                let samples = *samples;
                let squares = squares.iter().sum::<f64>() / samples as f64;
                let value = i64::try_from(sum).unwrap_or(i64::MAX);
                let samples = samples * values.len() as u64;
                to.merge(&EventSum { value, samples, squares, ..EventSum::default() });
            }
            _ => entries.for_each(|entry| self.add(entry, to)),
        }
    }

    /// The first entry of some, which have times, that is not before a time.
    pub(super) fn place(&self, entries: &Range<usize>, time: i64) -> usize {
        let times = &self.times[entries.clone()];
        let [Some(&first), Some(&last)] = [times.first(), times.last()] else {
            return entries.start;
        };
        if time <= first {
            return entries.start;
        }
        if time > last {
            return entries.end;
        }
        // Samples mostly come evenly, and to look elsewhere is what takes time.
        let share = (time as f64 - first as f64) / (last as f64 - first as f64);
        let guess = ((share * times.len() as f64) as usize).min(times.len() - 1);
        let (mut low, mut high, mut step) = (guess, guess, 1);
        while low > 0 && times[low - 1] >= time {
            high = low;
            low = low.saturating_sub(step);
            step *= 2;
        }
        step = 1;
        while high < times.len() && times[high] < time {
            low = high + 1;
            high = (high + step).min(times.len());
            step *= 2;
        }
        entries.start + low + times[low..high].partition_point(|&one| one < time)
    }
}

impl Counts {
    /// Says how many samples an entry is; the other `pushed` ones of `count` say so already.
    #[inline]
    fn set(&mut self, entry: usize, samples: Option<u64>, (pushed, count): (usize, usize)) {
        match self {
            Counts::Same(same) if pushed == 0 => *same = samples,
            Counts::Same(same) if *same == samples => {}
            Counts::Same(same) => {
                let mut all = vec![*same; count];
                all[entry] = samples;
                *self = Counts::Each(all);
            }
            Counts::Each(all) => all[entry] = samples,
        }
    }
}
