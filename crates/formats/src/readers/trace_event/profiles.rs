//! The sampled profiles in a trace, put together from their chunks.

use hashbrown::HashMap;
use profile::{ProfileBuilder, StringId, ThreadId};

use super::event::Event;
use crate::Warnings;
use crate::readers::cpuprofile::CpuProfile;

/// The profiles, by process and identifier.
#[derive(Default)]
pub(super) struct Profiles {
    rows: HashMap<(StringId, StringId), usize>,
    profiles: Vec<PartialProfile>,
    /// Bytes held.
    held: usize,
}

/// A profile as far as it was told.
struct PartialProfile {
    profile: CpuProfile,
    /// The row of its thread.
    thread: u32,
    /// When its first sample was taken at the latest, by the time of the event that has it: for traces
    /// that begin after the profile did.
    began: Option<i64>,
}

impl Profiles {
    /// Takes the part that an event of the thread in row `thread` holds, if it does.
    pub(super) fn take(
        &mut self,
        event: &mut Event,
        thread: u32,
        builder: &mut ProfileBuilder,
    ) -> bool {
        let is_head = match event.name.as_str() {
            "Profile" | "CpuProfile" => true,
            "ProfileChunk" => false,
            _ => return false,
        };
        if event.name == "Profile" && event.profile.start.is_none() && !event.has_profile {
            return event.phase == b'P';
        }
        let id = if event.id.is_empty() { &event.tid } else { &event.id };
        let key = (builder.strings.intern(&event.pid), builder.strings.intern(id));
        let row = *self.rows.entry(key).or_insert_with(|| {
            let took = event.profile.samples.deltas.iter().fold(0i64, |a, &b| a.saturating_add(b));
            let began = event.time.map(|time| time.saturating_sub(took));
            self.profiles.push(PartialProfile { profile: CpuProfile::default(), thread, began });
            self.profiles.len() - 1
        });
        let told = &mut self.profiles[row];
        if is_head {
            told.thread = thread;
        }
        self.held += event.profile.heap_bytes();
        told.profile.absorb(std::mem::take(&mut event.profile));
        event.has_profile = false;
        true
    }

    pub(super) fn is_empty(&self) -> bool {
        self.profiles.is_empty()
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.held
    }

    /// Rows of the threads that have a profile.
    pub(super) fn threads(&self) -> impl Iterator<Item = u32> {
        self.profiles.iter().map(|told| told.thread)
    }

    /// Puts times in their place, once all is read: the first and the last on the producer's clock.
    /// A profile far from all events was told by another clock: it begins with them.
    pub(super) fn settle(
        &mut self,
        events: Option<[i64; 2]>,
        warnings: &mut Warnings,
    ) -> Option<[i64; 2]> {
        let mut extent: Option<[i64; 2]> = None;
        for PartialProfile { profile, began, .. } in &mut self.profiles {
            profile.settle();
            let samples = &mut profile.samples;
            if samples.nodes.is_empty() {
                continue;
            }
            if profile.start.is_none()
                && let Some(began) = *began
            {
                samples.start = began;
                warnings.add("begun", || {
                    "profiles that began before the trace are shown from their first part"
                        .to_owned()
                });
            }
            let mut own = [samples.start, samples.last()];
            if let Some(events) = events
                && is_far(own, events)
            {
                let length = own[1].saturating_sub(own[0]);
                own = [events[0], events[0].saturating_add(length)];
                (samples.start, samples.end) = (own[0], Some(own[1]));
                warnings.add("clock", || {
                    "profiles whose times are far from those of all events begin with the first one"
                        .to_owned()
                });
            }
            let [first, last] = extent.unwrap_or(own);
            extent = Some([first.min(own[0]), last.max(own[1])]);
        }
        extent
    }

    /// Pushes the points of all, with times after `clock`.
    pub(super) fn push_points(
        self,
        threads: &[Option<ThreadId>],
        clock: i64,
        builder: &mut ProfileBuilder,
        warnings: &mut Warnings,
    ) {
        for PartialProfile { profile, thread, .. } in self.profiles {
            let mut nodes = profile.nodes.resolve(builder, warnings);
            let thread = threads[thread as usize];
            profile.samples.push_points(&mut nodes, builder, clock, thread, warnings);
        }
    }
}

/// Whether two times are apart by more than both last, and a minute.
fn is_far(one: [i64; 2], other: [i64; 2]) -> bool {
    const MINUTE: i64 = 60_000_000_000;
    let gap = one[0].max(other[0]).saturating_sub(one[1].min(other[1]));
    let length = |[first, last]: [i64; 2]| last.saturating_sub(first);
    gap > length(one).saturating_add(length(other)).saturating_add(MINUTE)
}
