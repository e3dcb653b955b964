//! Call chains become contexts.

use hashbrown::HashMap;
use perfdata::{Link, Mode, Record, Sample};
use profile::{ContextId, Location, LocationId, ProfileBuilder};

use super::spaces::Spaces;

/// Makes contexts of addresses.
#[derive(Default)]
pub(super) struct Stacks {
    /// Locations by the number of the memory that an address is of.
    locations: HashMap<(u32, u64), LocationId>,
    /// The chain that is made, leaf first.
    path: Vec<LocationId>,
    /// Code of the kernel that has names in the recording: first address, end, name.
    pub(super) named: std::collections::BTreeMap<u64, (u64, String)>,
    /// Addresses that no module has.
    pub(super) unknown: u64,
    /// Stacks as long as the kernel records at most.
    pub(super) cut: u64,
    /// Stacks that go on with what is not code: what code without frame pointers has in the register.
    pub(super) garbage: u64,
    /// Parts of stacks that come in a record of their own, until they do.
    deferred: HashMap<(u32, u64), Deferred>,
}

/// Where the program's part of a stack is.
#[derive(Clone, Copy)]
pub(super) enum UserPart<'a> {
    /// In the call chain.
    Recorded,
    /// It was unwound: addresses, leaf first, of instructions and calls.
    Walked(&'a [u64]),
    /// In the processor's branch records, which hold the calls that did not return.
    Branches,
}

/// A sample whose stack is not whole yet.
struct Deferred {
    point: usize,
    kernel: Vec<LocationId>,
}

/// Frames of a stack, as the kernel records them unless asked for more.
const DEFAULT_DEPTH: usize = 127;

impl Stacks {
    pub(super) fn heap_bytes(&self) -> usize {
        self.locations.len() * 32 + self.deferred.len() * 256
    }

    /// The context of a sample, whose point will have the number `point`.
    pub(super) fn context(
        &mut self,
        record: &Record<'_>,
        sample: &Sample<'_>,
        user: UserPart<'_>,
        point: usize,
        spaces: &mut Spaces,
        builder: &mut ProfileBuilder,
    ) -> ContextId {
        let process = sample.thread.map_or(0, |thread| thread.pid);
        self.path.clear();
        let mut mode = record.mode;
        let mut is_first = true;
        let mut count = 0;
        let mut waits_for = None;
        let mut is_garbage = false;
        for link in sample.callchain.into_iter().flat_map(|chain| chain.links()) {
            match link {
                Link::Mode(next) => (mode, is_first, is_garbage) = (next, true, false),
                Link::Deferred(cookie) => waits_for = Some(cookie),
                // Others know more of the program's part.
                Link::Address(_) if mode == Mode::User && !matches!(user, UserPart::Recorded) => {}
                Link::Address(_) if is_garbage => {}
                Link::Address(address) => {
                    let at = if is_first { address } else { address.wrapping_sub(1) };
                    if !is_first
                        && mode == Mode::User
                        && spaces.of(process, mode).has_only_others(at)
                    {
                        is_garbage = true;
                        self.garbage += 1;
                        continue;
                    }
                    count += 1;
                    let location = self.location(process, mode, at, spaces, builder);
                    self.path.push(location);
                    is_first = false;
                }
            }
        }
        self.cut += u64::from(count >= DEFAULT_DEPTH);
        let mut push = |stacks: &mut Stacks, at: u64, builder: &mut ProfileBuilder| {
            let location = stacks.location(process, Mode::User, at, spaces, builder);
            stacks.path.push(location);
        };
        match user {
            UserPart::Recorded => {}
            UserPart::Walked(addresses) => {
                addresses.iter().for_each(|&at| push(self, at, builder));
            }
            UserPart::Branches => {
                let mut calls =
                    sample.branches.into_iter().flat_map(|branches| branches.iter()).peekable();
                let leaf = calls.peek().map(|call| call.to);
                leaf.into_iter()
                    .chain(calls.map(|call| call.from))
                    .for_each(|at| push(self, at, builder));
            }
        }
        if self.path.is_empty()
            && let Some(ip) = sample.ip.filter(|&ip| ip != 0)
        {
            let location = self.location(process, record.mode, ip, spaces, builder);
            self.path.push(location);
        }
        if let Some(cookie) = waits_for {
            let thread = sample.thread.map_or(0, |thread| thread.tid);
            let kernel = self.path.clone();
            self.deferred.insert((thread, cookie), Deferred { point, kernel });
        }
        builder.stack(self.path.iter().rev().copied())
    }

    /// The location of an address that is executed, or of the call before the one to which it
    /// returns.
    pub(super) fn location(
        &mut self,
        process: u32,
        mode: Mode,
        address: u64,
        spaces: &mut Spaces,
        builder: &mut ProfileBuilder,
    ) -> LocationId {
        let space = spaces.of(process, mode);
        let key = (space.number, address);
        if let Some(&known) = self.locations.get(&key) {
            return known;
        }
        let found = space.find(address);
        let (module, in_module) = found.map_or((None, address), |(module, at)| (Some(module), at));
        let location = Location { module, address: in_module, ..Location::default() };
        let named = self.named.range(..=address).next_back();
        let named = named.filter(|(_, (end, _))| address < *end && mode == Mode::Kernel);
        let location = if let Some((_, (_, name))) = named {
            let function = builder.function(name, "", 0);
            builder.location(location, &[(Some(function), 0, 0)])
        } else {
            builder.location(location, &[])
        };
        // What is unknown now may be mapped later.
        if found.is_some() {
            self.locations.insert(key, location);
        } else {
            self.unknown += 1;
        }
        location
    }

    /// The rest of a stack, of which the kernel's part came before; false if that is not known.
    pub(super) fn complete(
        &mut self,
        thread: perfdata::Thread,
        cookie: u64,
        links: impl Iterator<Item = Link>,
        spaces: &mut Spaces,
        builder: &mut ProfileBuilder,
    ) -> bool {
        let Some(waiting) = self.deferred.remove(&(thread.tid, cookie)) else { return false };
        let mut path = waiting.kernel;
        let mut is_first = true;
        for link in links {
            if let Link::Address(address) = link {
                let at = if is_first { address } else { address.wrapping_sub(1) };
                path.push(self.location(thread.pid, Mode::User, at, spaces, builder));
                is_first = false;
            }
        }
        builder.points.context[waiting.point] = builder.stack(path.into_iter().rev());
        true
    }

    /// Stacks whose rest never came.
    pub(super) fn incomplete(&self) -> usize {
        self.deferred.len()
    }
}
