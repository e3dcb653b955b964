//! Records become points: a metric for each event, and one that counts samples.

use profile::{Metric, MetricId, Point, Points, Profile, StringId};

use super::reading::{Record, ScriptParser};
use super::{FORMAT, sched};
use crate::Warnings;
use crate::time::schedule::ScheduleMetrics;
use crate::time::thread_tracks::ThreadTracks;

impl ScriptParser {
    pub(super) fn finish(mut self, warnings: &mut Warnings) -> Profile {
        self.skip_name(warnings);
        if self.records.is_empty() {
            warnings.add(crate::warnings::NO_SAMPLES, || "the file holds no samples".to_owned());
        }
        let mut builder = self.builder;
        let metrics = self
            .events
            .iter()
            .map(|event| metric_of(builder.strings.get(event.name), event.has_periods));
        let samples = Metric {
            name: "samples".to_owned(),
            unit: "count".to_owned(),
            decimals: 0,
            ..Metric::default()
        };
        let mut metrics: Vec<Metric> = metrics.chain([samples]).collect();
        let last = metrics.len() - 1;
        let events: Vec<StringId> = self.events.iter().map(|event| event.name).collect();
        let schedule = sched::schedule(&self.records, &events, &mut builder, warnings);
        let of_schedule = (!schedule.is_empty()).then(|| ScheduleMetrics::add(&mut metrics));
        builder.metrics = metrics;
        builder.points = Points::new(builder.metrics.len());

        let times = || self.records.iter().filter_map(|record| record.time);
        let first = times().min().unwrap_or(0);
        builder.origin.clock_ns = first;
        builder.origin.duration_ns = times().max().map_or(0, |last| last.saturating_sub(first));
        builder.origin.format = FORMAT.name.to_owned();
        if builder.origin.producer.is_empty() {
            builder.origin.producer = "perf".to_owned();
        }
        let most = self.events.iter().map(|event| event.samples).max();
        let leading = self.events.iter().position(|event| Some(event.samples) == most);
        builder.origin.default_metric = MetricId(leading.unwrap_or(0) as u32);

        let mut values = vec![0; builder.metrics.len()];
        for record in &self.records {
            values.fill(0);
            values[last] = 1;
            if let Some(event) = record.event {
                values[event as usize] = record.value;
            }
            let Record { context, labels, thread, cpu, time, .. } = *record;
            let time = time.map(|time| time.saturating_sub(first));
            let point = Point { context, labels, time, thread, cpu, ..Point::default() };
            builder.points.push_point(point, &values);
        }
        let mut tracks = ThreadTracks::make(&mut builder);
        for record in self.records.iter().filter(|record| record.trace != StringId::EMPTY) {
            let track = match (record.thread, record.cpu) {
                (Some(thread), _) => Some(tracks.of(thread, &mut builder)),
                (None, Some(cpu)) => tracks.of_processor(cpu),
                (None, None) => None,
            };
            if let Some(track) = track.filter(|_| record.time.is_some()) {
                sched::push_mark(record, &events, track, first, &mut builder);
            }
        }
        let known = schedule.push(of_schedule, first, &mut tracks, &mut builder, warnings);
        if let Some(metrics) = of_schedule {
            let mut keep = vec![true; builder.metrics.len()];
            metrics.leave_out(known, &mut keep);
            builder.points.keep_metrics(&keep);
            let mut kept = keep.iter();
            builder.metrics.retain(|_| kept.next() == Some(&true));
        }
        builder.finish()
    }
}

/// The metric of an event: clocks count nanoseconds, others what they are called by.
fn metric_of(event: &str, has_periods: bool) -> Metric {
    let base = event.split(':').next().unwrap_or_default();
    let is_clock = matches!(base, "cpu-clock" | "task-clock") && has_periods;
    let unit = if is_clock { "nanoseconds" } else { "count" };
    Metric { name: event.to_owned(), unit: unit.to_owned(), decimals: 0, ..Metric::default() }
}
