//! What the tours say that commands print.

use std::fs;

use super::stdout;

/// Each command of a tour whose output stands behind it, with that output.
fn examples(tour: &str) -> Vec<(String, String)> {
    let mut all = vec![];
    let mut blocks = tour.split("\n```").skip(1);
    while let (Some(block), Some(_)) = (blocks.next(), blocks.next()) {
        let (kind, text) = block.split_once('\n').unwrap();
        match kind {
            "sh" => all.push((text.to_owned(), String::new())),
            "text" => all.last_mut().unwrap().1 = text.to_owned(),
            _ => panic!("a block of {kind}"),
        }
    }
    all
}

#[test]
fn commands_of_the_tour_of_time_print_what_it_says() {
    let folder = samples::testdata("").parent().unwrap().to_owned();
    let tour = fs::read_to_string(folder.join("docs/tour-time.md")).unwrap();
    let commands = examples(&tour);
    assert!(commands.iter().filter(|(_, output)| !output.is_empty()).count() >= 2);
    for (command, output) in commands {
        let root = folder.display().to_string();
        let arguments: Vec<String> = command
            .split_whitespace()
            .skip(1)
            .map(|word| word.trim_matches('\'').replace("testdata/", &format!("{root}/testdata/")))
            .collect();
        let arguments: Vec<&dyn AsRef<std::ffi::OsStr>> =
            arguments.iter().map(|one| one as &dyn AsRef<std::ffi::OsStr>).collect();
        let printed = stdout(&arguments);
        assert!(printed.lines().count() > 1, "{command}: {printed}");
        for line in output.lines() {
            assert!(printed.contains(line), "{command}: no line {line:?} in\n{printed}");
        }
    }
}

/// Commands of the README whose output stands behind them, as a shell runs them in the repository.
#[test]
fn commands_of_the_readme_print_what_it_says() {
    let folder = samples::testdata("").parent().unwrap().to_owned();
    let readme = fs::read_to_string(folder.join("README.md")).unwrap();
    let commands: Vec<_> =
        examples(&readme).into_iter().filter(|(_, output)| !output.is_empty()).collect();
    assert!(commands.len() >= 3, "{commands:?}");
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_hotframe")).parent().unwrap();
    let path = std::env::join_paths(
        std::iter::once(program.to_owned())
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let path = path.unwrap();
    for (command, output) in commands {
        let ran = std::process::Command::new("sh")
            .args(["-c", &command])
            .current_dir(&folder)
            .env("PATH", &path)
            .output()
            .unwrap();
        let printed = String::from_utf8(ran.stdout).unwrap();
        assert!(ran.status.success() && printed.starts_with(&output), "{command}: {printed}");
    }
}
