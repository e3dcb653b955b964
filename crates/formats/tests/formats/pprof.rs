//! What profile.proto files may hold, point by point.

use crate::encode::{Message, function, location, message, sample, value_type};
use formats::{Opened, ReadError, ReadOptions, Source};
use profile::{FrameId, LabelValue, MetricId, Profile};

/// Strings 1 to 6 of [`small`].
const STRINGS: [&str; 7] = ["", "cpu", "nanoseconds", "main", "parse", "read", "main.go"];

/// Types, two samples, three functions: `main` calls `parse` calls `read`.
fn small() -> Message {
    message()
        .message(1, value_type(1, 2))
        .message(2, sample(&[3, 2, 1], &[70]))
        .message(2, sample(&[2, 1], &[30]))
        .message(4, location(1, &[(1, 10)]))
        .message(4, location(2, &[(2, 20)]))
        .message(4, location(3, &[(3, 30)]))
        .message(5, function(1, 3, 6))
        .message(5, function(2, 4, 6))
        .message(5, function(3, 5, 6))
        .strings(&STRINGS)
}

fn read_bytes(bytes: &[u8], name: &str) -> Result<Opened, ReadError> {
    formats::read(Source { bytes: Box::new(bytes), file_name: name }, &ReadOptions::default())
}

fn read(message: Message) -> Opened {
    let opened = read_bytes(&message.0, "a.pb").unwrap();
    assert_eq!(opened.profile.check(), []);
    opened
}

fn fails(message: Message) -> String {
    read_bytes(&message.0, "a.pb").unwrap_err().to_string()
}

/// Each point as `outer;inner value...`, inlined frames in parentheses.
fn stacks(profile: &Profile) -> Vec<String> {
    (profile.points.context.iter().enumerate())
        .map(|(row, &context)| {
            let mut path: Vec<_> =
                std::iter::successors(Some(context), |&c| profile.contexts.parent(c)).collect();
            path.reverse();
            let frames = path.into_iter().flat_map(|c| profile.frames_of(c)).map(FrameId);
            let names: Vec<String> = frames
                .map(|frame| {
                    if profile.is_inlined(frame) {
                        format!("({})", profile.frame_name(frame))
                    } else {
                        profile.frame_name(frame).into_owned()
                    }
                })
                .collect();
            let values: Vec<_> = profile.points.row(row).iter().map(i64::to_string).collect();
            format!("{} {}", names.join(";"), values.join(" "))
        })
        .collect()
}

#[test]
fn stacks_are_leaf_first_and_inlined_lines_innermost_first() {
    let profile = message()
        .message(1, value_type(1, 2))
        .message(2, sample(&[2, 1], &[5]))
        .message(4, location(1, &[(1, 10)]))
        .message(4, location(2, &[(3, 30), (2, 20)]))
        .message(5, function(1, 3, 6))
        .message(5, function(2, 4, 6))
        .message(5, function(3, 5, 6))
        .strings(&STRINGS);
    assert_eq!(stacks(&read(profile).profile), ["main;parse;(read) 5"]);
}

#[test]
fn start_line_line_and_column_are_three_things() {
    let line = message().int(1, 1).int(2, 12).int(3, 7);
    let profile = message()
        .message(1, value_type(1, 2))
        .message(2, sample(&[1], &[1]))
        .message(4, message().int(1, 1).message(4, line))
        .message(5, function(1, 3, 6).int(5, 10))
        .strings(&STRINGS);
    let profile = read(profile).profile;
    assert_eq!((profile.frames.line[0], profile.frames.column[0]), (12, 7));
    assert_eq!(profile.functions.start_line[0], 10);
}

#[test]
fn places_without_lines_show_module_and_address() {
    let mapping = message().int(1, 1).int(2, 0x1000).int(3, 0x9000).int(5, 3);
    let profile = message()
        .message(1, value_type(1, 2))
        .message(2, sample(&[1, 2], &[1]))
        .message(3, mapping)
        .message(4, message().int(1, 1).int(2, 1).int(3, 0x1234))
        .message(4, message().int(1, 2).int(3, 0x77))
        .strings(&["", "cpu", "nanoseconds", "/usr/lib/libz.so"]);
    assert_eq!(stacks(&read(profile).profile), ["0x77;libz.so+0x1234 1"]);
}

#[test]
fn ids_are_any_64_bit_number() {
    let huge = -2; // 2^64 - 2
    let profile = message()
        .message(1, value_type(1, 2))
        .message(2, sample(&[huge, 5_000_000_000], &[1]))
        .message(4, location(huge, &[(huge, 1)]))
        .message(4, location(5_000_000_000, &[(9, 1)]))
        .message(5, function(9, 3, 6))
        .message(5, function(huge, 4, 6))
        .strings(&STRINGS);
    assert_eq!(stacks(&read(profile).profile), ["main;parse 1"]);
}

#[test]
fn every_sample_has_one_value_a_type() {
    let error = fails(small().message(2, sample(&[1], &[1, 2])));
    assert!(error.contains("a sample has 2 values, the ones before have 1"), "{error}");
    let error = fails(small().message(1, value_type(1, 2)));
    assert!(error.contains("samples have 1 values, but 2 sample types"), "{error}");
}

#[test]
fn the_default_type_is_named_or_the_last() {
    let two = || {
        message()
            .message(1, value_type(1, 2))
            .message(1, value_type(3, 2))
            .message(2, sample(&[], &[1, 2]))
            .strings(&STRINGS)
    };
    assert_eq!(read(two()).profile.origin.default_metric, MetricId(1));
    assert_eq!(read(two().int(14, 1)).profile.origin.default_metric, MetricId(0));
    // A name that no type has leaves the last.
    assert_eq!(read(two().int(14, 4)).profile.origin.default_metric, MetricId(1));
}

#[test]
fn string_zero_must_be_empty() {
    let profile = message().message(1, value_type(0, 0)).strings(&["oops", "b"]);
    assert!(fails(profile).contains("string 0 is \"oops\""));
}

#[test]
fn strings_that_are_not_utf8_are_repaired_and_counted() {
    let profile = small().bytes(6, b"caf\xe9").bytes(6, b"\xff\xfe");
    let opened = read(profile);
    let warning = opened.warnings.iter().next().unwrap();
    assert!(warning.message.contains("string 7"), "{}", warning.message);
    assert_eq!(warning.count, 2);
}

#[test]
fn labels_keep_values_units_and_repetition_and_part_samples() {
    let label =
        |key, text, number, unit| message().int(1, key).int(2, text).int(3, number).int(4, unit);
    let labelled = |labels: &[Message]| {
        labels.iter().fold(sample(&[1], &[1]), |sample, label| sample.message(3, label.clone()))
    };
    let profile = message()
        .message(1, value_type(1, 2))
        .message(2, labelled(&[label(3, 4, 0, 0), label(3, 5, 0, 0)]))
        .message(2, labelled(&[label(6, 0, i64::MIN, 2)]))
        .message(2, labelled(&[label(6, 0, 0, 0)]))
        .message(2, labelled(&[]))
        .message(4, location(1, &[(1, 1)]))
        .message(5, function(1, 3, 6))
        .strings(&STRINGS);
    let profile = read(profile).profile;
    let text = |point: usize| -> Vec<String> {
        let labels = profile.label_sets.get(profile.points.labels(point));
        labels
            .map(|label| match label.value {
                LabelValue::Text(text) => {
                    format!("{}={}", profile.text(label.key), profile.text(text))
                }
                LabelValue::Number(n, unit) => {
                    format!("{}={n}{}", profile.text(label.key), profile.text(unit))
                }
            })
            .collect()
    };
    assert_eq!(text(0), ["main=parse", "main=read"]);
    assert_eq!(text(1), ["main.go=-9223372036854775808nanoseconds"]);
    assert_eq!(text(2), ["main.go=0"]);
    assert_eq!(text(3), [""; 0]);
    assert_eq!(profile.points.len(), 4, "equal stacks with different labels stay apart");
}

#[test]
fn packed_and_single_integers_mean_the_same() {
    let single = message().int(1, 3).int(1, 2).int(1, 1).int(2, 70);
    let mixed = message().packed(1, &[3]).int(1, 2).packed(1, &[1]).int(2, 70);
    for form in [single, mixed] {
        let profile = message()
            .message(1, value_type(1, 2))
            .message(2, form)
            .message(2, sample(&[3, 2, 1], &[70]))
            .message(4, location(1, &[(1, 10)]))
            .message(4, location(2, &[(2, 20)]))
            .message(4, location(3, &[(3, 30)]))
            .message(5, function(1, 3, 6))
            .message(5, function(2, 4, 6))
            .message(5, function(3, 5, 6))
            .strings(&STRINGS);
        let profile = read(profile).profile;
        assert_eq!(stacks(&profile), ["main;parse;read 70", "main;parse;read 70"]);
        assert_eq!(profile.points.context[0], profile.points.context[1]);
    }
}

#[test]
fn unknown_fields_are_skipped() {
    let strange = small()
        .int(99, 5)
        .bytes(100, b"later versions")
        .message(2, sample(&[1], &[1]).bytes(44, b"x").int(45, 1));
    let mut fixed = strange.0;
    fixed.extend([
        (200u32 << 3 | 1) as u8 | 0x80,
        (200u32 << 3 >> 7) as u8,
        1,
        2,
        3,
        4,
        5,
        6,
        7,
        8,
    ]);
    let profile = read(Message(fixed)).profile;
    assert_eq!(stacks(&profile).len(), 3);
}

#[test]
fn values_reach_the_ends_of_64_bits() {
    let profile = small()
        .message(2, sample(&[1], &[i64::MAX]))
        .message(2, sample(&[1], &[i64::MIN]))
        .message(2, sample(&[1], &[-1]));
    let opened = read(profile);
    let told: Vec<_> = opened.warnings.iter().map(|one| one.message.as_str()).collect();
    assert!(told.iter().any(|told| told.contains("-2^63 are held at -2^63 + 1")), "{told:?}");
    let profile = opened.profile;
    assert_eq!(profile.points.row(2), [i64::MAX]);
    assert_eq!(profile.points.row(3), [i64::MIN + 1]);
    assert_eq!(profile.metric_total(MetricId(0)), (99, true));
    let profile = read(small().message(2, sample(&[1], &[i64::MAX]))).profile;
    assert_eq!(
        profile.metric_total(MetricId(0)),
        (i64::MAX, true),
        "held at the limit, and said so"
    );
}

#[test]
fn concatenated_profiles_are_detected() {
    let timed = small().int(9, 1_700_000_000);
    let mut twice = timed.0.clone();
    twice.extend(&timed.0);
    assert!(fails(Message(twice)).contains("concatenated profiles"));
    read(timed);
}

#[test]
fn gzip_with_several_members_and_zstd_are_opened() {
    use std::io::Write as _;
    let bytes = small().0;
    let pack = |part: &[u8]| {
        let mut packer = flate2::write::GzEncoder::new(vec![], flate2::Compression::fast());
        packer.write_all(part).unwrap();
        packer.finish().unwrap()
    };
    let (head, tail) = bytes.split_at(bytes.len() / 2);
    let members = [pack(head), pack(tail)].concat();
    let plain = read_bytes(&bytes, "").unwrap().profile;
    assert_eq!(read_bytes(&members, "").unwrap().profile, plain);
    let zstd =
        ruzstd::encoding::compress_to_vec(&bytes[..], ruzstd::encoding::CompressionLevel::Fastest);
    assert_eq!(read_bytes(&zstd, "").unwrap().profile, plain);
}

#[test]
fn missing_tables_are_errors_and_missing_entries_are_repaired() {
    let tables_lost = message().message(1, value_type(1, 2)).message(2, sample(&[1], &[1]));
    assert!(fails(tables_lost).contains("before its string table"));
    let opened = read(small().message(2, sample(&[77, 1], &[4])));
    assert!(stacks(&opened.profile).contains(&"main;[missing location 77] 4".to_owned()));
    assert_eq!(opened.warnings.iter().count(), 1);
    let opened = read(small().message(2, sample(&[8], &[4])).message(4, location(8, &[(88, 3)])));
    assert_eq!(opened.warnings.iter().count(), 1, "function 88 is not defined");
    let opened = read(small().message(4, location(1, &[(2, 9)])));
    assert!(opened.warnings.iter().next().unwrap().message.contains("defined twice"));
}

#[test]
fn string_indices_out_of_range_name_their_place() {
    for broken in [
        small().message(5, function(9, 7, 0)),
        small().message(5, function(9, -1, 0)),
        small().int(13, 1 << 40),
        small().message(2, sample(&[1], &[1]).message(3, message().int(1, 99).int(2, 1))),
        small().message(3, message().int(1, 1).int(5, 12)),
    ] {
        let error = fails(broken);
        assert!(error.contains("string") && error.contains("at byte"), "{error}");
    }
}

#[test]
fn names_of_a_megabyte_and_stacks_of_a_hundred_thousand_frames() {
    let name = "x".repeat(1 << 20);
    let deep: Vec<i64> = (0..100_000).map(|depth| depth % 3 + 1).collect();
    let profile = small()
        .message(2, sample(&deep, &[1]))
        .bytes(6, name.as_bytes())
        .message(5, function(9, 7, 0));
    let profile = read(profile).profile;
    assert_eq!(profile.contexts.len(), 100_000 + 3, "`main` is shared");
    let longest = profile.functions.name.last().unwrap();
    assert_eq!(profile.text(*longest).len(), 1 << 20);
}

#[test]
fn damage_is_an_error_or_a_warning_never_a_panic() {
    let whole = small().0;
    for len in 0..whole.len() {
        drop(read_bytes(&whole[..len], "a.pb"));
    }
    for bit in 0..whole.len() * 8 {
        let mut flipped = whole.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        if let Ok(opened) = read_bytes(&flipped, "a.pb") {
            assert_eq!(opened.profile.check(), [], "bit {bit}");
        }
    }
}

#[test]
fn limits_stop_bombs() {
    use std::io::Write as _;
    let mut packer = flate2::write::GzEncoder::new(vec![], flate2::Compression::best());
    let one = message().message(2, message()).0;
    packer.write_all(&small().0).unwrap();
    for number in 0..1000 {
        // Equal texts are held once.
        let text = format!("{number:x>50000}{number:x>50000}");
        packer.write_all(&message().bytes(6, text.as_bytes()).0).unwrap();
    }
    packer.write_all(&one).unwrap();
    let bomb = packer.finish().unwrap();
    assert!(bomb.len() < 1_000_000);
    let read = |options: &ReadOptions| {
        formats::read(Source { bytes: Box::new(&bomb[..]), file_name: "" }, options).unwrap_err()
    };
    let error = read(&ReadOptions { max_size: 10 << 20, ..ReadOptions::default() });
    assert!(error.to_string().contains("--max-size"), "{error}");
    let error = read(&ReadOptions { max_memory: 10 << 20, ..ReadOptions::default() });
    assert!(error.to_string().contains("--max-memory"), "{error}");
}

#[test]
fn a_field_that_promises_more_than_the_file_holds_takes_no_memory() {
    let mut bytes = small().0;
    // A string of 2^50 bytes.
    bytes.extend([6 << 3 | 2, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02]);
    let error = read_bytes(&bytes, "a.pb").unwrap_err();
    assert!(matches!(error, ReadError::Truncated { .. }), "{error}");
}

/// Samples whose stacks take more bytes than wait at once, so that they are looked up beside the reader: the
/// file, and the ids of each stack from the outermost on. Location `n` has the address `n`.
fn many_stacks() -> (Message, Vec<Vec<i64>>) {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below) as i64
    };
    let mut profile = message().message(1, value_type(1, 2));
    let mut all: Vec<Vec<i64>> = vec![];
    for number in 0..20_000 {
        let stack: Vec<i64> = match random(5) {
            // One that was there before, or the callers of one.
            0 if number > 0 => {
                let before = &all[random(number) as usize];
                before[..random(before.len() as u64 + 1) as usize].to_vec()
            }
            _ => (0..random(40)).map(|depth| depth * 3 + 1 + random(3)).collect(),
        };
        let leaf_first: Vec<i64> = stack.iter().rev().copied().collect();
        let form = match random(7) {
            0 => leaf_first.iter().fold(message(), |form, &id| form.int(1, id)).int(2, 1),
            _ => sample(&leaf_first, &[1]),
        };
        profile = profile.message(2, form);
        all.push(stack);
    }
    for id in 1..=120 {
        profile = profile.message(4, location(id, &[]).int(3, id));
    }
    (profile.strings(&STRINGS), all)
}

#[test]
fn stacks_that_are_many_are_those_of_the_file() {
    let (file, written) = many_stacks();
    let profile = read(file).profile;
    let prefixes: std::collections::HashSet<&[i64]> =
        written.iter().flat_map(|stack| (1..=stack.len()).map(|len| &stack[..len])).collect();
    assert_eq!(profile.contexts.len(), prefixes.len() + 1, "every path is there once");
    for (point, stack) in written.iter().enumerate() {
        let mut path: Vec<i64> =
            std::iter::successors(Some(profile.points.context[point]), |&context| {
                profile.contexts.parent(context)
            })
            .filter_map(|context| profile.contexts.location(context))
            .map(|location| profile.locations.get(location).address as i64)
            .collect();
        path.reverse();
        assert_eq!(&path, stack, "sample {point}");
    }
}

#[test]
fn of_several_faults_the_first_counts() {
    let good = many_stacks().0.0;
    let mut overlong = vec![0x80; 10];
    overlong.push(1);
    let bad = message().message(2, message().bytes(1, &overlong).int(2, 1)).0;
    // What ends in the middle of a field, and what says nothing of it.
    for (before, cut) in [(0, 3), (0, good.len() / 2), (good.len(), 0), (good.len(), 3)] {
        let file = [&good[..before], &bad, &good[..good.len() - cut]].concat();
        match read_bytes(&file, "a.pb").unwrap_err() {
            ReadError::Malformed { place, reason, .. } => {
                assert_eq!(place.0, before as u64 + 2, "{reason}");
                assert!(reason.contains("more than ten bytes"), "{reason}");
            }
            other => panic!("{other}"),
        }
    }
}

/// A limit does not depend on how far the thread of stacks has come when the file ends.
#[test]
fn stacks_that_are_looked_up_last_count() {
    for samples in [1, 3] {
        let mut file = message().message(1, value_type(1, 2));
        for number in 0..samples {
            let mut stack = vec![1; 1_000_000];
            stack[0] = number + 1;
            file = file.message(2, sample(&stack, &[1]));
        }
        let file = file.message(4, location(1, &[])).strings(&STRINGS).0;
        let read = |max_memory: usize| {
            let options = ReadOptions { max_memory, ..ReadOptions::default() };
            formats::read(Source { bytes: Box::new(&file[..]), file_name: "a.pb" }, &options)
        };
        // Eight bytes of a context and what finishing takes, at least.
        let error = read(20 << 20).unwrap_err();
        assert!(error.to_string().contains("--max-memory"), "{error}");
        assert!(read(1 << 30).is_ok());
    }
}
