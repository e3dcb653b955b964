//! The exchange file when a part of it is damaged: the sound blocks before are kept whole, and
//! nothing of the others.

use profile::{
    ContextId, Fact, FactKind, FactValue, LabelSetId, Location, LocationKind, Member, MemberId,
    Metric, Note, NoteOf, Profile, ProfileBuilder, Warned,
};

use crate::encode::{Message, message};
use crate::measured::{profile, read, warnings};
use formats::{ReadError, format_named};

fn written(profile: &Profile) -> Vec<u8> {
    let mut bytes = vec![];
    format_named("hotframe").unwrap().write(profile, &mut bytes).unwrap();
    bytes
}

/// Two stacks with two points, in one metric.
fn sound() -> Vec<u8> {
    let mut builder = ProfileBuilder::new(vec![Metric::new("time", "nanoseconds")]);
    let mut place = |name: &str| {
        let function = builder.function(name, "", 0);
        builder.location(Location::default(), &[(Some(function), 0, 0)])
    };
    let (main, load) = (place("main"), place("load"));
    let at = builder.stack([main, load]);
    builder.points.push(at, LabelSetId(0), &[5]);
    builder.points.push(at, LabelSetId(0), &[7]);
    written(&builder.finish())
}

/// Appends a block.
fn with_block(bytes: Vec<u8>, block: Message) -> Vec<u8> {
    [bytes, message().message(3, block).0].concat()
}

/// Columns after their count.
fn table(count: i64, columns: &[(u64, &[i64])]) -> Message {
    let message = message().int(1, count);
    columns.iter().fold(message, |message, &(field, cells)| message.packed(field, cells))
}

#[track_caller]
fn check_left_out(bytes: &[u8], reason: &str) {
    assert_eq!(profile(bytes), profile(sound()));
    let warnings = warnings(bytes);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].contains(reason), "{warnings:?}");
    assert!(warnings[0].contains("byte "), "it says where: {warnings:?}");
}

#[test]
fn a_bad_block_leaves_none_of_its_rows() {
    let member = message().bytes(1, b"m");
    // Points of which the third names a context that does not exist, after rows of all tables.
    let values = message().packed(1, &[2, 2, 2]);
    let points = table(3, &[(2, &[4, 0, 80]), (8, &[1, 2, 3])]).message(3, values);
    let block = message()
        .message(2, message().bytes(2, b"p"))
        .message(4, message().int(1, 1))
        .message(5, table(1, &[(2, &[1])]))
        .message(6, table(1, &[(7, &[1])]))
        .message(7, table(1, &[(2, &[1]), (3, &[1])]))
        .message(8, table(1, &[(2, &[1]), (3, &[1]), (4, &[1]), (5, &[2])]))
        .message(9, message().int(1, 1))
        .message(10, message().int(2, 1))
        .message(11, member.clone())
        .packed(12, &[1])
        .message(13, points);
    let bytes = with_block(sound(), block);
    check_left_out(&bytes, "contexts");
    // The block is bad in its origin, which comes last.
    let origin = message().bytes(2, b"p").bytes(16, &[1 << 3 | 2, 9]);
    let bytes = with_block(sound(), message().message(11, member).message(2, origin));
    check_left_out(&bytes, "cut short");
    // Late metrics.
    let metric = message().message(3, message().bytes(1, b"m"));
    check_left_out(&with_block(sound(), metric), "after the first point");
    // What follows is not a block at all, and it is not the end of the file either.
    check_left_out(&[sound(), vec![0; 40]].concat(), "field");
}

#[test]
fn what_comes_before_the_first_sound_block_is_an_error() {
    let head = &sound()[..20];
    assert_eq!(head[18..], [2 << 3, 2], "magic and version");
    let contexts = table(1, &[(2, &[1]), (3, &[9])]);
    let bytes = with_block(head.to_vec(), message().message(7, contexts));
    let error = read(bytes).err().unwrap().to_string();
    assert!(error.contains("locations"), "{error}");
}

#[test]
fn whatever_byte_is_damaged_the_points_are_whole() {
    let bytes = written(&crate::measured::sample("pprof/cpu.pb.gz"));
    let mut kept = 0;
    for at in 20..bytes.len().min(4000) {
        for flip in [1, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[at] ^= flip;
            // It may say something else; it must not be half a profile.
            match read(&damaged) {
                Ok(opened) => {
                    assert_eq!(opened.profile.check(), [], "byte {at}");
                    kept += usize::from(opened.warnings.iter().next().is_some());
                }
                // There is one block.
                Err(ReadError::Nothing { .. }) => kept += 1,
                Err(_) => {}
            }
        }
    }
    assert!(kept > 0, "no block was left out");
}

/// What is known of members is written and read again, whatever it is.
#[test]
fn facts_of_members_stay() {
    let mut builder = ProfileBuilder::new(vec![Metric::new("time", "nanoseconds")]);
    let mut text = |text: &str| builder.strings.intern(text);
    let (ns, empty) = (text("nanoseconds"), text(""));
    let facts = vec![
        Fact { name: text("numpy"), kind: FactKind::Factor, value: FactValue::Text(text("2.2")) },
        Fact {
            name: text("wall time"),
            kind: FactKind::Measure,
            value: FactValue::Number(-(1 << 62), ns),
        },
        Fact {
            name: text("faults"),
            kind: FactKind::Measure,
            value: FactValue::Number(i64::MAX, empty),
        },
        Fact { name: text("load"), kind: FactKind::Note, value: FactValue::Text(empty) },
    ];
    for (name, facts) in [("with", facts), ("without", vec![])] {
        builder.members.push(Member { name: name.to_owned(), facts, ..Member::default() });
    }
    builder.origin.format = "hotframe".to_owned();
    let before = builder.finish();
    assert_eq!(before.check(), []);
    let after = profile(written(&before));
    assert_eq!(after, before);
    assert_eq!(after.fact_text(MemberId(0), "numpy"), Some("2.2"));
    assert_eq!(after.fact_text(MemberId(1), "numpy"), None);
}

#[test]
fn a_fact_that_is_reported_twice_is_refused() {
    let fact = || message().int(1, 1).int(4, 2);
    let member = message().bytes(1, b"m").message(8, fact()).message(8, fact());
    check_left_out(&with_block(sound(), message().message(11, member)), "the fact 'main' twice");
    let unknown = message().bytes(1, b"m").message(8, fact().int(2, 3));
    check_left_out(&with_block(sound(), message().message(11, unknown)), "no kind of facts 3");
}

/// Calls main > load with a note on each place, below a basic block whose instruction is known.
fn noted() -> Profile {
    let mut builder = ProfileBuilder::new(vec![Metric::new("time", "nanoseconds")]);
    let main = builder.function("main", "main.c", 3);
    let block = builder.function("block 2", "main.c", 9);
    let outer = builder.location(Location::default(), &[(Some(main), 4, 0)]);
    let kind = LocationKind::Block;
    let block = builder.location(Location { kind, ..Location::default() }, &[(Some(block), 9, 0)]);
    let instruction = builder.strings.intern("vmovups ymm0, [rsi]");
    let inner = Location { address: 0x40, instruction, ..Location::default() };
    let inner = builder.location(inner, &[(Some(main), 9, 0)]);
    let first = builder.stack([outer]);
    let last = builder.stack([outer, block, inner]);
    builder.points.push(last, LabelSetId(0), &[5]);
    // What a later stack puts between them gives contexts other numbers.
    let other = builder.stack([inner]);
    builder.points.push(first, LabelSetId(0), &[1]);
    builder.points.push(other, LabelSetId(0), &[2]);
    let file = builder.strings.intern("main.c");
    let places = [
        NoteOf::Line(file, 9),
        NoteOf::Context(last),
        NoteOf::Function(main),
        NoteOf::Context(ContextId::ROOT),
    ];
    for about in places {
        let title = builder.strings.intern("Unrolled");
        let text = builder.strings.intern(&format!("{about:?}"));
        let link = builder.strings.intern("https://example.com/unroll");
        let note = Note { about, title, text, link };
        builder.notes.extend([note, note]);
    }
    builder.origin.format = "hotframe".to_owned();
    builder.finish()
}

#[test]
fn notes_and_instructions_are_written_and_read() {
    let before = noted();
    assert_eq!(before.check(), []);
    assert_eq!(before.notes.len(), 4, "each once");
    let NoteOf::Context(last) = before.notes[1].about else { panic!("{:?}", before.notes) };
    assert_eq!(before.contexts.subtree(last).len(), 1);
    let path = std::iter::successors(Some(last), |&at| before.contexts.parent(at)).count();
    assert_eq!(path, 4, "the innermost of three, and the root");
    let after = profile(written(&before));
    assert_eq!(after.notes, before.notes);
    assert_eq!(after, before);
}

#[test]
fn what_cannot_hold_notes_says_that_they_are_lost() {
    let before = noted();
    let losses = |format: &str| {
        let warnings = format_named(format).unwrap().losses(&before);
        warnings.iter().map(|one| one.message.clone()).collect::<Vec<_>>().join("\n")
    };
    let pprof = losses("pprof");
    assert!(pprof.contains("notes on places in code") && pprof.contains("texts of instructions"));
    let csv = losses("csv");
    assert!(csv.contains("notes on places in code") && !csv.contains("texts of instructions"));
}

#[test]
fn damaged_notes_are_left_out_and_reported() {
    let note = |columns: &[(u64, &[i64])]| message().message(23, table(1, columns));
    check_left_out(&with_block(sound(), note(&[(2, &[0]), (3, &[9])])), "contexts");
    check_left_out(&with_block(sound(), note(&[(2, &[1]), (3, &[9])])), "functions");
    check_left_out(&with_block(sound(), note(&[(2, &[2]), (3, &[1])])), "line 0");
    check_left_out(&with_block(sound(), note(&[(2, &[2]), (3, &[99]), (4, &[1])])), "strings");
    check_left_out(&with_block(sound(), note(&[(2, &[3])])), "kind of a note is 3");
    check_left_out(&with_block(sound(), note(&[(5, &[99])])), "strings");
    check_left_out(&with_block(sound(), note(&[(5, &[1, 1])])), "entries");
}

/// A file says again what was said of those that it was made of.
#[test]
fn warnings_of_earlier_readers_stay() {
    let warned = |kind: &str, message: &str, count| Warned {
        kind: kind.to_owned(),
        message: message.to_owned(),
        count,
    };
    let mut first = profile(sound());
    first.origin.warnings =
        vec![warned("cut", "it is cut short", 1), warned("late", "3 came late", 3)];
    let opened = read(written(&first)).unwrap();
    let told: Vec<_> = opened.warnings.iter().map(|one| (&*one.message, one.count)).collect();
    assert_eq!(told, [("it is cut short", 1), ("3 came late", 3)]);
    assert_eq!(opened.warnings.list(), first.origin.warnings);
    // No more than a thousand, however many there are.
    first.origin.warnings = (0..3000).map(|at| warned(&at.to_string(), "much", 1)).collect();
    let opened = read(written(&first)).unwrap();
    assert!((1000..=1002).contains(&opened.warnings.iter().len()));
}
