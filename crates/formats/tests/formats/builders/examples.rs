//! The examples of the builders and of their READMEs.

use std::process::Command;

use super::languages::{LANGUAGES, Language, builders, run};
use super::{folder, written};
use crate::measured::{folded, profile};
use profile::{LocationKind, MetricId};

/// The first fenced block of a README that writes a profile.
pub(super) fn readme(language: Language) -> String {
    let text = std::fs::read_to_string(language.folder().join("README.md")).unwrap();
    let mut blocks = text.split("```").skip(1).step_by(2);
    let code = blocks.find(|block| block.contains("\"example.hotframe\"")).unwrap();
    let code = code.split_once('\n').unwrap().1;
    assert!(code.lines().count() < 26, "the example of {} is long", language.name);
    code.to_owned()
}

#[test]
fn the_examples_of_all_languages_write_the_same() {
    let folder = folder("builders-examples");
    let path = |name: &str| folder.join(format!("{name}.hotframe"));
    for language in LANGUAGES {
        let own = folder.join(language.name);
        std::fs::create_dir(&own).unwrap();
        let example = match language.name {
            "go" => "go/example/main.go".to_owned(),
            "rust" => "rust/examples/example.rs".to_owned(),
            "python" => "../python/example.py".to_owned(),
            name => format!("{name}/example.{}", language.ending),
        };
        run(language.program_of(&example, &own).arg(path(language.name)), "");
    }
    run(engine().arg(path("engine")), "");

    let (c, canonical) = written(&path("c"));
    for language in LANGUAGES {
        let name = language.name;
        assert!(written(&path(name)).0 == c, "{name} writes other bytes than C");
    }
    // Our own writer orders blocks by table; in that order all are the same.
    assert!(written(&path("engine")).1 == canonical, "C writes another profile than the engine");
    let found = profile(&c);
    assert_eq!((found.metric_total(MetricId(0)).0, found.metric_total(MetricId(1)).0), (41_005, 9));
    assert_eq!((found.threads.len(), found.points.links(0).len()), (2, 3));
    assert_eq!(found.members[0].host, "node 1");
    let block = found.contexts.location(found.points.context[10]).unwrap();
    assert_eq!(found.locations.kind[block.index()], LocationKind::Block);
    assert_eq!(found.text(found.locations.instruction(block)), "mov rax, [rax + 8]");
    assert_eq!(found.notes.len(), 4);
}

#[test]
fn the_readmes_work() {
    for language in LANGUAGES {
        let folder = folder(&format!("builders-readme-{}", language.name));
        run(&mut language.program(&readme(language), &folder), "");
        let found = profile(std::fs::read(folder.join("example.hotframe")).unwrap());
        let stacks = folded(&found, MetricId(0));
        assert!(stacks.len() == 1 && stacks[0].starts_with("main;load "), "{stacks:?}");
        assert_eq!(found.points.len(), 3, "{}", language.name);
    }
}

/// The example of the engine's own builder, which cargo compiles with the tests.
fn engine() -> Command {
    let test = std::env::current_exe().unwrap();
    let folder = test.ancestors().nth(2).unwrap();
    Command::new(folder.join("examples/builder").with_extension(std::env::consts::EXE_EXTENSION))
}

/// The text of a source without marks of comments, as one line.
fn words(text: &str) -> String {
    let lines =
        text.lines().map(|line| line.trim().trim_start_matches(['/', '*', '!', '#']).trim());
    lines.collect::<Vec<_>>().join(" ").to_lowercase()
}

#[test]
fn all_builders_say_times_in_the_words_of_the_schema() {
    let schema = builders().join("../schema/profile.proto");
    let sources = [
        "c/hotframe.h",
        "cpp/hotframe.hpp",
        "../python/src/hotframe/builder.py",
        "go/hotframe.go",
        "rust/src/lib.rs",
        "javascript/hotframe.d.mts",
    ];
    let files = sources.map(|file| builders().join(file)).into_iter().chain([schema]);
    for file in files {
        let text = words(&std::fs::read_to_string(&file).unwrap());
        for said in [
            "start, in nanoseconds since 1970; 0 if unknown",
            "length in nanoseconds; 0 if unknown",
            "what the producer's own clock showed at time 0 of the points, in nanoseconds",
            "nanoseconds after the start of the member, or of the profile",
        ] {
            assert!(text.contains(said), "{} does not say: {said}", file.display());
        }
    }
}

#[test]
fn every_source_says_under_which_licence_it_is() {
    for (language, files) in [
        ("c", &["hotframe.h", "hotframe.c"][..]),
        ("cpp", &["hotframe.hpp"]),
        ("../python/src/hotframe", &["__init__.py", "builder.py", "tracing.py", "allocating.py"]),
        ("go", &["hotframe.go"]),
        ("rust/src", &["lib.rs", "wire.rs"]),
        ("javascript", &["hotframe.mjs", "hotframe.d.mts"]),
    ] {
        for file in files {
            let text = std::fs::read_to_string(builders().join(language).join(file)).unwrap();
            let first = text.lines().next().unwrap();
            let said = first.contains("SPDX-License-Identifier: MIT OR Apache-2.0");
            assert!(said, "{language}/{file}: {first}");
        }
    }
}
