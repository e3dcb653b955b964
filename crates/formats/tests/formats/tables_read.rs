//! Tables that are written are read as the profile that they were.

use std::collections::BTreeMap;

use crate::folders::{HeldFolder, held};
use crate::samples::{points, profiles};
use formats::{Folder, ReadError, ReadOptions, format_named};
use profile::{FrameId, LocationId, Member, Metric, Place, Profile, ProfileBuilder};

const FORMATS: [&str; 2] = ["csv", "parquet"];

/// The tables of a profile, as files of a folder.
fn written(format: &str, profile: &Profile) -> BTreeMap<String, Vec<u8>> {
    let format = format_named(format).unwrap();
    let part = |part: &'static str| {
        let mut bytes = vec![];
        format.write_part(part, profile, &mut bytes).unwrap();
        (format!("run.{part}.{}", format.name), bytes)
    };
    format.parts().map(part).collect()
}

fn folder(files: &BTreeMap<String, Vec<u8>>) -> HeldFolder {
    let files: Vec<_> = files.iter().map(|(path, bytes)| (path.as_str(), &bytes[..])).collect();
    held(&files)
}

fn open(files: &BTreeMap<String, Vec<u8>>) -> Result<Profile, ReadError> {
    let opened = formats::read_folder(&folder(files), &ReadOptions::default())?;
    assert_eq!(opened.profile.check(), []);
    assert_eq!(opened.warnings.iter().count(), 0);
    Ok(opened.profile)
}

/// All that the tables say of code, by frame.
fn code(profile: &Profile) -> Vec<String> {
    let frame = |row: u32| {
        let frame = FrameId(row);
        let location = profile.frames.location[frame.index()];
        let module = profile.locations.module(location).map(|module| {
            let module = &profile.modules[module.index()];
            let texts = [profile.text(module.name), profile.text(module.build_id)];
            let mapping = [module.memory_start, module.memory_limit, module.file_offset];
            format!("{texts:?} {mapping:?} {:?}", module.flags)
        });
        let function = profile.frames.function(frame).map(|function| {
            let (functions, row) = (&profile.functions, function.index());
            let texts = [functions.name[row], functions.system_name[row], functions.file[row]];
            let texts = texts.map(|text| profile.text(text));
            format!("{texts:?} {} {}", functions.start_line[row], functions.start_column[row])
        });
        let at = (profile.frames.line[frame.index()], profile.frames.column[frame.index()]);
        let place = profile.locations.get(location);
        let name = profile.frame_name(frame);
        let (kind, address, folded) = (place.kind, place.address, place.folded);
        // What says nothing at all may as well not be there.
        let module = module.filter(|module| !module.starts_with("[\"\", \"\"] [0, 0, 0]"));
        let function = function.filter(|function| function != "[\"\", \"\", \"\"] 0 0");
        format!("{location:?} {name} {function:?} {at:?} {module:?} {kind:?} {address} {folded}")
    };
    (0..profile.frames.len() as u32).map(frame).collect()
}

/// Threads and processes as text.
fn threads(profile: &Profile) -> Vec<String> {
    let processes = profile.processes.iter();
    let processes = processes.map(|p| format!("{} {}", profile.text(p.id), profile.text(p.name)));
    let threads = profile.threads.iter().map(|thread| {
        format!("{} {} {:?}", profile.text(thread.id), profile.text(thread.name), thread.process)
    });
    processes.chain(threads).collect()
}

fn assert_same(again: &Profile, first: &Profile, what: &str) {
    assert_eq!(again.metrics, first.metrics, "{what}");
    assert_eq!(again.origin.default_metric, first.origin.default_metric, "{what}");
    assert_eq!(again.contexts, first.contexts, "{what}");
    assert_eq!(again.locations.len(), first.locations.len(), "{what}");
    assert_eq!(code(again), code(first), "{what}");
    assert_eq!(threads(again), threads(first), "{what}");
    // Tables have no machines and no facts, which their writer says.
    let members = |profile: &Profile| -> Vec<Member> {
        let members = profile.members.iter().cloned();
        members.map(|member| Member { machine: None, facts: vec![], ..member }).collect()
    };
    assert_eq!(members(again), members(first), "{what}");
    assert_eq!(again.points.len(), first.points.len(), "{what}");
    assert_eq!(points(again), points(first), "{what}");
    for point in 0..first.points.len() {
        let (found, expected) = (again.points.get(point), first.points.get(point));
        assert_eq!(
            (found.context, found.thread, found.member, found.links.len()),
            (expected.context, expected.thread, expected.member, expected.links.len()),
            "{what} {point}"
        );
    }
}

#[test]
fn every_sample_is_read_as_it_was_written() {
    let mut seen = 0;
    for (path, profile) in profiles() {
        // Points without a value have no row.
        if profile.metrics.is_empty() || profile.points.len() > 20_000 {
            continue;
        }
        for format in FORMATS {
            let files = written(format, &profile);
            let what = format!("{} as {format}", path.display());
            let again = open(&files).unwrap_or_else(|error| panic!("{what}: {error}"));
            assert_eq!(again.origin.format, format);
            assert_same(&again, &profile, &what);
            // And so it is written again, byte for byte.
            assert!(written(format, &again) == files, "{what}");
            seen += 1;
        }
    }
    assert!(seen > 100, "{seen}");
}

/// A profile of what samples seldom have.
fn odd() -> Profile {
    let metrics = vec![
        Metric { decimals: 18, ..Metric::new("a\"b, c", "s") },
        Metric::new("a\"b, c", "ms"),
        Metric { decimals: 3, ..Metric::new("", "") },
    ];
    let mut builder = ProfileBuilder::new(metrics);
    let names = ["main", "line\r\nbreak", "\"", " ,", "lib.so+0x10", "<unknown>", "é\0"];
    let places = names.map(|function| {
        builder.place(&Place { function, address: u64::MAX, line: u32::MAX, ..Place::default() })
    });
    let unnamed = builder.place(&Place { address: 16, module: "lib.so", ..Place::default() });
    let context = builder.stack(places.into_iter().chain([unnamed]));
    for values in [
        [0, 0, 0],
        [i64::MAX, i64::MIN + 1, -1],
        [i64::MIN + 1, i64::MAX, 1],
        [1, 0, 0],
        [0, 0, 999],
        [0, 0, 0],
    ] {
        builder.points.push(context, profile::LabelSetId(0), &values);
    }
    builder.finish()
}

#[test]
fn extremes_survive() {
    let first = odd();
    for format in FORMATS {
        assert_same(&open(&written(format, &first)).unwrap(), &first, format);
    }
}

#[test]
fn missing_tables_are_named() {
    let first = odd();
    for format in FORMATS {
        for missing in ["contexts", "frames", "values", "links", "metrics", "threads", "members"] {
            let mut files = written(format, &first);
            files.remove(&format!("run.{missing}.{format}")).unwrap();
            let error = open(&files).unwrap_err();
            let text = error.to_string();
            assert!(text.contains(&format!("run.{missing}.{format} is missing")), "{text}");
            assert!(error.hint().contains("folder"), "{}", error.hint());
        }
        let name = format!("run.values.{format}");
        assert!(formats::is_folder_part(&name));
        assert_eq!(formats::part_siblings(&name).len(), 7);
        let siblings = formats::part_siblings(&format!("{name}.gz"));
        assert!(siblings.contains(&format!("run.metrics.{format}.gz")), "{siblings:?}");
        // The bytes of one table alone.
        let bytes = &written(format, &first)[&name];
        let error = crate::measured::read(bytes).unwrap_err().to_string();
        assert!(error.contains("NAME.metrics."), "{error}");
    }
}

#[test]
fn folders_of_several_profiles_are_refused() {
    let mut files = written("csv", &odd());
    for (name, bytes) in files.clone() {
        files.insert(name.replace("run", "other"), bytes);
    }
    let error = open(&files).unwrap_err().to_string();
    assert!(error.contains("2 profiles") && error.contains("other.contexts.csv"), "{error}");
    let mut files = written("csv", &odd());
    files.extend(written("parquet", &odd()));
    let error = open(&files).unwrap_err().to_string();
    assert!(error.contains("2 profiles") && error.contains("run.contexts.parquet"), "{error}");
    let from = format_named("parquet");
    let options = ReadOptions { from, ..ReadOptions::default() };
    assert_eq!(formats::read_folder(&folder(&files), &options).unwrap().profile.metrics.len(), 3);
}

#[test]
fn unsound_rows_are_named() {
    let profile = crate::measured::sample("ezview/reuse.ezview");
    let files = written("csv", &profile);
    for (table, row, change, expected) in [
        ("contexts", 2, ("1,0,", "1,1,"), "parent is 1, which does not come before it"),
        ("contexts", 2, ("1,0,", "1,99999999,"), "does not come before it"),
        ("contexts", 2, ("1,0,", "1,-1,"), "parent is -1, which is out of its range"),
        ("contexts", 2, ("1,0,", "7,0,"), "context is 7, expected 1"),
        ("contexts", 2, ("1,0,", "1,x,"), "parent is \"x\", not a whole number"),
        ("contexts", 2, ("1,0,", "1,0,1,"), "there are"),
        ("contexts", 1, ("0,,", "0,0,"), "the first context has a parent"),
        ("frames", 1, ("0,0,0,", "0,4294967296,0,"), "location is 4294967296"),
        ("frames", 1, ("0,0,0,", "0,1,0,"), "location is 1, expected 0"),
        ("frames", 1, (",region,", ",curve,"), "kind is \"curve\", not one of code, loop"),
        ("values", 1, ("0,", "0,99999"), "context is 99999"),
        ("values", 3, ("1,", "0,"), "point 0"),
        ("links", 9, ("2,", "5000000,"), "which has no values"),
        ("links", 1, ("0,", "5000000,"), "rows are not sorted by point"),
        ("links", 2, ("0,", "-1,"), "point is -1"),
        ("metrics", 1, (",0,sum", ",200,sum"), "decimals is 200, which is above 18"),
        ("metrics", 1, (",sum,", ",maybe,"), "is \"maybe\", not one of sum"),
    ] {
        let name = format!("run.{table}.csv");
        let mut files = files.clone();
        let text = String::from_utf8(files[&name].clone()).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        assert!(lines[row].contains(change.0), "{table} {}", lines[row]);
        lines[row] = lines[row].replacen(change.0, change.1, 1);
        files.insert(name.clone(), lines.join("\n").into_bytes());
        let error = open(&files).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(expected), "{change:?}: {error}");
        assert!(error.contains("run."), "{error}");
    }
}

#[test]
fn damaged_tables_never_panic() {
    let options =
        ReadOptions { max_size: 64 << 20, max_memory: 64 << 20, ..ReadOptions::default() };
    for format in FORMATS {
        let files = written(format, &crate::measured::sample("ezview/reuse.ezview"));
        for (name, bytes) in &files {
            for at in (0..bytes.len()).step_by((bytes.len() / 60).max(1)) {
                for damaged in [
                    bytes[..at].to_vec(),
                    [&bytes[..at], &[bytes[at] ^ 1 << (at % 8)], &bytes[at + 1..]].concat(),
                    [&bytes[..at], b"\xff\xff\xff\xff\x0f", &bytes[at + 1..]].concat(),
                ] {
                    let mut files = files.clone();
                    files.insert(name.clone(), damaged);
                    match formats::read_folder(&folder(&files), &options) {
                        Ok(opened) => assert_eq!(opened.profile.check(), [], "{name} {at}"),
                        Err(ReadError::Panicked { message, .. }) => {
                            panic!("{name} {at}: {message}")
                        }
                        Err(_) => {}
                    }
                }
            }
        }
    }
}

#[test]
fn locations_keep_their_frames() {
    let first = crate::measured::sample("perf-script/inlined.perf-script");
    let again = open(&written("parquet", &first)).unwrap();
    let frames = |profile: &Profile| -> Vec<_> {
        (0..profile.locations.len() as u32)
            .map(|row| profile.locations.frames(LocationId(row)))
            .collect()
    };
    assert_eq!(frames(&again), frames(&first));
    assert!(folder(&written("csv", &first)).files().len() == 7);
}
