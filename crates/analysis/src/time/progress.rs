//! Recordings that did the same in other times: which of their spans belong together.

use std::collections::HashMap;

use profile::{Clock, MemberId, Profile, StringId, Track, TrackId, TrackKind};
use work::steps;

use super::span_statistics::{Key, key_of};

/// More spans of a recording are not matched: those of the names that take the most time are.
const MOST_MATCHED: usize = 200_000;

/// Spans of one name on one track, as recordings may have it in common: the track's kind, process and name.
type Place = (Key, TrackKind, StringId, StringId);

/// By member, spans by place: begin and end, by begin.
type Found = Vec<HashMap<Place, Vec<[i64; 2]>>>;

/// How a recording stands on the first one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Progress {
    pub(super) clock: Clock,
    /// Spans of it whose begin and end stand on those of one of the first.
    pub(super) matched: usize,
}

/// Puts every member on the first one: the k-th span of a name on a track belongs to the k-th of that name and
/// track in the other, if there are as many; of spans that `is_meant` chooses also if there are not. Begins and
/// ends of these stand together; where they contradict each other, most of them in one order.
pub(super) fn progress(profile: &Profile, is_meant: Option<&[bool]>) -> Vec<Progress> {
    let mut found = spans_of(profile, is_meant);
    let mut others = found.split_off(1.min(found.len()));
    let Some(first) = found.pop() else { return vec![] };
    let mut all = vec![Progress::default()];
    all.extend(others.iter_mut().map(|of| onto(profile, &first, of, is_meant.is_some())));
    all
}

fn spans_of(profile: &Profile, is_meant: Option<&[bool]>) -> Found {
    let mut all: Found = vec![HashMap::new(); profile.members.len()];
    let timeline = &profile.timeline;
    for (number, track) in timeline.tracks.iter().enumerate() {
        let Some(of) = all.get_mut(track.member.index()) else { continue };
        let [process, name] = names_of(profile, track);
        for row in steps("matching spans", timeline.spans.of_track(TrackId(number as u32))) {
            let context = profile.points.context[timeline.spans.point(row).index()];
            if is_meant.is_some_and(|is_meant| !is_meant[context.index()]) {
                continue;
            }
            let key = key_of(profile, row, track.kind == TrackKind::Lane);
            let span = timeline.spans.get(row);
            let place = (key, track.kind, process, name);
            of.entry(place).or_default().push([span.begin, span.end()]);
        }
    }
    // Tracks of one name are one: where they are several, by begin.
    for spans in all.iter_mut().flat_map(HashMap::values_mut) {
        spans.sort_unstable();
    }
    all
}

/// Names of a track's process and its own: identifiers are others in every recording.
fn names_of(profile: &Profile, track: &Track) -> [StringId; 2] {
    let process = track.process.map(|process| profile.processes[process.index()].name);
    let thread = track.thread.map(|thread| profile.threads[thread.index()].name);
    let name = if track.name == StringId::EMPTY { thread } else { Some(track.name) };
    [process, name].map(|name| name.unwrap_or(StringId::EMPTY))
}

fn onto(
    profile: &Profile,
    first: &HashMap<Place, Vec<[i64; 2]>>,
    own: &mut HashMap<Place, Vec<[i64; 2]>>,
    is_chosen: bool,
) -> Progress {
    let length = |spans: &[[i64; 2]]| {
        spans.iter().fold(0i64, |sum, [begin, end]| sum.saturating_add(end.saturating_sub(*begin)))
    };
    let mut both: Vec<(i64, Place, &[[i64; 2]], &[[i64; 2]])> = own
        .iter()
        .filter_map(|(place, own)| Some((length(own), *place, &own[..], &first.get(place)?[..])))
        .filter(|(.., own, first)| is_chosen || own.len() == first.len())
        .collect();
    let text = |id: StringId| profile.text(id);
    both.sort_by(|(length, place, ..), (other_length, other, ..)| {
        let names = |((name, file, lane), kind, process, track): &Place| {
            (text(*name), text(*file), *lane, kind.name(), text(*process), text(*track))
        };
        other_length.cmp(length).then_with(|| names(place).cmp(&names(other)))
    });
    let (mut threads, mut lanes, mut matched): (Vec<[[i64; 2]; 2]>, Vec<[[i64; 2]; 2]>, _) =
        (vec![], vec![], 0);
    for (_, place, own, first) in both {
        let count = own.len().min(first.len());
        if matched + count > MOST_MATCHED {
            continue;
        }
        matched += count;
        let onto =
            own.iter().zip(first).map(|(own, first)| [[own[0], first[0]], [own[1], first[1]]]);
        if place.1 == TrackKind::Lane { lanes.extend(onto) } else { threads.extend(onto) }
    }
    // What threads do is in one order; operations beside them stand where that leaves room.
    let chain = longest_rising(threads.iter().flatten().copied().collect());
    let fits = |pair: &[i64; 2]| {
        let behind = chain.partition_point(|one| one[0] < pair[0]);
        let is_behind = behind.checked_sub(1).is_none_or(|before| chain[before][1] < pair[1]);
        let is_before = chain
            .get(behind)
            .is_none_or(|next| next == pair || (next[0] > pair[0] && next[1] > pair[1]));
        is_behind && is_before
    };
    let others: Vec<[i64; 2]> = lanes.iter().flatten().filter(|pair| fits(pair)).copied().collect();
    let chain = longest_rising([chain, others].concat());
    let stands = |pair: &[i64; 2]| chain.binary_search(pair).is_ok();
    let both = threads.iter().chain(&lanes);
    let matched = both.filter(|ends| ends.iter().all(stands)).count();
    Progress { clock: Clock::new(chain), matched }
}

/// Most of the pairs such that both times rise: the longest increasing subsequence, by patience sorting (Fredman
/// 1975).
fn longest_rising(mut pairs: Vec<[i64; 2]>) -> Vec<[i64; 2]> {
    // Of equal first times the larger second comes first, so that no two of them rise.
    pairs.sort_unstable_by(|a, b| a[0].cmp(&b[0]).then(b[1].cmp(&a[1])));
    pairs.dedup();
    let mut ends: Vec<usize> = vec![];
    let mut before: Vec<Option<usize>> = vec![None; pairs.len()];
    for (at, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end| pairs[end][1] < pair[1]);
        before[at] = length.checked_sub(1).map(|length| ends[length]);
        if length == ends.len() {
            ends.push(at);
        } else {
            ends[length] = at;
        }
    }
    let mut chain = vec![];
    let mut at = ends.last().copied();
    while let Some(place) = at {
        chain.push(pairs[place]);
        at = before[place];
    }
    chain.reverse();
    chain
}

/// A member that nothing matches.
pub(super) fn unmatched(all: &[Progress]) -> Option<MemberId> {
    let member = all.iter().skip(1).position(|one| one.matched == 0)?;
    Some(MemberId(member as u32 + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_pairs_that_rise_are_kept() {
        let pairs = vec![[1, 100], [2, 10], [3, 20], [3, 25], [4, 30], [5, 5]];
        let chain = longest_rising(pairs);
        assert_eq!(chain.len(), 3);
        assert!(chain.windows(2).all(|two| two[0][0] < two[1][0] && two[0][1] < two[1][1]));
        assert_eq!(longest_rising(vec![]), Vec::<[i64; 2]>::new());
    }
}
