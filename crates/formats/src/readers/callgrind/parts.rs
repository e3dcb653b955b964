//! Parts of the file: dumps and threads, which become members.

use hashbrown::HashMap;
use profile::{Member, MemberId, MetricId, Point, Points, Profile, ThreadId};

use super::FORMAT;
use super::reading::{CallgrindParser, Header, Owner};
use crate::graph::call_graph::{CallGraph, Node, Totals};
use crate::{ReadError, Warnings};

/// A part of the file with a header of its own: one dump of one thread.
pub(super) struct Dump {
    pub(super) graph: CallGraph,
    pub(super) nodes: HashMap<Owner, Node>,
    thread: Option<String>,
    name: String,
}

impl CallgrindParser {
    /// The part that costs go to.
    pub(super) fn part(&mut self) -> &mut Dump {
        if !self.in_part {
            let Header { thread, part, trigger, events, .. } = &self.header;
            let mut name = part.as_ref().map_or(String::new(), |part| format!("part {part}"));
            if !trigger.is_empty() {
                name = if name.is_empty() { trigger.clone() } else { format!("{name}: {trigger}") };
            }
            self.parts.push(Dump {
                graph: CallGraph::new(
                    events.iter().flatten().filter(|event| !event.is_ratio).count(),
                ),
                nodes: HashMap::new(),
                thread: thread.clone(),
                name,
            });
            self.in_part = true;
            self.place = None;
            self.positions.last = [0; 2];
        }
        let last = self.parts.len() - 1;
        &mut self.parts[last]
    }

    pub(super) fn finish(mut self, warnings: &mut Warnings) -> Result<Profile, ReadError> {
        FORMAT.name.clone_into(&mut self.builder.origin.format);
        self.builder.origin.estimated_paths = true;
        if self.header.events.is_none() {
            return Err(ReadError::Truncated {
                format: FORMAT.name,
                place: crate::Place(0),
                reason: "before its events are named".to_owned(),
            });
        }
        let said = self.header.summary.max(self.header.totals);
        let first = self.header.events.iter().flatten().find(|event| !event.is_ratio);
        let scale = first.map_or(1, |event| {
            event.unit.saturating_mul(10i64.saturating_pow(event.scale.decimals.into()))
        });
        let threads: Vec<Option<ThreadId>> = (self.parts.iter())
            .map(|part| part.thread.as_ref().map(|id| self.builder.thread(None, id)))
            .collect();
        let members = members_of(&self.parts, &threads);
        let most = members.iter().max().map_or(0, |last| last + 1);
        let events = self.builder.metrics.len() - 1;
        if !self.calls.has_any {
            self.builder.metrics.truncate(events);
            self.builder.points = Points::new(events);
        }
        let mut totals = Totals::default();
        for ((part, thread), member) in self.parts.into_iter().zip(threads).zip(members) {
            let mut like = Point { thread, ..Point::default() };
            if most > 1 {
                like.member = MemberId(member as u32);
                if member == self.builder.members.len() {
                    self.builder.members.push(Member { name: part.name, ..Member::default() });
                }
            }
            totals.add_charged(&part.graph, like.member, &self.builder);
            let graph = if self.calls.has_any { part.graph } else { part.graph.without_calls() };
            graph.estimate(&mut self.builder, like, warnings);
        }
        let found: i64 = self.builder.points.values(MetricId(0)).fold(0, i64::saturating_add);
        if let Some(said) = said.map(|said| said.saturating_mul(scale))
            && said != found
        {
            let name = &self.builder.metrics[0].name;
            warnings.add("totals", || {
                format!(
                    "the file says that {name} is {said} in all, and its lines add up to {found}: \
                     it is cut short, or was changed"
                )
            });
        }
        if self.calls.has_any {
            totals.finish(events, &mut self.builder);
        } else {
            self.builder.origin.estimated_paths = false;
        }
        Ok(self.builder.finish())
    }
}

/// The member that each part belongs to: a snapshot has one part a thread, so the next begins
/// where a thread comes again, or the dump has another name.
fn members_of(parts: &[Dump], threads: &[Option<ThreadId>]) -> Vec<usize> {
    let mut known: HashMap<(&str, usize), usize> = HashMap::new();
    let mut seen: HashMap<(&str, Option<ThreadId>), usize> = HashMap::new();
    let rows = parts.iter().zip(threads).map(|(part, &thread)| {
        let times = seen.entry((&part.name, thread)).or_default();
        *times += 1;
        let next = known.len();
        *known.entry((&part.name, *times)).or_insert(next)
    });
    rows.collect()
}
