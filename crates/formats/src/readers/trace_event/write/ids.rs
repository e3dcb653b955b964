//! The numbers of processes and threads that tracks are written under.

use std::collections::{HashMap, HashSet};

use profile::{MemberId, ProcessId, Profile, ThreadId, Track, TrackId, TrackKind};

/// How lanes are called whose category is known.
const LANE: &str = "asynchronous";

/// Where events of a track go. No two tracks have the same place.
#[derive(Clone)]
pub(super) struct Home {
    pub(super) pid: String,
    /// Empty for processes.
    pub(super) tid: String,
    /// The category of a lane, whose events are asynchronous.
    pub(super) lane: Option<String>,
}

/// Homes of all tracks, and of threads without one.
pub(super) struct Homes<'a> {
    profile: &'a Profile,
    pub(super) of_track: Vec<Home>,
    of_thread: HashMap<(MemberId, ThreadId), usize>,
    /// Threads that have samples and no track.
    others: Vec<(ThreadId, Home)>,
    /// Identifiers of processes, and of a process with a thread, that are given away.
    taken: HashSet<(String, String)>,
    pids: HashMap<Owner, String>,
}

/// What a process's number stands for.
#[derive(PartialEq, Eq, Hash, Clone, Copy)]
enum Owner {
    /// Of a recording: those of others are other ones.
    Process(ProcessId, MemberId),
    Track(TrackId),
    Nobody,
}

impl<'a> Homes<'a> {
    pub(super) fn new(profile: &'a Profile) -> Homes<'a> {
        let mut homes = Homes {
            profile,
            of_track: vec![],
            of_thread: HashMap::new(),
            others: vec![],
            taken: HashSet::new(),
            pids: HashMap::new(),
        };
        let tracks = &profile.timeline.tracks;
        for (row, track) in tracks.iter().enumerate() {
            let id = TrackId(row as u32);
            if let Some(base) = profile.timeline.beside(id) {
                homes.of_track.push(homes.of_track[base.index()].clone());
                continue;
            }
            let pid = homes.pid(homes.owner(id), profile.text(track.name));
            let home = homes.home(pid, track, id);
            homes.of_track.push(home);
            if let Some(thread) = track.thread {
                homes.of_thread.entry((track.member, thread)).or_insert(row);
            }
        }
        homes
    }

    /// Where samples of a thread of a recording go.
    pub(super) fn of_thread(&self, member: MemberId, thread: ThreadId) -> Option<&Home> {
        match self.of_thread.get(&(member, thread)) {
            Some(&row) => self.of_track.get(row),
            None => {
                let found = self.others.binary_search_by_key(&thread, |(thread, _)| *thread);
                found.ok().map(|row| &self.others[row].1)
            }
        }
    }

    /// Gives homes to threads without a track, which it lists.
    pub(super) fn add_threads(&mut self) -> &[(ThreadId, Home)] {
        let profile = self.profile;
        let known: HashSet<ThreadId> = self.of_thread.keys().map(|(_, thread)| *thread).collect();
        for (row, thread) in profile.threads.iter().enumerate() {
            let id = ThreadId(row as u32);
            if known.contains(&id) {
                continue;
            }
            let owner = |process| Owner::Process(process, MemberId(0));
            let pid = self.pid(thread.process.map_or(Owner::Nobody, owner), "");
            let texts = [thread.id, thread.name].map(|text| profile.text(text));
            let tid = self.unique(&pid, texts.into_iter().find(|text| !text.is_empty()), row);
            self.others.push((id, Home { pid, tid, lane: None }));
        }
        &self.others
    }

    /// The process that a track is of.
    fn owner(&self, id: TrackId) -> Owner {
        let tracks = &self.profile.timeline.tracks;
        let mut at = Some(id);
        while let Some(id) = at {
            let track = tracks[id.index()];
            if let Some(process) = track.process {
                return Owner::Process(process, track.member);
            }
            if track.kind == TrackKind::Process {
                return Owner::Track(id);
            }
            at = track.parent;
        }
        Owner::Nobody
    }

    fn pid(&mut self, owner: Owner, name: &str) -> String {
        if let Some(pid) = self.pids.get(&owner) {
            return pid.clone();
        }
        let profile = self.profile;
        let wanted = match owner {
            Owner::Process(process, _) => {
                let process = profile.processes[process.index()];
                [process.id, process.name].map(|id| profile.text(id)).into_iter().find(is_written)
            }
            Owner::Track(_) => Some(name).filter(is_written),
            Owner::Nobody => None,
        };
        let pid = self.unclaimed("", wanted.unwrap_or("").to_owned());
        self.pids.insert(owner, pid.clone());
        pid
    }

    fn home(&mut self, pid: String, track: &Track, id: TrackId) -> Home {
        let profile = self.profile;
        let thread = track.thread.map(|thread| profile.threads[thread.index()]);
        let own = thread.map_or("", |thread| profile.text(thread.id));
        let name = thread.map_or("", |thread| profile.text(thread.name));
        let names = [own, profile.text(track.name), name];
        let wanted = names.into_iter().find(is_written);
        match track.kind {
            TrackKind::Process => {
                let has_spans = !profile.timeline.spans.of_track(id).is_empty();
                let tid =
                    if has_spans { self.unique(&pid, Some("process"), 0) } else { String::new() };
                Home { pid, tid, lane: None }
            }
            TrackKind::Lane => {
                let wanted = wanted.unwrap_or(LANE);
                let category = match wanted.strip_prefix(LANE) {
                    Some("") => "",
                    Some(rest) => rest.strip_prefix(": ").unwrap_or(wanted),
                    None => wanted,
                };
                let tid = self.unique(&pid, Some(&lane_name(category)), id.index());
                let category = tid.strip_prefix(LANE).unwrap_or("");
                let category = category.strip_prefix(": ").unwrap_or("").to_owned();
                Home { pid, tid, lane: Some(category) }
            }
            _ => {
                let tid = self.unique(&pid, wanted, id.index());
                Home { pid, tid, lane: None }
            }
        }
    }

    /// A thread's identifier that nothing else of the process has.
    fn unique(&mut self, pid: &str, wanted: Option<&str>, number: usize) -> String {
        let wanted = wanted.map_or_else(|| format!("track {number}"), str::to_owned);
        // An empty one before it keeps threads and processes apart.
        self.unclaimed(&format!("{pid}\0"), wanted)
    }

    fn unclaimed(&mut self, of: &str, wanted: String) -> String {
        let mut text = wanted.clone();
        let mut count = 1;
        while !self.taken.insert((of.to_owned(), text.clone())) {
            count += 1;
            text = match wanted.as_str() {
                LANE => format!("{LANE}: {count}"),
                wanted => format!("{wanted} ({count})"),
            };
        }
        text
    }
}

fn is_written(text: &&str) -> bool {
    !text.is_empty()
}

/// How the lane of a category is called.
pub(crate) fn lane_name(category: &str) -> String {
    if category.is_empty() { LANE.to_owned() } else { format!("{LANE}: {category}") }
}
