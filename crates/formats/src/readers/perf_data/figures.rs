//! What went wrong while recording, as figures; and counters without samples.

use hashbrown::HashMap;
use perfdata::{Attr, Counts, Record, Sample, Stat, attr, record_name};
use profile::ProfileBuilder;

use super::walking::Walking;
use crate::Warnings;

/// What went wrong while recording.
#[derive(Default)]
pub(super) struct Figures {
    /// Instants at which something went wrong: time, processor, what, how many.
    pub(super) instants: Vec<(i64, Option<u32>, Trouble, u64)>,
    lost: u64,
    lost_samples: u64,
    throttled: u64,
    /// Samples with a copy of the stack.
    copied: u64,
    /// Samples without a period, of events with a frequency.
    without_periods: u64,
    traced_units: u64,
    /// Samples of events that were named after the first sample.
    pub(super) late_events: u64,
    /// What counters without samples showed last: the value, and for how long they were wanted and
    /// counted.
    stats: HashMap<(u64, u32, u32), [u64; 3]>,
    /// Points of such counters.
    pub(super) stat_points: usize,
    /// Points of such counters whose time is not known yet.
    pub(super) stat_rows: Vec<usize>,
}

/// What can go wrong at an instant.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Trouble {
    Lost,
    Throttled,
}

impl Trouble {
    /// As a kind of marks.
    pub(super) fn name(self) -> &'static str {
        match self {
            Trouble::Lost => "lost records",
            Trouble::Throttled => "throttled",
        }
    }
}

impl Figures {
    pub(super) fn lost(&mut self, record: &Record<'_>, count: u64, is_samples: bool) {
        let sum = if is_samples { &mut self.lost_samples } else { &mut self.lost };
        *sum = sum.saturating_add(count);
        self.instant(record, Trouble::Lost, count);
    }

    pub(super) fn throttled(&mut self, record: &Record<'_>) {
        self.throttled += 1;
        self.instant(record, Trouble::Throttled, 1);
    }

    fn instant(&mut self, record: &Record<'_>, what: Trouble, count: u64) {
        /// More are counted only.
        const MOST: usize = 1 << 16;
        if let Some(time) = record.id.time.filter(|_| self.instants.len() < MOST) {
            let time = i64::try_from(time).unwrap_or(i64::MAX);
            self.instants.push((time, record.id.cpu, what, count));
        }
    }

    pub(super) fn sample(&mut self, sample: &Sample<'_>, attr: &Attr) {
        self.copied += u64::from(sample.stack_user.is_some());
        let is_counted = sample.period.is_some() || sample.read.is_some();
        self.without_periods += u64::from(!is_counted && attr.is(attr::flag::FREQ));
        self.traced_units += u64::from(sample.aux.is_some());
    }

    /// What a counter counted since it was read before, and for how long it was wanted and counted;
    /// none if it was not counted at all.
    pub(super) fn stat(&mut self, stat: &Stat) -> Option<(i64, [u64; 2])> {
        let shown = [stat.value, stat.enabled, stat.running];
        let before = self.stats.insert((stat.id, stat.cpu, stat.thread), shown).unwrap_or([0; 3]);
        let since = |at: usize| shown[at].checked_sub(before[at]).unwrap_or(shown[at]);
        let counted = i64::try_from(since(0)).ok().filter(|_| stat.enabled != 0)?;
        Some((counted, [since(1), since(2)]))
    }

    /// All counters were read, at this time.
    pub(super) fn stat_round(&mut self, time: u64, builder: &mut ProfileBuilder) {
        let time = i64::try_from(time).unwrap_or(i64::MAX);
        for row in self.stat_rows.drain(..) {
            builder.points.set_time(row, time);
        }
    }

    pub(super) fn warn(&self, counts: &Counts, walking: Option<&Walking>, warnings: &mut Warnings) {
        let mut told = |count: u64, kind: &'static str, message: &dyn Fn() -> String| {
            if count > 0 {
                warnings.add_many(kind, count, message);
            }
        };
        told(self.lost, "lost", &|| {
            "records were lost while recording, some of which may be \
             samples: record fewer events, or give perf larger buffers (-m)"
                .to_owned()
        });
        told(self.lost_samples, "lost samples", &|| {
            "samples were lost while recording (the kernel counted them)".to_owned()
        });
        told(self.throttled, "throttled", &|| {
            "the kernel stopped an event for a while, for its samples came too fast: record at a \
             lower frequency"
                .to_owned()
        });
        self.warn_of_copies(walking, &mut told);
        told(self.without_periods, "periods", &|| {
            "samples say not how many events they stand for: each counts as 1".to_owned()
        });
        told(self.traced_units, "trace units", &|| {
            "data of trace units are not decoded".to_owned()
        });
        told(self.late_events, "late events", &|| {
            "samples of events that were announced after the first sample are left out".to_owned()
        });
        told(counts.short, "short", &|| {
            "records are shorter than their kind and left out".to_owned()
        });
        told(counts.unknown_ids, "ids", &|| {
            "samples say not which of the events they are of, and count as the first one's"
                .to_owned()
        });
        told(counts.late, "order", &|| {
            "records came later than their time wants: stacks near them may be wrong".to_owned()
        });
        told(counts.cut_bytes, "cut", &|| {
            "bytes at the end of the file are no whole record".to_owned()
        });
        told(counts.damaged_pieces, "packed", &|| {
            "pieces of compressed records could not be unpacked, and their records are lost"
                .to_owned()
        });
        let unknown = counts.records.iter().filter(|(number, _)| record_name(**number).is_none());
        for (number, &count) in unknown {
            told(count, "kinds", &|| {
                format!("records of kinds that are not known, such as {number}")
            });
        }
        // Intel PT, Arm's CoreSight and SPE.
        let traced = counts.records.get(&71).copied().unwrap_or_default();
        told(traced, "trace units", &|| "data of trace units are not decoded".to_owned());
    }

    fn warn_of_copies(
        &self,
        walking: Option<&Walking>,
        told: &mut impl FnMut(u64, &'static str, &dyn Fn() -> String),
    ) {
        let Some(walking) = walking else {
            told(self.copied, "copied", &|| {
                "stacks that were copied for unwinding are not unwound: the frames of the program \
                 are its innermost only"
                    .to_owned()
            });
            return;
        };
        told(walking.lost, "lost stacks", &|| {
            "stacks could not be unwound to their end: binaries are not at hand, or have no unwind \
             information"
                .to_owned()
        });
        told(walking.too_short, "copied in part", &|| {
            "stacks were larger than what was copied of them, so that their outer frames may be \
             missing: record with --call-graph dwarf,65528"
                .to_owned()
        });
    }
}
