//! What went wrong while recording, as figures.

use hashbrown::HashSet;
use perfdata::{Attr, Counts, Record, Sample, SampleId, attr, record_name};

use super::reading::time_of;
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
    /// Events of which some were left out so.
    throttled_events: HashSet<usize>,
    /// Samples with a copy of the stack.
    copied: u64,
    /// Samples without a period, of events with a frequency.
    without_periods: u64,
    traced_units: u64,
    /// Samples of events that were named after the first sample.
    pub(super) late_events: u64,
    /// The earliest and the latest time of any record.
    pub(super) first: Option<i64>,
    pub(super) last: Option<i64>,
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

    /// Anything was recorded.
    pub(super) fn record(&mut self, id: SampleId) {
        let time = time_of(id);
        self.first = [self.first, time].into_iter().flatten().min();
        self.last = self.last.max(time);
    }

    /// Whether there were records that nobody has.
    pub(super) fn has_lost(&self) -> bool {
        self.lost != 0 || self.lost_samples != 0
    }

    /// Whether every event of a kind was sampled, so that its samples are a count.
    pub(super) fn has_all(&self, number: usize, attr: &Attr) -> bool {
        attr.samples_each() && !self.has_lost() && !self.throttled_events.contains(&number)
    }

    pub(super) fn throttled(&mut self, record: &Record<'_>) {
        self.throttled += 1;
        self.throttled_events.insert(record.event);
        self.instant(record, Trouble::Throttled, 1);
    }

    fn instant(&mut self, record: &Record<'_>, what: Trouble, count: u64) {
        /// More are counted only.
        const MOST: usize = 1 << 16;
        if let Some(time) = time_of(record.id).filter(|_| self.instants.len() < MOST) {
            self.instants.push((time, record.id.cpu, what, count));
        }
    }

    pub(super) fn sample(&mut self, sample: &Sample<'_>, attr: &Attr) {
        self.copied += u64::from(sample.stack_user.is_some());
        let is_counted = sample.period.is_some() || sample.read.is_some();
        self.without_periods += u64::from(!is_counted && attr.is(attr::flag::FREQ));
        self.traced_units += u64::from(sample.aux.is_some());
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
            "samples have no weights: each counts as 1".to_owned()
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
            "bytes at the end of the file are not a whole record".to_owned()
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
