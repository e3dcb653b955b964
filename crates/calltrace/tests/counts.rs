//! Sums of calls against a replay that looks at every stack.

use std::collections::BTreeMap;

use calltrace::counts::{Counts, NOBODY, Open, Sums};
use calltrace::pstats::Profile;
use calltrace::{Function, Happened, Word};
use proptest::prelude::*;

/// Calls (a function) and returns (none), each some ticks after the one before.
type Steps = Vec<(Option<u32>, u32)>;

fn words(steps: &Steps) -> Vec<Word> {
    let mut open = vec![];
    let mut words = vec![];
    for &(step, ticks) in steps {
        match step {
            Some(function) => {
                open.push(function);
                words.push(Word::new(Happened::Call, function, ticks));
            }
            None => {
                if let Some(function) = open.pop() {
                    words.push(Word::new(Happened::Return, function, ticks));
                }
            }
        }
    }
    words
}

/// By function and by pair, each tick given to the stack that it was spent on.
fn replayed(words: &[Word]) -> BTreeMap<(Option<u32>, u32), Sums> {
    let mut sums: BTreeMap<(Option<u32>, u32), Sums> = BTreeMap::new();
    let mut stack: Vec<u32> = vec![];
    let pairs_of = |stack: &[u32]| -> Vec<(Option<u32>, u32)> {
        let callers = std::iter::once(NOBODY).chain(stack.iter().copied());
        callers.zip(stack).map(|(caller, &callee)| (Some(caller), callee)).collect()
    };
    for word in words {
        let ticks = u64::from(word.ticks());
        let mut on_stack: Vec<_> = stack.iter().map(|&function| (None, function)).collect();
        on_stack.extend(pairs_of(&stack));
        on_stack.sort_unstable();
        on_stack.dedup();
        on_stack.iter().for_each(|key| sums.entry(*key).or_default().cumulative += ticks);
        if let Some(&last) = stack.last() {
            sums.entry((None, last)).or_default().own += ticks;
            sums.entry(*pairs_of(&stack).last().expect("a stack")).or_default().own += ticks;
        }
        if word.happened() == Some(Happened::Call) {
            let before = pairs_of(&stack);
            let is_open = stack.contains(&word.number());
            stack.push(word.number());
            let pair = *pairs_of(&stack).last().expect("a stack");
            let is_pair_open = before.contains(&pair);
            for (key, is_open) in [((None, word.number()), is_open), (pair, is_pair_open)] {
                let sums = sums.entry(key).or_default();
                sums.calls += 1;
                sums.primitive += u64::from(!is_open);
            }
        } else {
            stack.pop();
        }
    }
    sums
}

fn counted(words: &[Word], parts: usize) -> BTreeMap<(Option<u32>, u32), Sums> {
    let (mut counts, mut open) = (Counts::default(), Open::at(5));
    for part in words.chunks(parts) {
        counts.follow(&mut open, part.iter().copied());
    }
    counts.finish(&mut open);
    let functions = (0..6).map(|function| ((None, function), counts.function(function)));
    let pairs = counts.pairs().map(|(caller, callee, sums)| ((Some(caller), callee), sums));
    functions.chain(pairs).filter(|(_, sums)| *sums != Sums::default()).collect()
}

proptest! {
    #[test]
    fn sums_are_those_of_every_stack(
        steps in proptest::collection::vec((proptest::option::weighted(0.6, 0u32..6), 1u32..50), 0..200),
        parts in 1usize..20,
    ) {
        let words = words(&steps);
        prop_assert_eq!(counted(&words, parts), replayed(&words));
    }
}

#[test]
fn what_began_before_is_left_alone_and_what_was_not_left_is_closed() {
    let mut counts = Counts::default();
    let mut open = Open::at(0);
    let events = [
        Word::new(Happened::Return, 9, 1),
        Word::new(Happened::Call, 0, 1),
        Word::new(Happened::Far, 1, 0),
        Word::new(Happened::Call, 1, 0),
        // Function 1 was left unseen.
        Word::new(Happened::Return, 0, 7),
    ];
    assert_eq!(counts.follow(&mut open, events.into_iter()), 4);
    let far = 1 << 32;
    let sums = |calls, own, cumulative| Sums { calls, primitive: calls, own, cumulative };
    assert_eq!(counts.function(0), sums(1, far, far + 7));
    assert_eq!(counts.function(1), sums(1, 7, 7));
    assert_eq!(counts.function(9), Sums::default());
}

#[test]
fn what_pauses_is_one_call() {
    let mut counts = Counts::default();
    let mut open = Open::at(0);
    let steps = [Happened::Call, Happened::Suspend, Happened::Resume, Happened::Return];
    counts.follow(&mut open, steps.into_iter().map(|happened| Word::new(happened, 3, 10)));
    assert_eq!(counts.function(3), Sums { calls: 1, primitive: 1, own: 20, cumulative: 20 });
}

#[test]
fn profiles_of_processes_add_up_and_are_read_again() {
    let mut counts = Counts::default();
    let mut open = Open::at(0);
    let steps =
        [(Happened::Call, 0), (Happened::Call, 1), (Happened::Return, 1), (Happened::Return, 0)];
    let steps = steps.iter().cycle().take(4 * 70_000);
    counts.follow(&mut open, steps.map(|&(happened, of)| Word::new(happened, of, 1_000_000)));
    let function = |number, name: &str| Function {
        number,
        name: name.to_owned(),
        file: "a.py".to_owned(),
        line: number + 1,
        ..Function::default()
    };
    let functions = [function(0, "main"), function(1, "leaf")];
    let mut all = Profile::new(&counts, &functions, 0.5);
    assert_eq!(all.calls(), 140_000);
    // Enough for counts of more than 32 bits.
    for _ in 0..16 {
        all.add(all.clone());
    }
    assert_eq!(all.calls(), 140_000 << 16);
    let bytes = all.bytes();
    assert_eq!(Profile::read(&bytes), Some(all));
    // Of anything else nothing is read.
    assert_eq!(Profile::read(&bytes[..bytes.len() - 1]), None);
    assert_eq!(Profile::read(&[&bytes[..], b"0"].concat()), None);
    assert_eq!(Profile::read(b""), None);
    assert_eq!(Profile::read(b"{l\xff\xff\xff\xff"), None);
}
