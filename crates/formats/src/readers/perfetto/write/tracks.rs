//! Descriptors of tracks, and the numbers of processes and threads.

use std::collections::{HashMap, HashSet};

use profile::{MemberId, ProcessId, Profile, ThreadId, Track, TrackId, TrackKind};

use super::writer::put;
use crate::readers::perfetto::schema::track;
use crate::wire::MessageWriter;

/// A track's identifier; its lines have more of them.
pub(super) fn uuid(track: TrackId) -> u64 {
    u64::from(track.0) + 1
}

/// The identifier of a line of a track; line 0 is the track itself.
pub(super) fn line_uuid(track: TrackId, line: u64) -> u64 {
    uuid(track) | line << 32
}

/// Numbers of processes and threads, which have to be numbers here, and others in each recording.
pub(super) struct Numbers {
    processes: HashMap<(MemberId, ProcessId), i32>,
    threads: HashMap<(MemberId, ThreadId), i32>,
    /// Of tracks of threads that no thread is known of.
    tracks: HashMap<TrackId, i32>,
    /// How many had others.
    pub(super) changed: usize,
}

impl Numbers {
    pub(super) fn new(profile: &Profile) -> Numbers {
        let mut numbers = Numbers {
            processes: HashMap::new(),
            threads: HashMap::new(),
            tracks: HashMap::new(),
            changed: 0,
        };
        let mut taken = HashSet::new();
        // Those of the first recording keep theirs.
        for member in 0..profile.members.len().max(1) as u32 {
            for (row, process) in profile.processes.iter().enumerate() {
                let number = numbers.number(profile.text(process.id), None, &mut taken);
                numbers.processes.insert((MemberId(member), ProcessId(row as u32)), number);
            }
        }
        let tracks = (0..).map(TrackId).zip(&profile.timeline.tracks);
        for (row, track) in tracks.filter(|(_, track)| track.kind == TrackKind::Thread) {
            let Some(id) = track.thread else {
                let of = numbers.process(track.member, track.process);
                let number = numbers.number("", Some(of), &mut taken);
                numbers.tracks.insert(row, number);
                continue;
            };
            let thread = profile.threads[id.index()];
            let key = (track.member, id);
            if !numbers.threads.contains_key(&key) {
                let of = numbers.process(track.member, thread.process);
                let number = numbers.number(profile.text(thread.id), Some(of), &mut taken);
                numbers.threads.insert(key, number);
            }
        }
        numbers
    }

    fn number(
        &mut self,
        text: &str,
        of: Option<i32>,
        taken: &mut HashSet<(Option<i32>, i32)>,
    ) -> i32 {
        let own = text.parse::<i32>().ok().filter(|number| number.to_string() == text);
        if let Some(number) = own.filter(|&number| taken.insert((of, number))) {
            return number;
        }
        self.changed += 1;
        let mut number = 1_000_000_000 + self.changed as i32;
        while !taken.insert((of, number)) {
            number -= 1;
        }
        number
    }

    fn process(&self, member: MemberId, id: Option<ProcessId>) -> i32 {
        id.and_then(|id| self.processes.get(&(member, id))).copied().unwrap_or(0)
    }
}

/// Whether a track is told as a thread of a process.
pub(super) fn is_thread(profile: &Profile, id: TrackId) -> bool {
    let own = profile.timeline.tracks[id.index()];
    own.kind == TrackKind::Thread && profile.timeline.beside(id).is_none()
}

/// Whether a track is told as a processor, by its name.
pub(super) fn is_processor_by_name(own: &Track) -> bool {
    own.kind == TrackKind::Processor && own.parent.is_none() && own.cpu.is_some()
}

/// The descriptor of a track, or of one of its lines.
pub(super) fn descriptor(
    profile: &Profile,
    numbers: &Numbers,
    id: TrackId,
    line: u64,
) -> MessageWriter {
    let own = profile.timeline.tracks[id.index()];
    let mut told = MessageWriter::default();
    put(&mut told, track::UUID, line_uuid(id, line));
    if let Some(parent) = own.parent {
        put(&mut told, track::PARENT, uuid(parent));
    }
    let signed = |number: i32| i64::from(number) as u64;
    let order = own.order.clamp(i32::MIN.into(), i32::MAX.into()) as u64;
    let mut inner = MessageWriter::default();
    match own.kind {
        TrackKind::Process if own.process.is_some() && line == 0 => {
            put(&mut inner, 1, signed(numbers.process(own.member, own.process)));
            inner.integer(3, order);
            let name =
                own.process.map_or("", |id| name_of(profile, &profile.processes[id.index()]));
            inner.text(6, name);
            told.bytes(track::PROCESS, &inner.bytes);
        }
        _ if is_thread(profile, id) && line == 0 => {
            let thread = own.thread.map(|id| (id, profile.threads[id.index()]));
            let process = thread.and_then(|(_, thread)| thread.process);
            put(&mut inner, 1, signed(numbers.process(own.member, process.or(own.process))));
            let number = thread
                .and_then(|(id, _)| numbers.threads.get(&(own.member, id)))
                .or_else(|| numbers.tracks.get(&id))
                .copied()
                .unwrap_or(0);
            put(&mut inner, 2, signed(number));
            inner.integer(3, order);
            let name = thread.map_or(profile.text(own.name), |(_, thread)| {
                match profile.text(thread.name) {
                    "" if profile.text(thread.id) != number.to_string() => profile.text(thread.id),
                    name => name,
                }
            });
            inner.text(5, name);
            told.bytes(track::THREAD, &inner.bytes);
        }
        TrackKind::Processor if is_processor_by_name(&own) => {
            told.text(track::NAME, &format!("processor {}", own.cpu.unwrap_or(0)));
        }
        _ => {
            let thread = own.thread.map(|id| profile.threads[id.index()]);
            let texts = [Some(own.name), thread.map(|thread| thread.id)];
            let texts = texts.into_iter().flatten().map(|text| profile.text(text));
            told.text(track::NAME, texts.into_iter().find(|text| !text.is_empty()).unwrap_or(""));
            if order != 0 {
                put(&mut told, 11, 3);
                put(&mut told, track::ORDER, order);
            }
        }
    }
    told
}

/// The name of a process; its identifier where that is not a number and there is no name.
fn name_of<'a>(profile: &'a Profile, process: &profile::Process) -> &'a str {
    match profile.text(process.name) {
        "" if profile.text(process.id).parse::<i32>().is_err() => profile.text(process.id),
        name => name,
    }
}
