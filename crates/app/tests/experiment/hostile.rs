//! Programs that do what they should not, isolated: each ends once, and says what held it.

use std::time::Instant;

use crate::Trial;

fn isolated(test: &str, script: &str, more: &str) -> Option<Trial> {
    let trial = Trial::shell(
        test,
        script,
        &format!(
            "command = [\"sh\", \"p.sh\"]\nruns = 2\nrecorder = \"time\"\nisolated = true\n{more}\n\
             limits = {{ memory_mib = 128, processes = 32, folder_mib = 16, processor_s = 20 }}\n"
        ),
    );
    let told = crate::said(&std::process::Command::new("bwrap").arg("--version").output().ok()?);
    if !told.contains("bubblewrap") {
        eprintln!("left out: bubblewrap is not here");
        assert!(std::env::var_os("CI").is_none());
        return None;
    }
    Some(trial)
}

/// Runs it; how its runs failed.
fn ends(trial: &Trial) -> Vec<Option<String>> {
    let start = Instant::now();
    let (_, told) = trial.experiment(&[]);
    assert!(start.elapsed().as_secs() < 90, "{told}");
    let found = trial.found();
    found.holds(&["all"], 2);
    for (_, facts) in &found.runs {
        let held = facts.get("isolation").map(String::as_str).unwrap_or_default();
        assert!(held.contains("network namespace") && held.contains("memory"), "{held} {told}");
    }
    found.runs.iter().map(|(_, facts)| facts.get("failure").cloned()).collect()
}

fn failed(class: &str) -> Vec<Option<String>> {
    vec![Some(class.to_owned()); 2]
}

#[test]
fn what_behaves_is_run_in_its_own_folder_alone() {
    // What everybody here can read, but is not in the folder of the plan.
    let secret = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("hotframe-secret");
    std::fs::write(&secret, "secret").unwrap();
    let script = format!(
        "set -e\n[ $(pwd) = /work ]\n[ ! -e '{}' ]\n[ -z \"$HOTFRAME_STORE\" ]\n\
         [ $(cat data) = given ]\necho left > left\n",
        secret.display()
    );
    let Some(trial) = isolated("behaves", &script, "") else { return };
    trial.write("data", "given\n");
    assert_eq!(ends(&trial), [None, None]);
    assert!(!trial.path("left").exists());
}

#[test]
fn forks_without_end_are_stopped() {
    let script = "f() { f | f & }; f; sleep 2; exit 9\n";
    let Some(trial) = isolated("forks", script, "timeout_s = 8") else { return };
    let ended = ends(&trial);
    assert!(ended.iter().all(Option::is_some), "{ended:?}");
}

#[test]
fn a_folder_has_so_much_room() {
    let script = "head -c 100000000 /dev/zero > big || exit 5\n";
    let Some(trial) = isolated("room", script, "") else { return };
    assert_eq!(ends(&trial), failed("user"));
}

#[test]
fn who_ignores_signals_is_killed() {
    let script = "trap '' TERM INT HUP\nwhile :; do sleep 1; done\n";
    let Some(trial) = isolated("ignores", script, "timeout_s = 1") else { return };
    assert_eq!(ends(&trial), failed("timeout"));
}

#[test]
fn a_gigabyte_of_output_is_counted_and_not_kept() {
    let script = "head -c 1000000000 /dev/zero | tr '\\0' x; echo; echo the end; exit 4\n";
    let Some(trial) = isolated("prints", script, "") else { return };
    assert_eq!(ends(&trial), failed("user"));
    let found = trial.found();
    let output = found.fact("all #1", "output").unwrap();
    assert!(output.len() < 8000 && output.ends_with("the end\n"), "{}", output.len());
    let size = std::fs::metadata(trial.path("p.hotframe")).unwrap().len();
    assert!(size < 100_000, "{size}");
}

#[test]
fn memory_has_a_limit() {
    let script = "head -c 2000000000 /dev/zero | tail > hole\n";
    let Some(trial) = isolated("memory", script, "") else { return };
    let ended = ends(&trial);
    assert!(ended.iter().all(Option::is_some), "{ended:?}");
}

#[test]
fn variables_of_the_command_do_not_reach_what_isolates_it() {
    // The dynamic loader of whoever has these writes files.
    let loaded = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("experiment/loaded");
    let more = format!(
        "environment = {{ LD_DEBUG = \"libs\", LD_DEBUG_OUTPUT = \"{}\", OWN = \"7\" }}",
        loaded.display()
    );
    let Some(trial) = isolated("variables", "[ \"$OWN\" = 7 ]\n", &more) else { return };
    assert_eq!(ends(&trial), [None, None]);
    let folder = std::fs::read_dir(loaded.parent().unwrap()).unwrap();
    let written = folder.filter_map(|entry| entry.unwrap().file_name().into_string().ok());
    let written: Vec<String> = written.filter(|name| name.starts_with("loaded.")).collect();
    assert_eq!(written, Vec::<String>::new());
}

#[test]
fn isolated_programs_are_sampled_from_their_beginning() {
    let Some(trial) = isolated("sampled", "", "") else { return };
    trial.write("p.py", "import time\nend = time.time() + 5\nwhile time.time() < end: pass\n");
    trial.write(
        "plan.toml",
        "name = \"p\"\nrepeats = 0\nisolated = true\ncommand = [\"python3\", \"p.py\"]\nruns = 1\n\
         recorder = \"python\"\n",
    );
    let (ok, told) = trial.experiment(&[]);
    assert!(ok, "{told}");
    let profile = trial.found().profile;
    let wall = profile.metrics.iter().position(|metric| metric.name == "wall time").unwrap();
    let (total, _) = profile.metric_total(profile::MetricId(wall as u32));
    // Where nothing else runs it is nearly all of them.
    assert!(total > 1_000_000_000, "{total}");
}
