//! The clocks of a trace, related by snapshots.
//!
//! All times are brought to the clock of the trace: the one that a snapshot names, else that of the
//! boot, else the first one that is met. A time is that of the latest snapshot before it, and goes on
//! from there at the clock's own rate.

use hashbrown::HashMap;

/// The system's clock since its boot.
pub(super) const BOOTTIME: u32 = 6;
pub(super) const MONOTONIC: u32 = 3;
/// Nanoseconds since 1970.
const REALTIME: u32 = 1;

/// The clocks from 64 to 127 are each sequence's own.
fn key(sequence: u32, clock: u32) -> (u32, u32) {
    (if (64..128).contains(&clock) { sequence } else { 0 }, clock)
}

#[derive(Default)]
pub(super) struct Clocks {
    /// The clock that times are brought to.
    trace: Option<u32>,
    of: HashMap<(u32, u32), Clock>,
    pub(super) pairs: usize,
}

struct Clock {
    /// What it showed, and what the clock of the trace showed then, by the first.
    pairs: Vec<(i64, i64)>,
    /// Nanoseconds of a unit.
    unit: i64,
    /// Times are told as differences from the one before.
    is_incremental: bool,
    last: i64,
}

/// What a snapshot tells of a clock.
#[derive(Clone, Copy, Default)]
pub(super) struct ClockSnapshot {
    pub(super) clock: u32,
    pub(super) time: i64,
    pub(super) unit: i64,
    pub(super) is_incremental: bool,
}

impl Clocks {
    /// Takes a snapshot; false if nothing in it relates to the clock of the trace.
    pub(super) fn snapshot(
        &mut self,
        sequence: u32,
        primary: u32,
        readings: &[ClockSnapshot],
    ) -> bool {
        let has = |clock: u32| readings.iter().any(|reading| reading.clock == clock);
        let trace = *self.trace.get_or_insert_with(|| {
            let known = [primary, BOOTTIME, MONOTONIC].into_iter();
            let first = readings.first().map_or(BOOTTIME, |reading| reading.clock);
            known.filter(|&clock| clock != 0).find(|&clock| has(clock)).unwrap_or(first)
        });
        let own = readings.iter().find(|reading| reading.clock == trace).map(|own| own.time);
        let time = own.or_else(|| {
            readings.iter().find_map(|reading| self.at(sequence, reading.clock, reading.time))
        });
        let Some(time) = time else { return false };
        for reading in readings.iter().filter(|reading| reading.clock != trace) {
            let clock = self.of.entry(key(sequence, reading.clock)).or_insert(Clock {
                pairs: vec![],
                unit: 1,
                is_incremental: false,
                last: 0,
            });
            clock.unit = reading.unit.max(1);
            clock.is_incremental = reading.is_incremental;
            clock.last = reading.time;
            let place = clock.pairs.partition_point(|&(own, _)| own <= reading.time);
            clock.pairs.insert(place, (reading.time, time));
            self.pairs += 1;
        }
        true
    }

    /// A time by the clock of the trace; none if no snapshot relates the two.
    pub(super) fn time(&mut self, sequence: u32, clock: Option<u32>, time: i64) -> Option<i64> {
        let Some(clock) = clock.filter(|&clock| clock != 0) else {
            self.trace.get_or_insert(BOOTTIME);
            return Some(time);
        };
        let trace = *self.trace.get_or_insert(clock);
        if clock == trace {
            return Some(time);
        }
        let known = self.of.get_mut(&key(sequence, clock))?;
        let time = if known.is_incremental {
            known.last = known.last.saturating_add(time);
            known.last
        } else {
            time
        };
        self.at(sequence, clock, time)
    }

    /// Nanoseconds since 1970 at a time of the trace, by the first snapshot that tells both; nothing if none
    /// does.
    pub(super) fn date(&self, time: i64) -> Option<i64> {
        let known = self.of.get(&key(0, REALTIME))?;
        let &(date, trace) = known.pairs.first()?;
        date.checked_add(time.checked_sub(trace)?)
    }

    fn at(&self, sequence: u32, clock: u32, time: i64) -> Option<i64> {
        let known = self.of.get(&key(sequence, clock))?;
        let behind = known.pairs.partition_point(|&(own, _)| own <= time);
        let &(own, trace) = known.pairs.get(behind.saturating_sub(1))?;
        let passed = (i128::from(time) - i128::from(own)) * i128::from(known.unit);
        i64::try_from(i128::from(trace) + passed).ok()
    }
}
