//! `hotframe FILE` is short for `hotframe open FILE`; commands that were renamed go by their old names, too.

use std::ffi::{OsStr, OsString};

use clap::CommandFactory;
use strsim::osa_distance;

use super::command::Arguments;

/// Commands that were renamed in this version: the old name, and the new one. Remove them with the next version.
const RENAMED: [(&str, &[&str]); 4] = [
    ("machine", &["sdfg", "machine"]),
    ("merge", &["convert", "--one"]),
    ("perf", &["events"]),
    ("worker", &["experiment", "worker"]),
];

/// The words of a command line, and what to tell of them.
#[derive(Debug)]
pub(crate) struct Words {
    pub(crate) words: Vec<OsString>,
    /// That a name is old.
    pub(crate) hint: Option<String>,
}

/// Puts `open` before arguments that name no command, so that `hotframe FILE` opens it. What is
/// neither a file nor a command, but reads like one, is refused with the command that it may mean.
pub(crate) fn with_default_command(
    arguments: impl Iterator<Item = OsString>,
    exists: impl Fn(&OsStr) -> bool,
) -> Result<Words, clap::Error> {
    const OWN: [&str; 4] = ["-h", "--help", "-V", "--version"];
    let mut arguments: Vec<OsString> = arguments.collect();
    // Options of all commands may stand before the command.
    let mut place = 1;
    while let Some(option) =
        arguments.get(place).filter(|a| a.as_encoded_bytes().starts_with(b"--color"))
    {
        place += if option.as_encoded_bytes() == b"--color" { 2 } else { 1 };
    }
    let Some(first) = arguments.get(place) else {
        return Ok(Words { words: arguments, hint: None });
    };
    let word = first.to_string_lossy().into_owned();
    let mut hotframe = Arguments::command();
    hotframe.build();
    let names = hotframe.get_subcommands().map(|command| command.get_name().to_owned());
    let names: Vec<String> = names.collect();
    if word == "help"
        && let Some(old) = arguments.get(place + 1).map(|word| word.to_string_lossy().into_owned())
        && let Some((_, new)) = RENAMED.iter().find(|(name, _)| *name == old)
    {
        let new = new.iter().filter(|word| !word.starts_with('-'));
        arguments.splice(place + 1..=place + 1, new.map(OsString::from));
        return Ok(Words { words: arguments, hint: None });
    }
    if OWN.contains(&&*word) || names.contains(&word) {
        return Ok(Words { words: arguments, hint: None });
    }
    if let Some((old, new)) = RENAMED.iter().find(|(old, _)| *old == word) {
        arguments.splice(place..=place, new.iter().map(OsString::from));
        let hint = format!("`hotframe {old}` is now `hotframe {}`", new.join(" "));
        return Ok(Words { words: arguments, hint: Some(hint) });
    }
    if !word.starts_with('-') && !exists(first) {
        let start: String = word.chars().take(32).collect();
        let nearest = names.iter().map(|name| (osa_distance(name, &start), name)).min();
        if let Some((steps @ 0..=2, name)) = nearest
            && steps * 2 <= word.chars().count()
        {
            let message =
                format!("there is no command and no file '{word}': did you mean '{name}'?");
            return Err(hotframe.error(clap::error::ErrorKind::InvalidSubcommand, message));
        }
    }
    arguments.insert(place, "open".into());
    Ok(Words { words: arguments, hint: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(line: &str) -> Result<String, String> {
        let files = |name: &OsStr| name == "a" || name == "sho";
        let words = line.split(' ').map(OsString::from);
        let words = with_default_command(words, files).map_err(|error| error.to_string())?;
        Ok(words.words.join(OsStr::new(" ")).into_string().unwrap())
    }

    #[track_caller]
    fn check(line: &str, expected: &str) {
        assert_eq!(with(line).as_deref(), Ok(expected));
    }

    #[test]
    fn a_file_name_opens_it() {
        check("hotframe a.pb.gz b", "hotframe open a.pb.gz b");
        check("hotframe --no-browser a", "hotframe open --no-browser a");
        check("hotframe info a", "hotframe info a");
        check("hotframe --help", "hotframe --help");
        check("hotframe help show", "hotframe help show");
        check("hotframe --color never show a", "hotframe --color never show a");
        check("hotframe --color=never a", "hotframe --color=never open a");
        check("hotframe sho", "hotframe open sho");
    }

    #[test]
    fn old_names_run_the_new_commands() {
        check("hotframe merge a -o b", "hotframe convert --one a -o b");
        check("hotframe --color never worker", "hotframe --color never experiment worker");
        let words = ["hotframe", "perf", "summary"].map(OsString::from);
        let found = with_default_command(words.into_iter(), |_| false).unwrap();
        check("hotframe help merge", "hotframe help convert");
        assert_eq!(found.hint.unwrap(), "`hotframe perf` is now `hotframe events`");
    }

    #[test]
    fn a_mistyped_command_is_a_suggestion() {
        for (wrong, meant) in [("shwo", "show"), ("difff", "diff"), ("cnvert", "convert")] {
            let error = with(&format!("hotframe {wrong} a")).unwrap_err();
            assert!(error.contains(&format!("did you mean '{meant}'?")), "{error}");
        }
        check("hotframe profile.out", "hotframe open profile.out");
        check("hotframe xy", "hotframe open xy");
    }
}
