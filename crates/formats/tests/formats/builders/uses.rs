//! The suite of wrong uses, `builders/uses/uses.txt`, said to every builder.

use super::folder;
use super::languages::{LANGUAGES, Language, builders, run};
use crate::measured::{profile, warnings};

/// A call, what must come of it, and where it can be said.
struct Call {
    text: String,
    outcome: String,
    sayable: Vec<&'static str>,
}

struct Case {
    name: String,
    calls: Vec<Call>,
}

fn call(line: &str) -> Call {
    let (text, outcome) = line.split_once(" -> ").unwrap_or_else(|| panic!("no outcome: {line}"));
    let (outcome, places) = outcome.split_once(' ').unwrap_or((outcome, ""));
    let places: Vec<&str> = places.split(' ').collect();
    let (is_in, named) = match places[..] {
        ["in", ref names @ ..] => (true, names),
        ["not", "in", ref names @ ..] => (false, names),
        _ => (false, &[][..]),
    };
    let all = LANGUAGES.map(|language| language.name);
    assert!(named.iter().all(|name| all.contains(name)), "{line}");
    let sayable = all.into_iter().filter(|name| named.contains(name) == is_in).collect();
    Call { text: text.trim_end().to_owned(), outcome: outcome.to_owned(), sayable }
}

fn cases() -> Vec<Case> {
    let text = std::fs::read_to_string(builders().join("uses/uses.txt")).unwrap();
    let mut sections: Vec<Case> = vec![];
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match (line.strip_prefix("case "), sections.last_mut()) {
            (Some(name), _) => sections.push(Case { name: name.to_owned(), calls: vec![] }),
            (None, _) if !line.contains(' ') => {
                sections.push(Case { name: line.to_owned(), calls: vec![] });
            }
            (None, Some(section)) => section.calls.push(call(line)),
            (None, None) => panic!("a call without a case: {line}"),
        }
    }
    let shared = |name: &str| {
        let section = sections.iter().find(|section| section.name == name).unwrap();
        section.calls.iter().map(|own| format!("{} -> {}", own.text, own.outcome)).collect()
    };
    let [first, last]: [Vec<String>; 2] = ["first", "last"].map(shared);
    sections.retain(|section| section.name != "first" && section.name != "last");
    for section in &mut sections {
        section.calls.splice(0..0, first.iter().map(|line| call(line)));
        if !section.calls.iter().any(|call| call.text == "close") {
            section.calls.extend(last.iter().map(|line| call(line)));
        }
    }
    sections
}

/// Says all cases to a builder; checks what came of each call, and gives the files.
fn say(language: Language, suite: &str, cases: &[Case]) -> Vec<Vec<u8>> {
    let folder = folder(&format!("builders-{suite}-{}", language.name));
    let driver = format!("uses/uses.{}", language.ending);
    let mut command = language.program_of(&driver, &folder);
    let mut input = String::new();
    for (number, case) in cases.iter().enumerate() {
        input.push_str(&format!("case {number}\n"));
        case.calls.iter().for_each(|call| input.push_str(&format!("{}\n", call.text)));
        input.push_str("end\n");
    }
    let said = run(command.arg(&folder), &input);
    let calls = cases.iter().flat_map(|case| case.calls.iter().map(|call| (&case.name, call)));
    let mut outcomes = said.lines();
    for (case, call) in calls {
        let outcome = outcomes.next().unwrap_or("nothing");
        let can_be_said = call.sayable.contains(&language.name);
        let expected = if can_be_said { call.outcome.as_str() } else { "unsayable" };
        assert_eq!(outcome, expected, "{}, {case}: {}", language.name, call.text);
    }
    assert_eq!(outcomes.next(), None, "{} says more", language.name);
    let file = |number: usize| folder.join(format!("{number}.hotframe"));
    (0..cases.len()).map(|number| std::fs::read(file(number)).unwrap()).collect()
}

/// The point that has -2^63, as the calls say it.
const LEAST: &str = "values=-9223372036854775808";

#[test]
fn wrong_uses_are_refused_at_the_call_and_leave_a_sound_file() {
    let cases = cases();
    let files = LANGUAGES.map(|language| (language.name, say(language, "uses", &cases)));
    let mut compared = 0;
    for (number, case) in cases.iter().enumerate() {
        let right = || case.calls.iter().filter(|call| call.outcome == "ok");
        let says_all = |name: &str| right().all(|call| call.sayable.contains(&name));
        for (language, own) in &files {
            let can_be_said = |call: &&Call| call.sayable.contains(language);
            let points = right().filter(can_be_said).filter(|call| call.text.starts_with("point "));
            let (bytes, name) = (&own[number], &case.name);
            assert_eq!(profile(bytes).points.len(), points.count(), "{language}, {name}");
            // A value that stands for none is written, and told where it is read.
            let is_least = right().filter(can_be_said).any(|call| call.text.contains(LEAST));
            let told = warnings(bytes);
            let is_told = told.iter().any(|told| told.contains("-2^63"));
            assert_eq!((told.len(), is_told), (is_least.into(), is_least), "{language}, {name}");
            if says_all("c") && says_all(language) {
                assert!(*bytes == files[0].1[number], "{language}, {name}: other bytes than C");
                compared += 1;
            }
        }
    }
    assert!(compared > 60, "{compared} files compared");
}

#[test]
fn labels_that_are_many_are_forgotten_alike_and_written_again() {
    // Half of the labels return after their row was forgotten.
    let steps = (0..70_000).chain(0..70_000).step_by(2).chain([1, 1]);
    let point = |step: u32| call(&format!("point context=1 values=1 label=request:r{step} -> ok"));
    let mut calls: Vec<Call> = vec![];
    for line in ["metric name=n unit=count", "frame function=main", "context parent=0 frame=0"] {
        calls.push(call(&format!("{line} -> ok")));
    }
    calls.extend(steps.flat_map(|step| [step, step + 1]).map(point));
    // A text of a label that names a function too.
    calls.push(call("frame function=r7 file=request -> ok"));
    let cases = [Case { name: "many labels".to_owned(), calls }];
    let files = LANGUAGES.map(|language| (language.name, say(language, "labels", &cases)));
    for (language, own) in &files {
        assert!(own[0] == files[0].1[0], "{language}: other bytes than C");
    }
    let found = profile(&files[0].1[0]);
    assert_eq!(found.points.len(), 140_004);
    // What was forgotten is there twice; the last two sets were known.
    assert_eq!(found.label_sets.len(), 1 + 140_000 + 2);
    let text = |point: usize| {
        let labels: Vec<_> = found.label_sets.get(found.points.labels(point)).collect();
        match labels[0].value {
            profile::LabelValue::Text(text) => found.text(text).to_owned(),
            profile::LabelValue::Number(..) => panic!("a number"),
        }
    };
    assert_eq!((text(0), text(69_999)), ("r0".to_owned(), "r69999".to_owned()));
    assert_eq!((text(70_000), text(139_999)), ("r0".to_owned(), "r69999".to_owned()));
}
