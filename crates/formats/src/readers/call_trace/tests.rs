//! Random traces against an obvious way to add them up.

use std::collections::BTreeMap;

use calltrace::{
    Anchor, Demotion, Facts, Function, FunctionKind, Gap, Happened, Packer, Section, Word,
};
use profile::{FrameId, MetricId, Profile};
use proptest::prelude::*;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use crate::input::stream::Stream;
use crate::{ReadOptions, Warnings};

/// A trace of one thread whose ticks are nanoseconds.
pub(super) fn trace(words: &[Vec<Word>], others: &[Section], ends: bool) -> Vec<u8> {
    let function = |number: u32| Function {
        number,
        kind: if number == 3 { FunctionKind::C } else { FunctionKind::Python },
        name: format!("f{number}"),
        file: "p.py".into(),
        ..Function::default()
    };
    let facts = Facts { clock: "monotonic".into(), pid: 7, ..Facts::default() };
    let mut sections = vec![
        Section::Process(facts),
        Section::Anchor(Anchor::default()),
        Section::Functions((0..4).map(function).collect()),
        Section::Thread { number: 0, id: 70, name: "main".into() },
    ];
    let (mut packer, mut start, mut count) = (Packer::default(), 0, 0);
    for words in words {
        let packed = packer.pack(words.iter().copied(), 0);
        let frame = compress_to_vec(&packed.bytes[..], CompressionLevel::Fastest);
        let (events, length) = (packed.events, packed.bytes.len() as u32);
        sections.push(Section::Events { thread: 0, start, events, length, frame });
        (start, count) = (start + packed.ticks, count + events);
    }
    sections.extend_from_slice(others);
    if ends {
        sections.push(Section::End { reason: "exit".into(), events: count, sites: 0 });
    }
    sections.iter().flat_map(Section::bytes).collect()
}

pub(super) fn read(bytes: &[u8]) -> (Profile, Vec<(String, u64)>) {
    let mut warnings = Warnings::default();
    let stream = Stream::new(Box::new(bytes), u64::MAX);
    let profile = super::read::read(stream, &ReadOptions::default(), &mut warnings).unwrap();
    assert!(profile.check().is_empty(), "{:?}", profile.check());
    (profile, warnings.iter().map(|one| (one.message.clone(), one.count)).collect())
}

/// Self time and calls by path.
pub(super) fn self_times_by_path(profile: &Profile) -> BTreeMap<Vec<String>, (i64, i64)> {
    let mut all = BTreeMap::new();
    for row in 0..profile.points.len() {
        let mut path = vec![];
        let mut at = Some(profile.points.get(row).context);
        while let Some(context) = at {
            if let Some(location) = profile.contexts.location(context) {
                let frame = FrameId(profile.locations.frames(location).next().unwrap());
                let function = profile.frames.function(frame).unwrap();
                let name = profile.functions.name[function.index()];
                path.insert(0, profile.strings.get(name).to_owned());
            }
            at = profile.contexts.parent(context);
        }
        let value = |metric| profile.points.value(row, MetricId(metric));
        let sum: &mut (i64, i64) = all.entry(path).or_default();
        (sum.0, sum.1) = (sum.0 + value(0), sum.1 + value(1));
    }
    all.retain(|_, sum| *sum != (0, 0));
    all
}

/// The functions that are open after some events, found from the first one on.
fn open_after(events: &[(Happened, u32, u32)]) -> Vec<u32> {
    let mut open: Vec<u32> = vec![];
    for &(happened, function, _) in events {
        match open.iter().rposition(|&one| one == function) {
            _ if !happened.leaves() => open.push(function),
            Some(at) => open.truncate(at),
            None => {}
        }
    }
    open
}

fn event() -> impl Strategy<Value = (Happened, u32, u32)> {
    let happened = prop_oneof![
        4 => Just(Happened::Call),
        4 => Just(Happened::Return),
        1 => Just(Happened::Unwind),
        1 => Just(Happened::Suspend),
        1 => Just(Happened::Resume),
    ];
    (happened, 0u32..4, 0u32..50)
}

proptest! {
    /// Whatever begins and ends in whatever order, each nanosecond is of the innermost call of all those
    /// around it, and each call counts once.
    #[test]
    fn time_is_of_the_innermost_call(
        events in prop::collection::vec(event(), 0..60),
        cut in 0usize..60,
    ) {
        let words: Vec<Word> =
            events.iter().map(|&(happened, function, ticks)| Word::new(happened, function, ticks)).collect();
        let cut = cut.min(words.len());
        let (profile, _) = read(&trace(&[words[..cut].to_vec(), words[cut..].to_vec()], &[], true));
        let mut plain: BTreeMap<Vec<String>, (i64, i64)> = BTreeMap::new();
        let names = |open: &[u32]| open.iter().map(|one| format!("f{one}")).collect::<Vec<_>>();
        for (at, &(happened, _, ticks)) in events.iter().enumerate() {
            let before = open_after(&events[..at]);
            if !before.is_empty() {
                plain.entry(names(&before)).or_default().0 += i64::from(ticks);
            }
            if happened == Happened::Call {
                plain.entry(names(&open_after(&events[..=at]))).or_default().1 += 1;
            }
        }
        plain.retain(|_, sum| *sum != (0, 0));
        prop_assert_eq!(self_times_by_path(&profile), plain);
        // Spans are as long as what is in them.
        let spans = profile.timeline.spans.len();
        let begun = events.iter().filter(|(happened, ..)| !happened.leaves()).count();
        prop_assert_eq!(spans, begun);
    }

    /// A file that was cut anywhere tells what stands before, or why not.
    #[test]
    fn no_cut_or_change_stops_the_reader(at in 0usize..2000, byte in any::<u8>()) {
        let words = vec![Word::new(Happened::Call, 1, 5), Word::new(Happened::Return, 1, 6)];
        let whole = trace(&[words], &[], true);
        let at = at % whole.len();
        let mut changed = whole.clone();
        changed[at] = byte;
        for bytes in [&whole[..at], &changed] {
            let stream = Stream::new(Box::new(bytes), u64::MAX);
            let _ = super::read::read(stream, &ReadOptions::default(), &mut Warnings::default());
        }
    }
}

#[test]
fn reports_what_is_missing() {
    let call = Word::new(Happened::Call, 1, 5);
    let inner = Word::new(Happened::Call, 2, 10);
    let gap = Gap { thread: 0, first: 40, last: 90, events: 1234 };
    let demotion = Demotion { function: 2, ticks: 20, calls: 77 };
    let (profile, warnings) =
        read(&trace(&[vec![call, inner]], &[Section::Gap(gap), Section::Demoted(demotion)], false));
    let is_told = |text: &str, count| {
        let found = warnings.iter().find(|(message, _)| message.contains(text));
        assert_eq!(found.map(|(_, count)| *count), Some(count), "{text}: {warnings:?}");
    };
    is_told("ended from outside", 1);
    is_told("events that were lost", 1234);
    is_told("f2 (exact to call 77)", 1);
    // What was open ends where the gap begins.
    let [f1, f2] = [vec!["f1".to_owned()], vec!["f1".to_owned(), "f2".to_owned()]];
    assert_eq!(self_times_by_path(&profile), BTreeMap::from([(f1, (10, 1)), (f2, (25, 1))]));
}

#[test]
fn processes_that_were_put_together_share_an_axis() {
    let words = || vec![Word::new(Happened::Call, 1, 5), Word::new(Happened::Return, 1, 6)];
    let mut both = trace(&[words()], &[], true);
    both.extend(trace(&[words()], &[], true));
    let (profile, warnings) = read(&both);
    assert_eq!(warnings, []);
    assert_eq!(self_times_by_path(&profile), BTreeMap::from([(vec!["f1".to_owned()], (12, 2))]));
    assert_eq!(profile.timeline.tracks.len(), 4);
}
