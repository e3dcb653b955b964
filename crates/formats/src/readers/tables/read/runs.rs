//! The tables of metrics, threads and members.

use profile::{Combine, Combining, Member, Metric, MetricId, Process, ProcessId, Thread, Timing};

use super::assemble::{Assembly, ProcessRow};
use super::rows::Row;

/// More digits after the point than any number of 64 bits has.
const MOST_DECIMALS: u8 = 18;

impl Assembly {
    pub(super) fn metric(&mut self, row: &Row<'_>) -> Result<(), String> {
        Self::follows(row, "metric_number", self.builder.metrics.len())?;
        let decimals = row.needed::<u8>("decimals")?;
        if decimals > MOST_DECIMALS {
            return Err(format!("decimals is {decimals}, which is above {MOST_DECIMALS}"));
        }
        let combine = |column: &str| {
            let text = row.text(column);
            let found = Combine::ALL.into_iter().find(|combine| combine.word() == text);
            found.ok_or_else(|| {
                let words = Combine::ALL.map(Combine::word).join(", ");
                format!("{column} is \"{text}\", not one of {words}")
            })
        };
        let combining = Combining {
            contexts: combine("over_contexts")?,
            time: combine("over_time")?,
            members: combine("over_members")?,
            weight: row.whole::<u32>("weight")?.map(MetricId),
        };
        if row.needed::<u8>("is_default")? != 0
            && self.default_metric.replace(self.builder.metrics.len()).is_some()
        {
            return Err("is_default is set a second time".to_owned());
        }
        let (name, unit) = (row.text("metric").to_owned(), row.text("unit").to_owned());
        let timing = match row.text("timing") {
            "" => Timing::Instant,
            text => {
                let found = Timing::ALL.into_iter().find(|timing| timing.word() == text);
                let words = || Timing::ALL.map(Timing::word).join(", ");
                found.ok_or_else(|| format!("timing is \"{text}\", not one of {}", words()))?
            }
        };
        let is_counted = row.whole::<u8>("is_counted")?.is_some_and(|is_counted| is_counted != 0);
        self.builder.metrics.push(Metric { name, unit, decimals, combining, timing, is_counted });
        Ok(())
    }

    /// Checks what metrics say of each other.
    pub(super) fn end_metrics(&mut self) -> Result<(), String> {
        let count = self.builder.metrics.len();
        let weights = self.builder.metrics.iter().filter_map(|metric| metric.combining.weight);
        match weights.max() {
            Some(weight) if weight.index() >= count => {
                Err(format!("weight is {}, but there are {count} metrics", weight.0))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn thread(&mut self, row: &Row<'_>) -> Result<(), String> {
        let process = row.whole::<u32>("process_number")?;
        let strings = &mut self.builder.strings;
        if let Some(number) = process {
            let id = strings.intern(row.text("process_id"));
            let name = strings.intern(row.text("process_name"));
            let fresh = ProcessRow { id, name };
            if *self.processes.entry(number).or_insert(fresh) != fresh {
                return Err(format!("process {number} has another id or name than before"));
            }
        }
        if row.text("thread_number").is_empty() {
            return match process {
                Some(_) => Ok(()),
                None => Err("there is neither a thread nor a process".to_owned()),
            };
        }
        let thread = Thread {
            process: process.map(ProcessId),
            id: strings.intern(row.text("thread_id")),
            name: strings.intern(row.text("thread_name")),
        };
        Self::follows(row, "thread_number", self.builder.threads.len())?;
        self.builder.threads.push(thread);
        Ok(())
    }

    /// Puts the processes into the order of their numbers.
    pub(super) fn end_threads(&mut self) -> Result<(), String> {
        for number in 0..self.processes.len() as u32 {
            let Some(&ProcessRow { id, name }) = self.processes.get(&number) else {
                let count = self.processes.len();
                return Err(format!("there are {count} processes, but none has number {number}"));
            };
            self.builder.processes.push(Process { id, name });
        }
        Ok(())
    }

    pub(super) fn member(&mut self, row: &Row<'_>) -> Result<(), String> {
        Self::follows(row, "member_number", self.builder.members.len())?;
        self.builder.members.push(Member {
            name: row.text("member").to_owned(),
            producer: row.text("producer").to_owned(),
            host: row.text("host").to_owned(),
            time_ns: row.whole("time_ns")?.unwrap_or(0),
            duration_ns: row.whole("duration_ns")?.unwrap_or(0),
            ..Member::default()
        });
        Ok(())
    }
}
