//! Records become points: which metrics there are, and what is not shown.

use profile::{Metric, MetricId, Point, Points, Profile, ProfileBuilder, Timing};

use super::events::{DURATION, MEASURES, MOST_MEASURES, Record};
use super::format::JfrParser;
use super::{FORMAT, timeline};
use crate::Warnings;

impl JfrParser {
    pub(super) fn finish(mut self, warnings: &mut Warnings) -> Profile {
        let mut builder = std::mem::take(&mut self.builder);
        self.records.sort_by_key(|record| record.time);
        let columns = self.add_metrics(&mut builder);
        let has_stacks = self.kinds.iter().any(|kind| kind.with_stack > 0);
        let of_spans = timeline::add_metrics(&self.happenings, &mut builder);
        builder.points = Points::new(builder.metrics.len());
        let mut timed = vec![false; builder.threads.len()];
        let mut values = vec![0; builder.metrics.len()];
        for record in std::mem::take(&mut self.records) {
            let places = columns[record.kind as usize];
            if places[0].is_none() {
                continue;
            }
            values.fill(0);
            let found = std::iter::once(record.count).chain(record.measures);
            for (place, value) in places.into_iter().zip(found) {
                if let Some(place) = place {
                    values[place] = value;
                }
            }
            let Record { time, context, labels, thread, .. } = record;
            if let Some(thread) = thread {
                timed[thread.index()] = true;
            }
            let point = Point { context, labels, time: Some(time), thread, ..Point::default() };
            builder.points.push_point(point, &values);
        }
        const FIRST: [&str; 5] = [
            ".ExecutionSample",
            ".CPUTimeSample",
            ".WallClockSample",
            ".ObjectAllocationSample weight",
            ".ObjectAllocationInNewTLAB tlabSize",
        ];
        let ends =
            |ending: &str| builder.metrics.iter().position(|metric| metric.name.ends_with(ending));
        builder.origin.default_metric =
            MetricId(FIRST.into_iter().find_map(ends).unwrap_or(0) as u32);
        builder.origin.format = FORMAT.name.to_owned();
        if builder.origin.producer.is_empty() {
            builder.origin.producer = "Java Flight Recorder".to_owned();
        }
        builder.origin.time_ns = self.start.unwrap_or(0);
        builder.origin.duration_ns = self.end.saturating_sub(builder.origin.time_ns).max(0);
        timeline::push(
            std::mem::take(&mut self.happenings),
            &timed,
            of_spans,
            &mut builder,
            warnings,
        );
        if !has_stacks {
            warnings.add("no events", || "the file holds no events with stacks".to_owned());
        }
        self.tell_left_out(warnings);
        builder.finish()
    }

    /// By kind, the columns of its count and its measures. What never occurred takes none.
    fn add_metrics(
        &mut self,
        builder: &mut ProfileBuilder,
    ) -> Vec<[Option<usize>; 1 + MOST_MEASURES]> {
        let mut columns = vec![];
        for kind in &self.kinds {
            let mut metric = |name: String, unit: &str, timing: Timing| {
                builder.metrics.push(Metric { timing, ..Metric::new(name, unit) });
                builder.metrics.len() - 1
            };
            let mut places = [None; 1 + MOST_MEASURES];
            // Without a stack they count all the same: recordings may have none at all.
            if kind.events > 0 {
                // What lasts is counted where it begins.
                let lasts = kind.measures.contains(&DURATION);
                let timing = if lasts { Timing::Begins } else { Timing::Instant };
                places[0] = Some(metric(kind.name.clone(), "count", timing));
                for (at, &index) in kind.measures.iter().enumerate() {
                    let (field, unit) = *MEASURES.get(index).unwrap_or(&("size", "bytes"));
                    let name = || format!("{} {field}", kind.name);
                    let timing = if index == DURATION { Timing::Length } else { Timing::Instant };
                    places[at + 1] = kind.measured[at].then(|| metric(name(), unit, timing));
                }
                self.without_stack += kind.events - kind.with_stack;
            }
            columns.push(places);
        }
        columns
    }

    fn tell_left_out(&self, warnings: &mut Warnings) {
        let count: u64 = self.others.values().sum();
        if count > 0 {
            let names: Vec<_> = self.others.keys().map(String::as_str).collect();
            warnings.add_many("others", count, || {
                let (some, more) = names.split_at(names.len().min(8));
                let more = if more.is_empty() {
                    String::new()
                } else {
                    format!(" and {} more kinds", more.len())
                };
                format!("events without a time are not shown: {}{more}", some.join(", "))
            });
        }
        if self.truncated > 0 {
            warnings.add_many("truncated", self.truncated, || {
                "stacks are deeper than was recorded, they lack their outermost frames".to_owned()
            });
        }
        if self.without_stack > 0 {
            warnings.add_many("no stack", self.without_stack, || "events have no stack".to_owned());
        }
    }
}
