//! Several recordings on one axis of time: their clocks moved so that what belongs together stands
//! together. Lengths stay as they were measured.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use profile::{Clock, Member, MemberId, Profile, TrackId};
use work::steps;

use super::hosts;
use super::progress::{progress, unmatched};
use super::window::contexts_of;
use super::{TimeRangeError, time_text};
use crate::shown::frames_matching;
use crate::{Pattern, PatternError};

/// What of recordings is put together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AlignBy {
    /// The first of anything that happened in each.
    Start,
    /// The times at which they were measured: what was at once stands together. Clocks of hosts differ:
    /// by host how many nanoseconds later what was measured there is shown.
    Clock(Vec<(String, i64)>),
    /// The first span, or mark, whose name a regular expression matches.
    At(String),
    /// Spans of one name on each other, stretched; of all, or of those whose names a regular expression
    /// matches.
    Progress(Option<String>),
    /// As they were recorded.
    Recorded,
    /// By hand: members by name, or `#2` for the second, and how many nanoseconds later each is shown.
    Hand(Vec<(String, i64)>),
}

/// How clocks were moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aligned {
    /// By member, by how many nanoseconds its times are later than they were.
    pub moved: Vec<i64>,
    /// By member, how many spans or marks matched: of which the first was taken, or by progress all. Empty
    /// otherwise.
    pub matches: Vec<usize>,
    /// By member, how it is stretched; empty where none is.
    pub clocks: Vec<Clock>,
}

/// Why recordings cannot be aligned.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AlignError {
    /// There is nothing to align.
    #[error("there is only one recording: open several together to align them")]
    Single,
    /// A recording has no times.
    #[error("'{0}' has no timestamps")]
    Untimed(String),
    /// A recording does not say when it was measured.
    #[error("'{0}' does not say when it was measured: align by start, or at a span")]
    NoClock(String),
    /// Nothing matches.
    #[error("no span and no mark of '{member}' matches '{pattern}'")]
    NoMatch {
        /// The recording.
        member: String,
        /// The regular expression.
        pattern: String,
    },
    /// Spans are other ones.
    #[error(
        "no span of '{member}' matches one of '{first}': if their numbers differ, progress:NAME matches them one by one"
    )]
    NoProgress {
        /// The recording.
        member: String,
        /// The one it is put on.
        first: String,
    },
    /// No recording, or several, have the name.
    #[error("{count} recordings are called '{name}': there are {known}")]
    NoMember {
        /// What was asked for.
        name: String,
        /// How many have it.
        count: usize,
        /// The names that there are.
        known: String,
    },
    /// No recording is of the host.
    #[error("no recording was measured on '{name}': there are {known}")]
    NoHost {
        /// What was asked for.
        name: String,
        /// The hosts that there are.
        known: String,
    },
    /// One recording is to stand in two places.
    #[error("'{0}' is moved twice")]
    Twice(String),
    /// The pattern is too large.
    #[error(transparent)]
    Pattern(#[from] PatternError),
}

/// Why a text says no way to align.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AlignByError {
    /// No way of that name.
    #[error(
        "cannot align by '{0}': it is start, clock, clock:HOST=1.5s, recorded, at:NAME, progress, \
             progress:NAME, or by hand, FILE=1.5s,#2=-20ms"
    )]
    Unknown(String),
    /// A time by hand is none.
    #[error("cannot align by hand: {0}")]
    Time(#[from] TimeRangeError),
}

impl FromStr for AlignBy {
    type Err = AlignByError;

    fn from_str(text: &str) -> Result<AlignBy, AlignByError> {
        match text {
            "start" => return Ok(AlignBy::Start),
            "clock" => return Ok(AlignBy::Clock(vec![])),
            "recorded" => return Ok(AlignBy::Recorded),
            "progress" => return Ok(AlignBy::Progress(None)),
            _ => {}
        }
        if let Some(pattern) = text.strip_prefix("at:").filter(|pattern| !pattern.is_empty()) {
            return Ok(AlignBy::At(pattern.to_owned()));
        }
        if let Some(pattern) = text.strip_prefix("progress:").filter(|pattern| !pattern.is_empty())
        {
            return Ok(AlignBy::Progress(Some(pattern.to_owned())));
        }
        let by_hand = |part: &str| {
            let (name, time) =
                part.rsplit_once('=').ok_or_else(|| AlignByError::Unknown(text.to_owned()))?;
            Ok((name.trim().to_owned(), super::range::time(time.trim(), None)?))
        };
        let all = |text: &str| text.split(',').map(by_hand).collect::<Result<_, AlignByError>>();
        match text.strip_prefix("clock:") {
            Some(offsets) => all(offsets).map(AlignBy::Clock),
            None => all(text).map(AlignBy::Hand),
        }
    }
}

impl fmt::Display for AlignBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AlignBy::Start => f.write_str("start"),
            AlignBy::Clock(offsets) if offsets.is_empty() => f.write_str("clock"),
            AlignBy::Clock(offsets) => write!(f, "clock:{}", by_name(offsets)),
            AlignBy::Recorded => f.write_str("recorded"),
            AlignBy::At(pattern) => write!(f, "at:{pattern}"),
            AlignBy::Progress(None) => f.write_str("progress"),
            AlignBy::Progress(Some(pattern)) => write!(f, "progress:{pattern}"),
            AlignBy::Hand(by) => f.write_str(&by_name(by)),
        }
    }
}

fn by_name(times: &[(String, i64)]) -> String {
    let all = times.iter().map(|(name, time)| format!("{name}={}", time_text(*time)));
    all.collect::<Vec<_>>().join(",")
}

/// Aligns the members of a profile on the first of them: its times stay, but by hand, where those that
/// are named move. How they were aligned before does not matter.
///
/// # Errors
/// Where there is one member alone, or one lacks what they are aligned by. Then all stay as they are.
pub fn align(profile: &mut Profile, by: &AlignBy) -> Result<Aligned, AlignError> {
    let before: Vec<i64> = profile.members.iter().map(|member| member.moved_ns).collect();
    if before.len() < 2 {
        return Err(AlignError::Single);
    }
    let back: Vec<i64> = before.iter().map(|moved| moved.saturating_neg()).collect();
    profile.shift_members(&back);
    let clocks = std::mem::take(&mut profile.timeline.clocks);
    let (by, aligned) = match moves(profile, by) {
        Ok(aligned) => (aligned.moved.clone(), Ok(aligned)),
        Err(error) => (before, Err(error)),
    };
    profile.shift_members(&by);
    profile.timeline.clocks = match &aligned {
        Ok(aligned) => aligned.clocks.clone(),
        Err(_) => clocks,
    };
    aligned
}

/// By how much members move from where they were recorded.
fn moves(profile: &Profile, by: &AlignBy) -> Result<Aligned, AlignError> {
    let members = &profile.members;
    let (mut matches, mut clocks) = (vec![], vec![]);
    let moved = match by {
        AlignBy::Start => together(profile, &first_times(profile)?),
        AlignBy::Clock(offsets) => {
            let missing = members.iter().find(|member| member.time_ns == 0);
            if let Some(member) = missing {
                return Err(AlignError::NoClock(member.name.clone()));
            }
            let first = members[0].time_ns;
            let offset = hosts::offsets(members, offsets)?;
            let later = |(member, offset): (&Member, i64)| {
                member.time_ns.saturating_add(offset).saturating_sub(first)
            };
            members.iter().zip(offset).map(later).collect()
        }
        AlignBy::At(pattern) => {
            let found = first_matches(profile, pattern)?;
            matches = found.iter().map(|found| found.1).collect();
            together(profile, &found.into_iter().map(|found| found.0).collect::<Vec<_>>())
        }
        AlignBy::Progress(pattern) => {
            let is_meant = match pattern {
                Some(pattern) => {
                    let pattern = Pattern::typed(pattern)?;
                    Some(contexts_of(profile, &frames_matching(profile, &pattern)))
                }
                None => None,
            };
            let all = progress(profile, is_meant.as_deref());
            if let Some(member) = unmatched(&all) {
                let name = |member: usize| members[member].name.clone();
                let (first, member) = (name(0), name(member.index()));
                return Err(AlignError::NoProgress { member, first });
            }
            matches = all.iter().map(|one| one.matched).collect();
            clocks = all.into_iter().map(|one| one.clock).collect();
            vec![0; members.len()]
        }
        AlignBy::Recorded => vec![0; members.len()],
        AlignBy::Hand(by) => {
            let mut moved = vec![0i64; members.len()];
            let mut named = BTreeSet::new();
            for (name, time) in by {
                let number = name.strip_prefix('#').and_then(|number| number.parse().ok());
                let is_called = |&member: &usize| {
                    is_named(&members[member].name, name) || number == Some(member + 1)
                };
                let called: Vec<usize> = (0..members.len()).filter(is_called).collect();
                let [member] = called[..] else {
                    let known = members.iter().map(|member| format!("'{}'", member.name));
                    let known = known.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>();
                    let (count, known) = (called.len(), known.join(", "));
                    return Err(AlignError::NoMember { name: name.clone(), count, known });
                };
                if !named.insert(member) {
                    return Err(AlignError::Twice(name.clone()));
                }
                moved[member] = *time;
            }
            moved
        }
    };
    Ok(Aligned { moved, matches, clocks })
}

/// Whether a member has a name, or a run of a side of a comparison, `new / b.json`, has it there.
fn is_named(member: &str, name: &str) -> bool {
    member == name || member.rsplit_once(" / ").is_some_and(|(_, run)| run == name)
}

/// How far each member moves so that its time is that of the first.
fn together(profile: &Profile, times: &[i64]) -> Vec<i64> {
    (0..profile.members.len()).map(|member| times[0].saturating_sub(times[member])).collect()
}

/// By member, its first time.
fn first_times(profile: &Profile) -> Result<Vec<i64>, AlignError> {
    let mut first: Vec<Option<i64>> = vec![None; profile.members.len()];
    let mut see = |member: MemberId, time: i64| {
        if let Some(first) = first.get_mut(member.index()) {
            *first = Some(first.map_or(time, |known| known.min(time)));
        }
    };
    let points = &profile.points;
    if points.has_times() {
        for point in steps("finding begins", 0..points.len()) {
            if let Some(time) = points.time(point) {
                see(points.member(point), time);
            }
        }
    }
    let timeline = &profile.timeline;
    for (number, track) in timeline.tracks.iter().enumerate() {
        let id = TrackId(number as u32);
        if let Some(row) = timeline.spans.of_track(id).next() {
            see(track.member, timeline.spans.begin(row));
        }
        if let Some(row) = timeline.marks.of_track(id).next() {
            see(track.member, timeline.marks.get(id, row).time);
        }
    }
    for counter in &timeline.counters {
        if let Some(&time) = counter.times.first() {
            see(timeline.tracks[counter.track.index()].member, time);
        }
    }
    let named = first.into_iter().zip(&profile.members);
    named.map(|(first, member)| first.ok_or(AlignError::Untimed(member.name.clone()))).collect()
}

/// By member, when the first matching span begins or mark is, and how many match.
fn first_matches(profile: &Profile, pattern: &str) -> Result<Vec<(i64, usize)>, AlignError> {
    let compiled = Pattern::typed(pattern)?;
    let is_inside = contexts_of(profile, &frames_matching(profile, &compiled));
    let mut found: Vec<(Option<i64>, usize)> = vec![(None, 0); profile.members.len()];
    let timeline = &profile.timeline;
    for (number, track) in timeline.tracks.iter().enumerate() {
        let Some((first, count)) = found.get_mut(track.member.index()) else { continue };
        let mut see = |time: i64| {
            *first = Some(first.map_or(time, |known: i64| known.min(time)));
            *count += 1;
        };
        let id = TrackId(number as u32);
        for row in steps("finding spans", timeline.spans.of_track(id)) {
            let point = timeline.spans.point(row);
            if is_inside[profile.points.context[point.index()].index()] {
                see(timeline.spans.begin(row));
            }
        }
        for row in timeline.marks.of_track(id) {
            let mark = timeline.marks.get(id, row);
            if compiled.is_match(profile.text(mark.kind)) {
                see(mark.time);
            }
        }
    }
    let named = found.into_iter().zip(&profile.members);
    let checked = named.map(|((first, count), member)| match first {
        Some(first) => Ok((first, count)),
        None => {
            let (member, pattern) = (member.name.clone(), pattern.to_owned());
            Err(AlignError::NoMatch { member, pattern })
        }
    });
    checked.collect()
}
