//! What must hold of every profile, stated once.

use crate::{
    ContextId, Fact, FrameId, LabelSetId, LabelValue, LocationId, Profile, StringId, Timeline,
    TrackId,
};

/// A broken invariant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Table and row.
    pub place: String,
    /// What does not hold.
    pub rule: &'static str,
}

impl Profile {
    /// Every broken invariant; none for a sound profile.
    pub fn check(&self) -> Vec<Violation> {
        let mut found = Vec::new();
        let mut require = |holds: bool, table: &str, row: usize, rule: &'static str| {
            if !holds {
                found.push(Violation { place: format!("{table}[{row}]"), rule });
            }
        };
        require(self.text(StringId::EMPTY).is_empty(), "strings", 0, "the first string is empty");
        self.check_code(&mut require);
        self.check_contexts(&mut require);
        self.check_places(&mut require);
        self.check_members(&mut require);
        self.check_metrics(&mut require);
        self.check_function_totals(&mut require);
        self.check_notes(&mut require);
        self.check_points(&mut require);
        self.check_timeline(&mut require);
        found
    }

    fn has_string(&self, id: StringId) -> bool {
        id.index() < self.strings.len()
    }

    fn check_code(&self, require: &mut impl FnMut(bool, &str, usize, &'static str)) {
        let has_string = |id| self.has_string(id);
        for (row, module) in self.modules.iter().enumerate() {
            let sound = has_string(module.name) && has_string(module.build_id);
            require(sound, "modules", row, "strings exist");
        }
        let functions = &self.functions;
        for row in 0..functions.len() {
            let texts = [functions.name[row], functions.system_name[row], functions.file[row]];
            require(texts.into_iter().all(has_string), "functions", row, "strings exist");
        }
        for row in 0..self.locations.len() {
            let location = LocationId(row as u32);
            let frames = self.locations.frames(location);
            require(!frames.is_empty(), "locations", row, "a location has at least one frame");
            let known =
                self.locations.module(location).is_none_or(|m| m.index() < self.modules.len());
            require(known, "locations", row, "the module exists");
            let instruction = self.locations.instruction(location);
            require(has_string(instruction), "locations", row, "strings exist");
            let own =
                frames.clone().all(|f| self.frames.location.get(f as usize) == Some(&location));
            require(own, "locations", row, "frames name their location");
        }
        for row in 0..self.frames.len() {
            let function = self.frames.function(FrameId(row as u32));
            let known = function.is_none_or(|f| f.index() < functions.len());
            require(known, "frames", row, "the function exists");
        }
    }

    fn check_contexts(&self, require: &mut impl FnMut(bool, &str, usize, &'static str)) {
        let count = self.contexts.len() as u32;
        let mut open = vec![];
        for index in 0..count {
            let (row, context) = (index as usize, ContextId(index));
            let end = self.contexts.end(context);
            while open.last().is_some_and(|&(_, end)| end <= index) {
                open.pop();
            }
            let enclosing = open.last().copied();
            require(
                self.contexts.parent(context).map(|p| p.0) == enclosing.map(|(p, _)| p),
                "contexts",
                row,
                "preorder: the parent is the innermost context that is still open",
            );
            let limit = enclosing.map_or(count, |(_, end)| end);
            require(
                end > index && end <= limit,
                "contexts",
                row,
                "descendants end inside the parent's",
            );
            let location = self.contexts.location(context);
            require(
                if index == 0 {
                    location.is_none()
                } else {
                    location.is_some_and(|l| l.index() < self.locations.len())
                },
                "contexts",
                row,
                "the location exists; the root has none",
            );
            open.push((index, end));
        }
        require(self.contexts.end(ContextId::ROOT) == count, "contexts", 0, "the root holds all");
    }

    fn check_places(&self, require: &mut impl FnMut(bool, &str, usize, &'static str)) {
        let has_string = |id| self.has_string(id);
        for (row, label) in self.label_sets.all_labels().enumerate() {
            let value = match label.value {
                LabelValue::Text(text) => text,
                LabelValue::Number(_, unit) => unit,
            };
            require(has_string(label.key) && has_string(value), "labels", row, "strings exist");
        }
        for (row, process) in self.processes.iter().enumerate() {
            let known = has_string(process.id) && has_string(process.name);
            require(known, "processes", row, "strings exist");
        }
        for (row, thread) in self.threads.iter().enumerate() {
            let known = has_string(thread.id) && has_string(thread.name);
            require(known, "threads", row, "strings exist");
            let process = thread.process.is_none_or(|p| p.index() < self.processes.len());
            require(process, "threads", row, "the process exists");
        }
    }

    fn check_members(&self, require: &mut impl FnMut(bool, &str, usize, &'static str)) {
        let has_string = |id| self.has_string(id);
        for (row, member) in self.members.iter().enumerate() {
            let known = member.machine.is_none_or(|m| m.index() < self.machines.len());
            require(known, "members", row, "the machine exists");
            let texts = member.facts.iter().flat_map(Fact::strings);
            require(texts.into_iter().all(has_string), "members", row, "strings exist");
            let mut names: Vec<_> = member.facts.iter().map(|fact| fact.name).collect();
            names.sort_unstable();
            let is_once = names.windows(2).all(|pair| pair[0] != pair[1]);
            require(is_once, "members", row, "facts have different names");
        }
        for (row, machine) in self.machines.iter().enumerate() {
            let sorted = machine.cpus.is_sorted_by(|a, b| a.number < b.number);
            require(sorted, "machines", row, "processors are in the order of their numbers");
        }
        for (row, &role) in self.roles.iter().enumerate() {
            require(has_string(role), "roles", row, "strings exist");
        }
    }

    fn check_metrics(&self, require: &mut impl FnMut(bool, &str, usize, &'static str)) {
        let points = &self.points;
        let values = points.len() * self.metrics.len();
        require(points.value_count() == values, "points", 0, "one value a metric");
        require(
            self.metrics.is_empty() || self.origin.default_metric.index() < self.metrics.len(),
            "metrics",
            self.origin.default_metric.index(),
            "the default metric exists",
        );
        for (row, metric) in self.metrics.iter().enumerate() {
            let known =
                metric.combining.weight.is_none_or(|weight| weight.index() < self.metrics.len());
            require(known, "metrics", row, "the metric that weights its mean exists");
        }
    }

    fn check_function_totals(&self, require: &mut impl FnMut(bool, &str, usize, &'static str)) {
        let totals = &self.function_totals;
        let columns = totals.metrics.iter().all(|metric| metric.index() < self.metrics.len());
        require(columns, "function_totals", 0, "metrics with stored totals exist");
        let values = totals.len() * totals.metrics.len();
        let sizes = totals.member.len() == totals.len() && totals.values.len() == values;
        require(sizes, "function_totals", 0, "a member and one value a metric each");
        let mut rows: Vec<_> = totals.function.iter().zip(&totals.member).collect();
        for (row, (function, member)) in rows.iter().enumerate() {
            let known = function.index() < self.functions.len()
                && member.index() < self.members.len().max(1);
            require(known, "function_totals", row, "the function and the member exist");
        }
        rows.sort();
        let once = rows.windows(2).all(|pair| pair[0] != pair[1]);
        require(once, "function_totals", 0, "a function has one row a member");
    }

    fn check_notes(&self, require: &mut impl FnMut(bool, &str, usize, &'static str)) {
        for (row, one) in self.switched_off.iter().enumerate() {
            let known = one.function.index() < self.functions.len();
            require(known, "switched_off", row, "the function exists");
        }
        let is_sorted = self.switched_off.is_sorted_by(|one, next| one.function < next.function);
        require(is_sorted, "switched_off", 0, "by function, one row each");
        for (row, note) in self.notes.iter().enumerate() {
            require(self.has_place(note.about), "notes", row, "what it is about exists");
            require(note.strings().all(|id| self.has_string(id)), "notes", row, "strings exist");
        }
    }

    fn check_points(&self, require: &mut impl FnMut(bool, &str, usize, &'static str)) {
        let points = &self.points;
        let count = self.contexts.len() as u32;
        for (row, context) in points.context.iter().enumerate() {
            require(context.0 < count, "points", row, "the context exists");
            let labels = points.labels(row);
            require(labels.index() < self.label_sets.len(), "points", row, "the label set exists");
            let thread = points.thread(row).is_none_or(|t| t.index() < self.threads.len());
            require(thread, "points", row, "the thread exists");
            let member = points.member(row).index() < self.members.len().max(1);
            require(member, "points", row, "the member exists");
            let links = points.links(row);
            let known =
                links.iter().all(|&(role, c)| role.index() < self.roles.len() && c.0 < count);
            require(known, "points", row, "roles and linked contexts exist");
            let own = links.is_empty() || links.iter().any(|(_, linked)| linked == context);
            require(own, "points", row, "a point's context is among its linked ones");
        }
    }

    fn check_timeline(&self, require: &mut impl FnMut(bool, &str, usize, &'static str)) {
        let Timeline { tracks, spans, marks, counters, flows, clocks: _ } = &self.timeline;
        let has_string = |id| self.has_string(id);
        let has_labels = |id: LabelSetId| id.index() < self.label_sets.len();
        let has_track = |track: TrackId| track.index() < tracks.len();
        for (row, track) in tracks.iter().enumerate() {
            let id = TrackId(row as u32);
            require(has_string(track.name), "tracks", row, "strings exist");
            let parent = track.parent.is_none_or(|parent| parent < id);
            require(parent, "tracks", row, "the parent stands before it");
            let known = track.process.is_none_or(|process| process.index() < self.processes.len())
                && track.thread.is_none_or(|thread| thread.index() < self.threads.len())
                && track.member.index() < self.members.len().max(1);
            require(known, "tracks", row, "process, thread and member exist");
            let rows = spans.of_track(id);
            let is_before = |row: usize| {
                let (one, next) = (spans.get(row), spans.get(row + 1));
                (one.begin, -one.length) <= (next.begin, -next.length)
            };
            let sorted = (rows.start..rows.end.saturating_sub(1)).all(is_before);
            require(sorted, "tracks", row, "spans stand by begin, the longer first");
            let times: Vec<i64> = marks.of_track(id).map(|row| marks.get(id, row).time).collect();
            require(times.is_sorted(), "tracks", row, "marks stand by time");
            let known = marks.of_track(id).map(|row| marks.get(id, row));
            let known = known.clone().all(|mark| has_string(mark.kind) && has_labels(mark.fields));
            require(known, "tracks", row, "kinds and fields of marks exist");
        }
        let all = (0..tracks.len() as u32).map(TrackId);
        let count: usize = all.clone().map(|track| spans.of_track(track).len()).sum();
        require(count == spans.len(), "spans", 0, "each is on a track");
        let count: usize = all.map(|track| marks.of_track(track).len()).sum();
        require(count == marks.len(), "marks", 0, "each is on a track");
        for row in 0..spans.len() {
            let span = spans.get(row);
            require(span.length >= 0, "spans", row, "an end is not before its begin");
            let known = span.point.index() < self.points.len() && has_labels(span.arguments);
            require(known, "spans", row, "the point and the arguments exist");
        }
        for (row, counter) in counters.iter().enumerate() {
            let known = has_track(counter.track) && has_string(counter.name);
            require(known && has_string(counter.unit), "counters", row, "track and strings exist");
            let sound = counter.times.len() == counter.values.len() && counter.times.is_sorted();
            require(sound, "counters", row, "one value a time, by time");
            let finite = counter.values.iter().all(|value| value.is_finite());
            require(finite, "counters", row, "values are finite");
        }
        for (row, flow) in flows.iter().enumerate() {
            let known = has_track(flow.from.track) && has_track(flow.to.track);
            require(known && has_string(flow.name), "flows", row, "tracks and strings exist");
        }
    }
}
