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
    profiles: Vec<(CpuProfile, u32)>,
    /// Bytes held.
    held: usize,
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
            self.profiles.push((CpuProfile::default(), thread));
            self.profiles.len() - 1
        });
        let (profile, of) = &mut self.profiles[row];
        if is_head {
            *of = thread;
        }
        self.held += event.profile.heap_bytes();
        profile.absorb(std::mem::take(&mut event.profile));
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
        self.profiles.iter().map(|&(_, thread)| thread)
    }

    /// Pushes the points of all.
    pub(super) fn push_points(
        mut self,
        threads: &[Option<ThreadId>],
        builder: &mut ProfileBuilder,
        warnings: &mut Warnings,
    ) {
        for (profile, _) in &mut self.profiles {
            profile.settle();
        }
        let samples = || self.profiles.iter().map(|(profile, _)| &profile.samples);
        let clock = samples().map(|samples| samples.start).min().unwrap_or(0);
        let end = samples().map(|samples| samples.last()).max().unwrap_or(clock);
        builder.origin.clock_ns = clock;
        builder.origin.duration_ns = end.saturating_sub(clock);
        for (profile, thread) in self.profiles {
            let mut nodes = profile.nodes.resolve(builder, warnings);
            let thread = threads[thread as usize];
            profile.samples.push_points(&mut nodes, builder, clock, thread, warnings);
        }
    }
}
