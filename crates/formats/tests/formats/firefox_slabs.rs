//! JsonSlabs: the same as the JSON that they stand for.

use std::io::Write;

use crate::measured::{folded, profile, read, testdata};
use formats::ReadError;
use profile::MetricId;
use serde_json::{Value, json};

/// The types of slabs, by their numbers.
const TYPES: [&str; 11] =
    ["i8", "u8", "i16", "u16", "i32", "u32", "f32", "f64", "i64", "u64", "json"];

fn size(kind: usize) -> usize {
    [1, 1, 2, 2, 4, 4, 4, 8, 8, 8, 1][kind]
}

/// Slabs with their types.
#[derive(Default)]
struct Slabs {
    list: Vec<(usize, Vec<u8>)>,
    used: [bool; 11],
}

impl Slabs {
    fn add(&mut self, kind: usize, bytes: Vec<u8>) -> Value {
        self.used[kind] = true;
        self.list.push((kind, bytes));
        json!({"$s": self.list.len() - 1})
    }

    /// A list of numbers, in one of the types that hold it: another each time.
    fn numbers(&mut self, list: &[Value]) -> Option<Value> {
        let floats: Option<Vec<f64>> = list.iter().map(Value::as_f64).collect();
        let floats = floats.filter(|floats| !floats.is_empty())?;
        let whole: Option<Vec<i128>> = list
            .iter()
            .map(|n| n.as_i64().map(i128::from).or(n.as_u64().map(i128::from)))
            .collect();
        let fits = |kind: usize| match (kind, &whole) {
            (6, _) => floats.iter().all(|&n| f64::from(n as f32) == n),
            (7, None) => true,
            (7, Some(whole)) => whole.iter().all(|&n| n as f64 as i128 == n),
            (10, _) | (_, None) => false,
            (kind, Some(whole)) => {
                let bits = size(kind) * 8;
                let low = if matches!(kind, 0 | 2 | 4 | 8) { -(1i128 << (bits - 1)) } else { 0 };
                whole.iter().all(|n| (low..low + (1i128 << bits)).contains(n))
            }
        };
        let wanted = self.list.len() % 10;
        let kind = (0..10).map(|step| (wanted + step) % 10).find(|&kind| fits(kind))?;
        let mut bytes = vec![];
        for (at, &float) in floats.iter().enumerate() {
            match kind {
                6 => bytes.extend((float as f32).to_le_bytes()),
                7 => bytes.extend(float.to_le_bytes()),
                _ => bytes.extend(&whole.as_ref().unwrap()[at].to_le_bytes()[..size(kind)]),
            }
        }
        Some(self.add(kind, bytes))
    }

    /// The value with its lists of numbers, and some of its objects, moved out.
    fn moved(&mut self, value: &Value, key: &str) -> Value {
        match value {
            Value::Array(list) => self.numbers(list).unwrap_or_else(|| {
                list.iter().map(|element| self.moved(element, "")).collect::<Vec<_>>().into()
            }),
            Value::Object(object) => {
                let members =
                    object.iter().map(|(key, value)| (key.clone(), self.moved(value, key)));
                let object = Value::Object(members.collect());
                match key {
                    "meta" | "samples" | "shared" => {
                        self.add(10, serde_json::to_vec(&object).unwrap())
                    }
                    _ => object,
                }
            }
            other => other.clone(),
        }
    }

    /// The container, with the root behind the other slabs.
    fn container(&self, root: &str) -> Vec<u8> {
        let all: Vec<_> =
            self.list.iter().cloned().chain([(10, root.as_bytes().to_vec())]).collect();
        let mut bytes = b"\xdc\xdfJSLB\x01\x00".to_vec();
        for word in [1, all.len(), all.len() - 1] {
            bytes.extend((word as u32).to_le_bytes());
        }
        let (mut table, mut data) = (vec![], vec![]);
        let start = bytes.len() + all.len() * 12;
        for (kind, slab) in &all {
            data.resize((start + data.len()).next_multiple_of(size(*kind)) - start, 0);
            for word in [*kind, start + data.len(), slab.len()] {
                table.extend((word as u32).to_le_bytes());
            }
            data.extend(slab);
        }
        bytes.extend(table);
        bytes.extend(data);
        bytes
    }
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(vec![], flate2::Compression::fast());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

#[test]
fn slabs_read_as_the_json_that_they_stand_for() {
    let bytes = std::fs::read(testdata("firefox/inlined-unpacked.firefox.json")).unwrap();
    let json: Value = serde_json::from_slice(&bytes).unwrap();
    // With its members in the same order.
    let plain = profile(json.to_string());
    let mut slabs = Slabs::default();
    let root = slabs.moved(&json, "");
    let container = slabs.container(&root.to_string());
    assert!(slabs.list.len() > 20, "{} slabs", slabs.list.len());
    assert!(profile(&container) == plain);
    assert!(profile(gzipped(&container)) == plain);
}

/// A profile whose stacks, times and weights are the slabs 0, 1 and 2.
const ROOT: &str = r#"{"meta":{"preprocessedProfileVersion":70},"libs":[],"threads":[{"tid":1,"name":"a \"{\"$s\":9}",
    "samples":{"stack":{ "$s" : 0 },"time":{"$s":1},"weight":{"$s":2},"weightType":"bytes"}}],
    "shared":{"stringArray":["f","g {\"$s\":7}"],"funcTable":{"name":[0,1]},"frameTable":{"func":[0,1]},
    "stackTable":{"frame":[0,1],"prefixOffset":[0,1]}}}"#;

fn three(stacks: (usize, Vec<u8>), times: (usize, Vec<u8>), weights: (usize, Vec<u8>)) -> Slabs {
    Slabs { list: vec![stacks, times, weights], ..Slabs::default() }
}

#[test]
fn every_type_is_read() {
    for (kind, name) in TYPES.iter().enumerate().take(10) {
        let numbers = |list: [i8; 3]| {
            let bytes = list.into_iter().flat_map(|n| match kind {
                6 => f32::from(n).to_le_bytes().to_vec(),
                7 => f64::from(n).to_le_bytes().to_vec(),
                _ => i64::from(n).to_le_bytes()[..size(kind)].to_vec(),
            });
            (kind, bytes.collect::<Vec<_>>())
        };
        let slabs = three(numbers([0, 1, 1]), numbers([1, 2, 3]), numbers([100, 20, 3]));
        let found = profile(slabs.container(ROOT));
        assert_eq!(folded(&found, MetricId(0)), ["f 100", "f;g {\"$s\":7} 23"], "{name}");
        assert_eq!(found.points.time(2), Some(3_000_000), "{name}");
        assert_eq!(found.thread_name(profile::ThreadId(0)), "a \"{\"$s\":9} (1)");
    }
}

#[test]
fn what_no_json_has_and_large_numbers_are_read() {
    let floats = [f64::NAN, f64::INFINITY, 1.5e-3].into_iter().flat_map(f64::to_le_bytes).collect();
    let weights = [i64::MIN / 1_000_000, 7, 1].into_iter().flat_map(i64::to_le_bytes).collect();
    let stacks = [-1i32, 0, 1].into_iter().flat_map(i32::to_le_bytes).collect();
    let found = profile(three((4, stacks), (7, floats), (8, weights)).container(ROOT));
    let times: Vec<_> = (0..3).map(|row| found.points.time(row)).collect();
    assert_eq!(times, [None, None, Some(1500)]);
    assert_eq!(folded(&found, MetricId(0))[1..], ["f 7", "f;g {\"$s\":7} 1"]);
}

fn empty() -> (usize, Vec<u8>) {
    (4, vec![])
}

#[test]
fn empty_slabs_are_empty_lists() {
    let found = profile(three(empty(), empty(), empty()).container(ROOT));
    assert_eq!(found.points.len(), 0);
}

#[test]
fn damage_is_an_error_with_a_place() {
    let sound = three(empty(), empty(), empty()).container(ROOT);
    for len in [9, 15, 19, 25, 60, sound.len() - 1] {
        let error = read(&sound[..len]).unwrap_err();
        assert!(matches!(error, ReadError::Truncated { .. }), "{len}: {error}");
    }
    let patched = |at: usize, word: u32| {
        let mut bytes = sound.clone();
        bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
        read(bytes).unwrap_err()
    };
    assert!(matches!(patched(8, 2), ReadError::Unsupported { .. }));
    // Numbers of slabs, the root, a type, a start, a length.
    assert!(matches!(
        patched(12, u32::MAX),
        ReadError::Malformed { .. } | ReadError::Truncated { .. }
    ));
    assert!(matches!(patched(16, 0), ReadError::Malformed { .. }));
    assert!(matches!(patched(16, 99), ReadError::Malformed { .. }));
    assert!(matches!(patched(20, 11), ReadError::Malformed { .. }));
    assert!(matches!(patched(24, u32::MAX), ReadError::Truncated { .. }));
    assert!(matches!(
        patched(28, u32::MAX - 3),
        ReadError::Malformed { .. } | ReadError::Truncated { .. }
    ));
    assert!(matches!(patched(28, 3), ReadError::Malformed { .. }));
}

#[test]
fn slabs_that_are_missing_or_inside_themselves_are_errors() {
    for (slab, root, reason) in [
        ("[]", r#"{"meta":{"$s":5}}"#, "no slab 5"),
        (r#"{"a":{"$s":0}}"#, r#"{"meta":{"$s":0}}"#, "used twice"),
        ("{}", r#"{"meta":{"$s":0},"shared":{"$s":0}}"#, "used twice"),
        (r#"{"a":{"$s":1}}"#, r#"{"meta":{"$s":0}}"#, "used twice"),
    ] {
        let slabs = Slabs { list: vec![(10, slab.into())], ..Slabs::default() };
        let error = read(slabs.container(root)).unwrap_err();
        assert!(matches!(error, ReadError::Malformed { .. }), "{error}");
        assert!(error.to_string().contains(reason), "{error}");
    }
}
