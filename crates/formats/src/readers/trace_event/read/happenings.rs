//! Instants, counters and flows, kept until there are tracks for them.

use hashbrown::HashMap;
use profile::{Flow, FlowEnd, LabelSetId, Mark, ProfileBuilder, StringId, TrackId};

use crate::Warnings;
use crate::readers::trace_event::event::Event;

/// Where something happened: a row of the threads or of the processes of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Place {
    Thread(u32),
    Process(u32),
}

#[derive(Default)]
pub(super) struct Happenings {
    marks: Vec<(Place, Mark)>,
    values: Vec<Value>,
    /// Values that are not finite numbers.
    not_finite: u64,
    flows: Vec<Step>,
    /// The number of a flow, by category, name and identifier.
    flow_of: HashMap<[StringId; 3], u32>,
}

/// A value of a series.
struct Value {
    process: u32,
    name: StringId,
    unit: StringId,
    time: i64,
    value: f64,
}

/// A place on the way of a flow.
struct Step {
    flow: u32,
    time: i64,
    /// `s`, `t`, `f` in this order.
    phase: u8,
    name: StringId,
    place: Place,
}

impl Happenings {
    pub(super) fn mark(&mut self, place: Place, time: i64, kind: StringId, fields: LabelSetId) {
        self.marks.push((place, Mark { track: TrackId(0), time, kind, fields }));
    }

    /// A counter has a series for each of its arguments: it goes by the counter's name if there is but
    /// one that says no more than `value`, or `value (unit)`.
    pub(super) fn counter(
        &mut self,
        event: &Event,
        (process, time): (u32, i64),
        builder: &mut ProfileBuilder,
    ) {
        for (key, value) in event.arguments.numbers() {
            let Some(value) = value else {
                self.not_finite += 1;
                continue;
            };
            let mut name = event.name.clone();
            if !event.id.is_empty() {
                name = format!("{name} [{}]", event.id);
            }
            let unit = unit_of_value(key);
            if unit.is_none() && key != event.name {
                name = format!("{name}: {key}");
            }
            let [name, unit] = [&name, unit.unwrap_or("")].map(|text| builder.strings.intern(text));
            self.values.push(Value { process, name, unit, time, value });
        }
    }

    pub(super) fn flow(
        &mut self,
        event: &Event,
        (place, time): (Place, i64),
        builder: &mut ProfileBuilder,
    ) {
        let texts = [&event.category, &event.name, &event.id];
        let key = texts.map(|text| builder.strings.intern(text));
        let count = self.flow_of.len() as u32;
        let flow = *self.flow_of.entry(key).or_insert(count);
        let phase = match event.phase {
            b's' => 0,
            b't' => 1,
            _ => 2,
        };
        self.flows.push(Step { flow, time, phase, name: key[1], place });
    }

    /// Everything that tells of a place.
    pub(super) fn places(&self) -> impl Iterator<Item = Place> {
        let marks = self.marks.iter().map(|(place, _)| *place);
        let values = self.values.iter().map(|value| Place::Process(value.process));
        marks.chain(values).chain(self.flows.iter().map(|step| step.place))
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.marks.capacity() * size_of::<(Place, Mark)>()
            + self.values.capacity() * size_of::<Value>()
            + self.flows.capacity() * size_of::<Step>()
            + self.flow_of.capacity() * 20
    }

    /// Puts all on their tracks, with times after `clock`.
    pub(super) fn finish(
        mut self,
        track: impl Fn(Place) -> TrackId,
        clock: i64,
        builder: &mut ProfileBuilder,
        warnings: &mut Warnings,
    ) {
        let after = |time: i64| time.saturating_sub(clock);
        let timeline = &mut builder.timeline;
        for (place, mark) in self.marks {
            timeline.mark(Mark { track: track(place), time: after(mark.time), ..mark });
        }
        for Value { process, name, unit, time, value } in self.values {
            let counter = timeline.counter(track(Place::Process(process)), name, unit);
            counter.push(after(time), value);
        }
        if self.not_finite > 0 {
            warnings.add_many("not finite", self.not_finite, || {
                "values of counters that are not finite numbers are left out".to_owned()
            });
        }
        // Each begin starts a way of its own, also where identifiers are used again.
        self.flows.sort_by_key(|step| (step.flow, step.time, step.phase));
        for way in self.flows.chunk_by_mut(|one, next| one.flow == next.flow) {
            // It arrives before it left, by clocks that differ.
            if let [to, from] = way
                && (to.phase, from.phase) == (2, 0)
            {
                way.swap(0, 1);
            }
        }
        let mut last: Option<&Step> = None;
        let mut alone = 0;
        for step in &self.flows {
            let before = last.filter(|last| last.flow == step.flow && last.phase != 2);
            let leaves = |step: &&Step| step.phase == 0;
            alone +=
                u64::from(last.is_some_and(|last| {
                    leaves(&last) && (last.flow != step.flow || leaves(&step))
                }));
            match (step.phase, before) {
                (0, _) => {}
                (_, Some(from)) => {
                    let [from, to] = [from, step]
                        .map(|step| FlowEnd { track: track(step.place), time: after(step.time) });
                    timeline.flows.push(Flow { name: step.name, from, to });
                }
                (_, None) => warnings
                    .add("no flow", || "flows that arrive and never left are left out".to_owned()),
            }
            last = Some(step);
        }
        alone += u64::from(last.is_some_and(|last| last.phase == 0));
        if alone > 0 {
            warnings.add_many("flow alone", alone, || {
                "flows that leave and never arrive are left out".to_owned()
            });
        }
    }
}

/// The unit in `value (unit)`, which is empty for `value`; none of other keys.
fn unit_of_value(key: &str) -> Option<&str> {
    match key.strip_prefix("value")? {
        "" => Some(""),
        unit => unit.strip_prefix(" (")?.strip_suffix(')'),
    }
}
