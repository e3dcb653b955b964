//! Rows of tables become a profile.

use hashbrown::HashMap;
use profile::{
    ContextId, FunctionId, Label, LabelSetId, Location, LocationId, MemberId, MetricId, ModuleId,
    Point, Points, Profile, ProfileBuilder, RoleId, StringId, ThreadId,
};

use super::rows::Row;
use crate::readers::tables::labels;

/// The profile so far.
#[derive(Default)]
pub(super) struct Assembly {
    pub(super) builder: ProfileBuilder,
    pub(super) code: Code,
    pub(super) processes: HashMap<u32, ProcessRow>,
    pub(super) default_metric: Option<usize>,
    contexts: Vec<ContextId>,
    /// Links with the number of their point, in its order.
    links: Vec<(u64, RoleId, ContextId)>,
    taken_links: usize,
    open: Option<OpenPoint>,
    labels: Vec<Label>,
    has_points: bool,
}

/// A process as the table of threads has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ProcessRow {
    pub(super) id: StringId,
    pub(super) name: StringId,
}

/// Function, line and column.
pub(super) type Frame = (Option<FunctionId>, u32, u32);

/// What was interned of code, and the location whose frames are coming.
#[derive(Debug, Default)]
pub(super) struct Code {
    /// The number of the location whose frames are coming.
    pub(super) open: Option<(u32, Location, Vec<Frame>)>,
    pub(super) functions: HashMap<FunctionKey, FunctionId>,
    pub(super) modules: HashMap<ModuleKey, ModuleId>,
}

/// What tells a function from others: name, linker's name, file, first line and column.
pub(super) type FunctionKey = ([StringId; 3], [u32; 2]);

/// What tells a module from others: name, build id, mapping, and what is symbolised.
pub(super) type ModuleKey = (StringId, StringId, [u64; 3], [bool; 4]);

/// The point whose values are coming.
struct OpenPoint {
    number: u64,
    context: ContextId,
    labels: LabelSetId,
    time: Option<i64>,
    thread: Option<ThreadId>,
    cpu: Option<u32>,
    member: MemberId,
    links: std::ops::Range<usize>,
    values: Vec<i64>,
    /// Which metrics have come.
    seen: Vec<bool>,
    /// The text of the labels.
    text: String,
}

impl Assembly {
    pub(super) fn heap_bytes(&self) -> usize {
        self.builder.heap_bytes()
            + self.contexts.capacity() * 4
            + self.links.capacity() * 16
            + self.code.functions.capacity() * 28
            + self.code.modules.capacity() * 48
            + self.processes.capacity() * 16
    }

    /// The number of a row that must follow those before: tables are read in their order.
    pub(super) fn follows(row: &Row<'_>, column: &str, before: usize) -> Result<(), String> {
        match row.needed::<u32>(column)? {
            number if number as usize == before => Ok(()),
            number => Err(format!(
                "{column} is {number}, expected {before}: rows must be complete and sorted by \
                 {column}"
            )),
        }
    }

    /// The index in a column, which must be one of `count` rows.
    pub(super) fn index(
        row: &Row<'_>,
        column: &str,
        count: usize,
        table: &str,
    ) -> Result<Option<u32>, String> {
        match row.whole::<u32>(column)? {
            Some(index) if index as usize >= count => {
                Err(format!("{column} is {index}, but there are {count} {table}"))
            }
            index => Ok(index),
        }
    }

    pub(super) fn context(&mut self, row: &Row<'_>) -> Result<(), String> {
        Self::follows(row, "context", self.contexts.len())?;
        let places = self.builder.location_count();
        let parent = row.whole::<u32>("parent")?;
        let location = Self::index(row, "location", places, "locations")?;
        let context = match (self.contexts.len(), parent, location) {
            (0, None, None) => ContextId::ROOT,
            (0, ..) => return Err("the first context has a parent or a location".to_owned()),
            (_, Some(parent), Some(location)) => {
                let Some(&parent) = self.contexts.get(parent as usize) else {
                    return Err(format!("parent is {parent}, which does not come before it"));
                };
                self.builder.contexts.child(parent, LocationId(location))
            }
            (_, None, _) => return Err("parent is empty".to_owned()),
            (_, _, None) => return Err("location is empty".to_owned()),
        };
        self.contexts.push(context);
        Ok(())
    }

    fn context_of(&self, row: &Row<'_>) -> Result<ContextId, String> {
        let index = Self::index(row, "context", self.contexts.len(), "contexts")?;
        let index = index.ok_or_else(|| "context is empty".to_owned())?;
        Ok(self.contexts[index as usize])
    }

    pub(super) fn link(&mut self, row: &Row<'_>) -> Result<(), String> {
        let point = row.needed::<u64>("point")?;
        if self.links.last().is_some_and(|&(before, ..)| before > point) {
            return Err("rows are not sorted by point".to_owned());
        }
        let context = self.context_of(row)?;
        let role = self.builder.role(row.text("role"));
        self.links.push((point, role, context));
        Ok(())
    }

    pub(super) fn value(&mut self, row: &Row<'_>) -> Result<(), String> {
        let number = row.needed::<u64>("point")?;
        match &self.open {
            Some(open) if open.number == number => {}
            Some(open) if open.number > number => {
                return Err("rows are not sorted by point".to_owned());
            }
            _ => {
                self.close_point()?;
                let open = self.point(number, row)?;
                self.open = Some(open);
            }
        }
        let metrics = self.builder.metrics.len();
        let metric = Self::index(row, "metric_number", metrics, "metrics")?;
        let metric = metric.ok_or_else(|| "metric_number is empty".to_owned())? as usize;
        let value = row.fraction("value", self.builder.metrics[metric].decimals)?;
        let context = self.context_of(row)?;
        let Some(open) = &mut self.open else { return Ok(()) };
        let is_same = open.context == context
            && open.text == row.text("labels")
            && open.time == row.whole("time_ns")?
            && open.thread.map(|thread| thread.0) == row.whole("thread_number")?
            && open.cpu == row.whole("cpu")?
            && open.member.0 == row.whole("member_number")?.unwrap_or(0);
        if !is_same {
            return Err(format!("it says something else of point {number} than the row before"));
        }
        if std::mem::replace(&mut open.seen[metric], true) {
            return Err(format!("point {number} has a second value of metric {metric}"));
        }
        open.values[metric] = value;
        Ok(())
    }

    fn point(&mut self, number: u64, row: &Row<'_>) -> Result<OpenPoint, String> {
        let start = self.taken_links;
        let later = self.links[start..].iter().position(|&(point, ..)| point != number);
        let links = start..later.map_or(self.links.len(), |count| start + count);
        let threads = self.builder.threads.len();
        let thread = Self::index(row, "thread_number", threads, "threads")?.map(ThreadId);
        let members = self.builder.members.len();
        let member = Self::index(row, "member_number", members, "members")?.unwrap_or(0);
        let text = row.text("labels").to_owned();
        labels::read(&text, &mut self.builder.strings, &mut self.labels)?;
        let cpu = row.whole::<u32>("cpu")?;
        if cpu == Some(u32::MAX) {
            return Err(format!("cpu is {}, which is out of its range", u32::MAX));
        }
        let time = row.whole::<i64>("time_ns")?;
        if time == Some(i64::MIN) {
            return Err(format!("time_ns is {}, which is out of its range", i64::MIN));
        }
        let metrics = self.builder.metrics.len();
        Ok(OpenPoint {
            number,
            context: self.context_of(row)?,
            labels: self.builder.labels.add(&self.labels),
            time,
            thread,
            cpu,
            member: MemberId(member),
            links,
            values: vec![0; metrics],
            seen: vec![false; metrics],
            text,
        })
    }

    fn close_point(&mut self) -> Result<(), String> {
        let Some(open) = self.open.take() else { return Ok(()) };
        if !self.has_points {
            self.builder.points = Points::new(self.builder.metrics.len());
            self.has_points = true;
        }
        let links = &self.links[open.links.clone()];
        let links: Vec<_> = links.iter().map(|&(_, role, context)| (role, context)).collect();
        let has_own = links.iter().any(|&(_, context)| context == open.context);
        if !links.is_empty() && !has_own {
            return Err(format!("the context of point {} is not among its links", open.number));
        }
        self.taken_links = open.links.end;
        let point = Point {
            context: open.context,
            labels: open.labels,
            time: open.time,
            thread: open.thread,
            cpu: open.cpu,
            member: open.member,
            links: &links,
        };
        self.builder.points.push_point(point, &open.values);
        Ok(())
    }

    /// Ends a table.
    pub(super) fn end(&mut self, table: &str) -> Result<(), String> {
        match table {
            "metrics" => self.end_metrics(),
            "threads" => self.end_threads(),
            "frames" => {
                self.close_location();
                Ok(())
            }
            "contexts" if self.contexts.is_empty() => Err("there is no context".to_owned()),
            "values" => self.end_values(),
            _ => Ok(()),
        }
    }

    fn end_values(&mut self) -> Result<(), String> {
        self.close_point()?;
        match self.links.get(self.taken_links) {
            Some((point, ..)) => Err(format!("links name point {point}, which has no values")),
            None => Ok(()),
        }
    }

    /// The profile.
    pub(super) fn finish(mut self) -> Profile {
        if !self.has_points {
            self.builder.points = Points::new(self.builder.metrics.len());
        }
        self.builder.origin.default_metric = MetricId(self.default_metric.unwrap_or(0) as u32);
        self.builder.finish()
    }
}
