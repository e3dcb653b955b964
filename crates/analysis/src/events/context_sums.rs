//! What contexts have of events, added up once for all that is asked of functions.

use std::sync::{Arc, PoisonError};

use profile::MetricId;
use work::parts;

use super::EventSum;
use super::index::{EventIndex, Source};

/// More sums take too much memory.
const MOST_SUMS: usize = 1 << 20;

/// By member, then context, then event of the index.
#[derive(Debug)]
pub(super) struct ContextSums {
    sums: Vec<EventSum>,
    contexts: usize,
    events: Vec<MetricId>,
}

/// Samples of a context, small so that those of many contexts stay at hand.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Quick {
    value: u64,
    samples: u64,
    squares: f64,
}

impl Quick {
    /// Adds one sample.
    #[inline]
    pub(super) fn add(&mut self, value: u32) {
        self.value += u64::from(value);
        self.samples += 1;
        self.squares += f64::from(value).powi(2);
    }

    fn add_to(self, to: &mut EventSum) {
        let Quick { value, samples, squares } = self;
        let value = i64::try_from(value).unwrap_or(i64::MAX);
        to.merge(&EventSum { value, samples, squares, ..EventSum::NOTHING });
    }
}

impl ContextSums {
    /// Of the samples that stand in the index; none where they are too many, or one of the metrics is no
    /// event of the index. Those of the last filters are kept.
    pub(super) fn new(source: &Source<'_>, metrics: &[MetricId]) -> Option<Arc<ContextSums>> {
        let index = source.index()?;
        if !metrics.iter().all(|metric| index.events.contains(metric)) {
            return None;
        }
        let key = source.filtered().filters();
        let known = || index.of_contexts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, sums)) = &*known()
            && *of == key
        {
            return Some(sums.clone());
        }
        let sums = Arc::new(ContextSums::added(source, index)?);
        *known() = Some((key, sums.clone()));
        Some(sums)
    }

    fn added(source: &Source<'_>, index: &EventIndex) -> Option<ContextSums> {
        let profile = source.filtered().profile();
        let (contexts, events) = (profile.contexts.len(), index.events.clone());
        let count =
            profile.members.len().max(1).checked_mul(contexts)?.checked_mul(events.len())?;
        if count > MOST_SUMS {
            return None;
        }
        let segments = source.segments();
        let mut all = parts(segments.len(), source.weight(&events), |range| {
            let mut sums = vec![EventSum::default(); count];
            let mut quick = vec![Quick::default(); contexts];
            for run in segments[range].chunk_by(|a, b| a.place.member == b.place.member) {
                let own = run[0].place.member.index() * contexts * events.len();
                for (number, &metric) in events.iter().enumerate() {
                    let column = index.column(metric);
                    let is_quick = run.iter().all(|kept| kept.add_quickly(column, &mut quick));
                    for (context, quick) in quick.iter_mut().enumerate() {
                        let quick = std::mem::take(quick);
                        if is_quick {
                            quick.add_to(&mut sums[own + context * events.len() + number]);
                        }
                    }
                    if !is_quick {
                        let add = |entry: usize| {
                            let context = column.contexts[entry] as usize;
                            column.add(entry, &mut sums[own + context * events.len() + number]);
                        };
                        let mut add = add;
                        run.iter().for_each(|kept| kept.each(column, &mut add));
                    }
                }
            }
            sums
        });
        let mut sums = all.pop()?;
        for others in all {
            sums.iter_mut().zip(&others).for_each(|(to, sum)| to.merge(sum));
        }
        Some(ContextSums { sums, contexts, events })
    }

    pub(super) fn contexts(&self) -> usize {
        self.contexts
    }

    /// What a member has in a context of a metric.
    pub(super) fn get(&self, member: usize, context: usize, metric: MetricId) -> &EventSum {
        const NOTHING: &EventSum = &EventSum::NOTHING;
        let Some(number) = self.events.iter().position(|&event| event == metric) else {
            return NOTHING;
        };
        &self.sums[(member * self.contexts + context) * self.events.len() + number]
    }
}
