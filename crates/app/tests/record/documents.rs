//! Plans in TOML, and the examples of docs/recording.md.

use std::fs;
use std::path::Path;

use crate::fake::Fake;
use crate::names;

/// The pieces of code of a language in the page.
fn examples(language: &str) -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/recording.md");
    let page = fs::read_to_string(page).unwrap();
    let pieces = page.split("```").skip(1).step_by(2);
    let of_language = pieces.filter_map(|piece| piece.strip_prefix(language)?.strip_prefix('\n'));
    of_language.map(str::to_owned).collect()
}

#[test]
fn the_plan_of_the_page_is_recorded() {
    let fake = Fake::new();
    let plan = &examples("toml")[0];
    fs::create_dir(fake.work().join("sub")).unwrap();
    fake.set("work/sub/plan.toml", plan);
    crate::fake::script(&fake.work().join("sub"), "pipeline", "echo \"$PLACEMENT $*\"; pwd");
    let (out, _) = fake.succeed(&["--plan", "sub/plan.toml"]);
    let folder = fs::canonicalize(fake.work().join("sub")).unwrap();
    let of = |arguments: &str| format!("{arguments}\n{}\n", folder.display());
    // Experiments take turns: each of them once in every round, and the second round goes backwards.
    let (pinned, free) = (of("pinned --frames 200"), of(" --frames 200"));
    let start = [&*pinned, &free, &free, &pinned].concat();
    let rest = out.strip_prefix(&start).unwrap_or_else(|| panic!("{out}"));
    assert!([[&*pinned, &free].concat(), [&*free, &pinned].concat()].contains(&rest.to_owned()));
    let recordings = names(&fake.work().join("sub/out"));
    assert_eq!(recordings.len(), 8, "{recordings:?}");
    assert!(recordings.contains(&"placed.json".to_owned()), "{recordings:?}");
    // All of it is there; nothing runs again.
    let (out, _) = fake.succeed(&["--plan", "sub/plan.toml", "--resume"]);
    assert_eq!(out, "");
}

/// An hour of the first experiment is not for nothing because the second one cannot be.
#[test]
fn nothing_of_a_plan_runs_unless_all_of_it_can() {
    let fake = Fake::new();
    let experiment = |name: &str, events: &str| {
        format!(
            "[[experiment]]\nname = \"{name}\"\ncommand = [\"true\"]\n\
             [experiment.perf]\nevents = [{events}]\n"
        )
    };
    let plan =
        [experiment("one", "\"cpu-clock\""), experiment("two", "\"cpu-clock\", \"cpu-clock\"")];
    fake.set("work/plan.toml", &plan.concat());
    let err = fake.fail(1, &["--plan", "plan.toml"]);
    assert!(err.contains("'two' cannot be recorded") && err.contains("same event"), "{err}");
    assert_eq!(fake.recorded(), [] as [&str; 0]);
}

#[test]
fn reports_mistakes_in_a_plan_with_their_line() {
    let fake = Fake::new();
    let check = |plan: &str, words: &[&str]| {
        fake.set("work/plan.toml", plan);
        let err = fake.fail(1, &["--plan", "plan.toml"]);
        for word in words.iter().chain(&["plan.toml"]) {
            assert!(err.contains(word), "no '{word}' in {err}");
        }
    };
    let start = "[[experiment]]\nname = \"a\"\ncommand = [\"true\"]\n";
    check(&format!("{start}runns = 3\n"), &["line 4", "there is no 'runns', there are matrix"]);
    check(&format!("{start}runs = \"3\"\n"), &["line 4", "invalid type"]);
    check(&format!("{start}[experiment.perf]\ncall_graph = \"x\"\n"), &["line 5", "`dwarf`"]);
    check(&format!("{start}{start}"), &["two experiments are called 'a'"]);
    check("[[experiment]]\nname = \"a\"\ncommand = []\n", &["'a' has no command"]);
    check("experiment = []\n", &["it has no experiment"]);
    check("[[experiment]\n", &["line 1"]);
    fake.set("work/plan.toml", &format!("{start}recorder = \"x\"\n"));
    assert!(fake.fail(1, &["--plan", "plan.toml"]).contains("no recorder 'x', there are: perf"));
}

#[test]
fn the_manifest_of_the_page_is_one() {
    let fake = Fake::new();
    let manifest = &examples("json")[0];
    fake.set("work/page.json", manifest);
    let (out, _) = fake.succeed(&["show", "page.json", "--format", "json"]);
    let shown: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(shown["runs"].as_array().unwrap().len(), 1);
    // Written again it is the same: the page leaves nothing out that is always there.
    fake.succeed(&["merge", "page.json", "-o", "again.json"]);
    let again = fake.manifest("again.json");
    let page: serde_json::Value = serde_json::from_str(manifest).unwrap();
    let mut expected = page.clone();
    expected["experiments"][0]["runs"][0]["file"] =
        again["experiments"][0]["runs"][0]["file"].clone();
    assert_eq!(again, expected);
    assert!(
        again["experiments"][0]["runs"][0]["file"]
            .as_str()
            .unwrap()
            .ends_with("pinned-1.perf.data")
    );
}
