//! Recorded accesses as a document.

use locality::{Cache, Caches, Container, Lackey, Line, Range, Replacement, Tracing, Wanted};
use protocol::*;
use session::{KnownArrays, KnownEntry, ReadOptions, Session, Silent};

use super::{ElementCounts, Files, caches, elements_of, open, program, run, sample, sizes, u32s};

const FILE: &str = "lackey/columns.lackey";

const RANGES: [&str; 3] = ["table=0x403080:8:24x12", "sums=0x403000:8:12", "order=0x403980:2:7"];

fn ranged() -> AccessesProgram {
    AccessesProgram { ranges: RANGES.map(str::to_owned).into(), ..program(&[], &[]) }
}

fn text() -> String {
    String::from_utf8(std::fs::read(samples::testdata(FILE)).unwrap()).unwrap()
}

/// Accesses of the recording, one that reads and writes as two.
fn accesses() -> Vec<locality::Access> {
    let text = text();
    let mut lackey = Lackey::new(text.as_bytes());
    let mut all = vec![];
    while let Some(line) = lackey.next().unwrap() {
        all.extend(Line::accesses(line));
    }
    all
}

fn name(told: &ElementCounts, access: usize) -> &str {
    let reference = &told.0.references[u32s(told, "reference")[access] as usize];
    &told.0.containers[reference.container as usize].name
}

#[test]
fn a_recording_is_a_document_of_accesses() {
    let session = sample(FILE);
    let told = sizes(&session, None);
    assert_eq!(
        (told.title.as_str(), told.is_recorded, told.symbols.len()),
        ("columns.lackey", true, 0)
    );
    let told = run(&session, ranged(), 1 << 18).unwrap();
    let accesses = accesses();
    assert!(told.0.has_each);
    assert_eq!(told.0.totals.accesses, accesses.len() as f64, "none is over two lines");
    let names: Vec<&str> = told.0.containers.iter().map(|one| &*one.name).collect();
    assert_eq!(names, ["sums", "table", "order"], "by address, and nothing else is accessed");
    // Each access is where it was recorded.
    let ranges = RANGES.map(|range| range.parse::<Range>().unwrap().0);
    let (elements, lines) = (u32s(&told, "element"), u32s(&told, "line"));
    let ColumnData::F64(places) = &told.1["place"] else { panic!("lines have places") };
    for (at, access) in accesses.iter().enumerate() {
        let own = ranges.iter().find(|range| range.name == name(&told, at)).unwrap();
        let address = own.base.unwrap() + u64::from(elements[at]) * own.element;
        assert_eq!(address, access.address, "access {at}");
        assert_eq!(places[lines[at] as usize], (access.address / 64) as f64, "access {at}");
    }
    assert!(told.0.notes[0].starts_with(&format!("{} accesses to data", accesses.len())));
}

/// What the page says of containers is what a command line says that goes by the same ranges.
#[test]
fn sums_and_elements_are_those_of_a_stream() {
    let session = sample(FILE);
    let told = run(&session, ranged(), 0).unwrap();
    assert!(!told.0.has_each);
    let own = |one: &AccessedContainer| Container {
        base: Some(one.base as u64),
        ..Container::rows(
            &one.name,
            one.element as u64,
            &one.shape.iter().map(|&size| size as u64).collect::<Vec<_>>(),
        )
    };
    let containers: Vec<Container> = told.0.containers.iter().map(own).collect();
    let level = Cache { size: 640, ways: None, replacement: Replacement::Lru };
    for (number, container) in told.0.containers.iter().enumerate() {
        let wanted = Wanted { watched: Some(number), ..Wanted::default() };
        let mut tracing = Tracing::new(&containers, 64, &Caches::new(vec![level]), wanted).unwrap();
        accesses().into_iter().for_each(|access| tracing.access(access).unwrap());
        let traced = tracing.finish(64);
        let split = traced.outcome.sum(0, number * 2..number * 2 + 2);
        let of_page = container.totals;
        assert_eq!(
            [of_page.accesses, of_page.cold, of_page.capacity, of_page.conflict],
            [split.accesses as f64, split.cold as f64, split.capacity as f64, 0.0]
        );
        let (result, columns) = elements_of(&session, ranged(), number as u32, 10.0).unwrap();
        let known = traced.watched.unwrap().elements;
        assert_eq!(result.elements, known.len() as f64);
        let ColumnData::F64(counts) = &columns["accesses"] else { panic!("counts are numbers") };
        let expected: Vec<f64> = known.iter().map(|one| one.accesses as f64).collect();
        assert_eq!(counts[..], expected[..], "{}", container.name);
    }
}

#[test]
fn what_has_no_name_stands_in_regions() {
    let session = sample(FILE);
    let plain = run(&session, program(&[], &[]), 1 << 18).unwrap().0;
    assert_eq!(plain.containers.len(), 1, "all of it is within 4 KiB");
    let own = &plain.containers[0];
    assert_eq!((own.name.as_str(), own.element), ("0x403000", 8.0));
    let ranges = vec![RANGES[0].to_owned(), "idle=0x8000:8:2".to_owned()];
    let some = AccessesProgram { ranges, ..program(&[], &[]) };
    let told = run(&session, some, 1 << 18).unwrap().0;
    let names: Vec<&str> = told.containers.iter().map(|one| &*one.name).collect();
    assert_eq!(names, ["table", "0x403000", "0x403980"]);
    assert_eq!(told.totals, plain.totals, "names change no cache");
    let notes = told.notes.join("\n");
    assert!(notes.contains("2 regions have no name"), "{notes}");
    assert!(notes.contains("never accessed, and not shown: idle"), "{notes}");
}

#[test]
fn what_loops_alone_have_is_refused() {
    let session = sample(FILE);
    let of = |program: AccessesProgram| run(&session, program, 0).unwrap_err().message;
    assert_eq!(of(program(&[], &["pad table 8"])), "a recorded trace has no loops to change");
    let dealt = AccessesProgram { schedule: "static:4".to_owned(), ..program(&[], &[]) };
    assert!(of(dealt).contains("the order in which it was recorded"));
    let bad = AccessesProgram { ranges: vec!["a=x".to_owned()], ..program(&[], &[]) };
    assert!(of(bad).contains("'a=x' is not a range"));
    let twice = vec![RANGES[0].to_owned(), "b=0x403088:1".to_owned()];
    let twice = AccessesProgram { ranges: twice, ..program(&[], &[]) };
    assert!(of(twice).contains("table and b have bytes in common"));
    let params = AccessesSearchParams {
        program: program(&[], &[]),
        caches: caches(&[(640.0, None)]),
        most: 5,
    };
    let request = AccessesRequest::AccessesSearch(params);
    let error = session.answer(request, vec![], &Silent).unwrap_err();
    assert_eq!(error.message, "a recorded trace has no loops to change");
}

#[test]
fn reports_what_is_no_recording_or_a_bad_one() {
    let refused = |bytes: &str| {
        let session = open("trace", bytes.as_bytes().to_vec());
        let params = AccessesSizesParams { document: 0, element: None };
        let request = AccessesRequest::AccessesSizes(params);
        session.answer(request, vec![], &Silent).unwrap_err().message
    };
    let text = text();
    let head = &text[..text.find("\nI ").unwrap() + 1];
    assert!(refused(head).contains("no data accesses: record with"), "{}", refused(head));
    let cut = &text[..text.len() - 8];
    assert!(refused(cut).contains("is cut off"), "{}", refused(cut));
    assert!(refused("main;f 3\n").contains("has no accesses"));
}

#[test]
fn arrays_of_another_program_are_refused() {
    let arrays = |address| KnownArrays {
        all: RANGES.map(|range| range.parse::<Range>().unwrap().0).into(),
        entry: Some(KnownEntry { address, refusal: "it is of another program".to_owned() }),
        ..KnownArrays::default()
    };
    let told = |address| {
        let files = Files([(FILE.to_owned(), text().into_bytes())].into());
        let session = Session::new(Box::new(files), ReadOptions::default());
        let session = session.with_arrays(arrays(address));
        session.add(FILE);
        run(&session, program(&[], &[]), 0).map(|told| told.0.containers.len())
    };
    let first = text()
        .lines()
        .find_map(|line| line.strip_prefix("I  ")?.split(',').next().map(str::to_owned));
    let first = u64::from_str_radix(&first.unwrap(), 16).unwrap();
    assert_eq!(told(first), Ok(3));
    let error = told(7).unwrap_err();
    assert!(error.message.ends_with("it is of another program"), "{}", error.message);
}
