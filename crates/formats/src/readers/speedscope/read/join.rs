//! Series become metrics and points, frames become locations.

use hashbrown::HashMap;
use profile::{Metric, MetricId, Points, Profile, ThreadId, Timing};

use super::file::{File, Frame};
use super::group::{Group, Target, joins, metric_of, tell_units_apart};
use super::names::{InName, split_metric, thread_in};
use super::series::{Series, nanoseconds};
use crate::readers::speedscope::FORMAT;
use crate::readers::speedscope::format::EXPORTER;
use crate::time::spans::SpanPoints;
use crate::{ReadError, Warnings};

/// Says which metrics are how long their samples lasted.
fn tell_lengths(groups: &[Group], metrics: &mut [Metric]) {
    let mut is_length = vec![None; metrics.len()];
    for group in groups.iter().filter(|group| !group.series[0].evented) {
        for (row, (series, &metric)) in group.series.iter().zip(&group.metrics).enumerate() {
            let lasts = group.clocked() == Some(row) && series.values.iter().all(|&v| v >= 0);
            is_length[metric] = Some(is_length[metric] != Some(false) && lasts);
        }
    }
    for (metric, is_length) in metrics.iter_mut().zip(is_length) {
        if is_length == Some(true) {
            metric.timing = Timing::Length;
        }
    }
}

impl File {
    pub(super) fn finish(mut self, warnings: &mut Warnings) -> Result<Profile, ReadError> {
        self.push_locations(warnings);
        let active = self.active.and_then(|active| usize::try_from(active).ok());
        let active = active.filter(|&active| active < self.series.len());
        let is_ours = self.exporter == EXPORTER;
        let count = self.series.len();
        let (groups, active_group) = self.group_series(active, is_ours);
        let has_threads = groups.len() > 1;
        let has_calls = groups.iter().flatten().any(|series| series.evented);
        let mut metrics: Vec<Metric> = vec![];
        let mut placed: Vec<Group> = vec![];
        for group in groups {
            let mut group = Group { series: group, metrics: vec![], thread: None };
            let several = group.series.len() > 1;
            for series in &group.series {
                let metric = metric_of(series, several, is_ours);
                let same = |m: &Metric| m.name == metric.name && m.unit == metric.unit;
                let known = metrics.iter_mut().position(|known| same(known));
                let index = known.unwrap_or(metrics.len());
                match known {
                    Some(known) => {
                        let known = &mut metrics[known];
                        known.decimals = known.decimals.max(metric.decimals);
                    }
                    None => metrics.push(metric),
                }
                group.metrics.push(index);
            }
            if has_threads || thread_in(&group.series[0].name).is_some() {
                group.thread = Some(self.thread(&group.series[0].name));
            }
            placed.push(group);
        }
        tell_units_apart(&mut metrics);
        if !is_ours {
            tell_lengths(&placed, &mut metrics);
        }
        let default_metric = placed.get(active_group.0).map_or(0, |g| g.metrics[active_group.1]);
        if has_calls {
            metrics.push(Metric { timing: Timing::Begins, ..Metric::new("calls", "count") });
        }
        if metrics.is_empty() {
            metrics.push(Metric::new("weight", "count"));
            warnings.add("no profiles", || "the file holds no profiles".to_owned());
        }

        let builder = &mut self.builder;
        builder.points = Points::new(metrics.len());
        builder.metrics = metrics;
        let origin = &mut builder.origin;
        FORMAT.name.clone_into(&mut origin.format);
        origin.default_metric = MetricId(default_metric as u32);
        origin.default_metric_named = active.is_some() && builder.metrics.len() > 1;
        let names = [&self.name].into_iter().filter(|name| !name.is_empty());
        origin.comments = names.cloned().collect();
        if count == 1 {
            let only = &placed[0].series[0].name;
            if !only.is_empty() && *only != self.name {
                origin.comments.push(only.clone());
            }
        }
        origin.producer = self.exporter;
        // Times are counted from the earliest start.
        let timed = || placed.iter().flat_map(|group| &group.series).filter(|s| s.is_timed());
        let clock = if is_ours { 0 } else { timed().map(Series::start_ns).min().unwrap_or(0) };
        let end = timed().filter_map(|series| nanoseconds(series.end?, &series.unit)).max();
        origin.clock_ns = clock;
        origin.duration_ns = end.filter(|_| !is_ours).map_or(0, |end| end.saturating_sub(clock));
        let (points, processes) = (SpanPoints::default(), HashMap::new());
        let mut target = Target { builder, clock, untimed: is_ours, points, processes };
        for group in placed {
            group.push_points(&mut target, warnings);
        }
        Ok(self.builder.finish())
    }

    /// Series whose stacks are the same ones, and where in them the active one is.
    fn group_series(
        &mut self,
        active: Option<usize>,
        is_ours: bool,
    ) -> (Vec<Vec<Series>>, (usize, usize)) {
        let mut groups: Vec<Vec<Series>> = vec![];
        let mut active_group = (0, 0);
        for (row, series) in std::mem::take(&mut self.series).into_iter().enumerate() {
            match groups.last_mut().filter(|group| joins(group, &series, is_ours)) {
                Some(group) => group.push(series),
                None => groups.push(vec![series]),
            }
            if active == Some(row) {
                active_group = (groups.len() - 1, groups[groups.len() - 1].len() - 1);
            }
        }
        (groups, active_group)
    }

    /// Makes the locations that stacks name already.
    fn push_locations(&mut self, warnings: &mut Warnings) {
        for &id in self.used.ids() {
            let frame = usize::try_from(id).ok().and_then(|id| self.frames.get(id));
            let missing = frame.is_none();
            let Frame { name, file, line, column } = frame.copied().unwrap_or_default();
            if missing {
                warnings.add("frames", || format!("frame {id} is not in the table of frames"));
            }
            let builder = &mut self.builder;
            let name =
                if missing { format!("frame {id}") } else { builder.strings.get(name).to_owned() };
            let file = builder.strings.get(file).to_owned();
            let named = !(name.is_empty() && file.is_empty());
            let function = named.then(|| builder.function(&name, &file, 0));
            builder.push_location(profile::Location::default(), &[(function, line, column)]);
        }
    }

    fn thread(&mut self, name: &str) -> ThreadId {
        match thread_in(name) {
            Some(InName { process, thread, name }) => {
                let process = process.map(|id| self.builder.process(id));
                let thread = self.builder.thread(process, thread);
                self.builder.threads[thread.index()].name = self.builder.strings.intern(name);
                thread
            }
            None => {
                let name = split_metric(name).map_or(name, |(_, thread)| thread);
                self.builder.thread(None, name)
            }
        }
    }
}
