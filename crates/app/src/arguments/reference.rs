//! `docs/commands.md` lists all commands and options. It is made from the arguments themselves.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use clap::{Arg, Command, CommandFactory as _};

use super::command::Arguments;

/// Headings of options that many commands have. They are listed once.
const SHARED: [&str; 4] = ["View", "Filters", "Reading", "Limits"];

const HEAD: &str = "# Commands

*Made from the program's own arguments. `UPDATE_GOLDEN=1 cargo test -p hotframe --lib reference` writes it anew.*

`hotframe FILE...` is short for `hotframe open FILE...`. `-h` prints the usual options of a command, `--help` all of them.
Every command ends with exit code 0 if it worked, 1 if something went wrong, 2 if its arguments are wrong, and 3 if a limit
of `--fail-if` is exceeded. A filter that matches nothing is an error.
";

#[test]
fn every_option_is_documented() {
    let mut hotframe = Arguments::command();
    hotframe.build();
    let mut out = HEAD.to_owned();
    let mut shared = BTreeMap::new();
    for command in visible(&hotframe) {
        describe(command, &mut out, &mut shared);
    }
    for heading in SHARED {
        write!(out, "\n## {heading}\n\nA command has those that make sense for it.\n\n").unwrap();
        let options: &BTreeMap<String, String> = &shared[heading];
        options.values().for_each(|option| out.push_str(option));
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/commands.md");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&file, &out).unwrap();
    }
    let known = std::fs::read_to_string(&file).unwrap();
    assert!(known == out, "docs/commands.md is out of date: run this test with UPDATE_GOLDEN=1");
}

fn visible(command: &Command) -> impl Iterator<Item = &Command> {
    command
        .get_subcommands()
        .filter(|command| !command.is_hide_set() && command.get_name() != "help")
}

/// A command with those below it.
fn describe(
    command: &Command,
    out: &mut String,
    shared: &mut BTreeMap<&'static str, BTreeMap<String, String>>,
) {
    let name = command.get_bin_name().unwrap_or_default();
    let about = command.get_long_about().or(command.get_about()).unwrap_or_default();
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").replace("       ", "");
    let about = about.to_string().replace("\n\n", ". ");
    let about = about.trim_end_matches('.');
    write!(out, "\n## {name}\n\n{about}.\n\n```text\n{usage}\n```\n\n").unwrap();
    let mut groups: Vec<&'static str> = vec![];
    for option in command.get_arguments().filter(|option| !option.is_hide_set()) {
        if ["help", "version", "color"].contains(&option.get_id().as_str()) {
            continue;
        }
        assert!(option.get_help().is_some(), "{name} {}: no help", option.get_id());
        let heading = option.get_help_heading().unwrap_or_default();
        match SHARED.into_iter().find(|shared| *shared == heading) {
            Some(heading) => {
                let options = shared.entry(heading).or_default();
                options.entry(option.get_id().to_string()).or_insert_with(|| line(option));
                if !groups.contains(&heading) {
                    groups.push(heading);
                }
            }
            None => out.push_str(&line(option)),
        }
    }
    if !groups.is_empty() {
        let links = groups.iter().map(|group| format!("[{group}](#{})", group.to_lowercase()));
        writeln!(out, "\nAnd the options of {}.", links.collect::<Vec<_>>().join(", ")).unwrap();
    }
    visible(command).for_each(|below| describe(below, out, shared));
}

/// An option as an entry of a list.
fn line(option: &Arg) -> String {
    let help = option.get_long_help().or(option.get_help()).unwrap_or_default().to_string();
    let sentences = help.split("\n\n").map(|one| {
        let one = one.replace('\n', " ");
        let end = if one.ends_with(['.', ']']) { "" } else { "." };
        format!("{one}{end}")
    });
    let help = sentences.collect::<Vec<_>>().join(" ");
    let short = option.get_short().map_or(String::new(), |short| format!("-{short}, "));
    let mut text = format!("- `{short}{option}`: {help}");
    let aliases = option.get_visible_aliases().unwrap_or_default();
    if !aliases.is_empty() {
        write!(text, " Also `--{}`.", aliases.join("`, `--")).unwrap();
    }
    let values = option.get_possible_values();
    let values: Vec<&str> =
        values.iter().filter(|v| !v.is_hide_set()).map(|v| v.get_name()).collect();
    if option.get_action().takes_values() && !values.is_empty() {
        write!(text, " One of `{}`.", values.join("`, `")).unwrap();
    }
    let defaults: Vec<_> =
        option.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    if option.get_action().takes_values() && !defaults.is_empty() {
        write!(text, " Default: `{}`.", defaults.join(" ")).unwrap();
    }
    text.push('\n');
    text
}
