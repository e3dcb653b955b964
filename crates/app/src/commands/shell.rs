//! `hotframe completions` and `hotframe man`: what shells and `man` should know of the arguments.

use std::io::Write;

use anyhow::{Result, bail};
use clap::{Command, CommandFactory};
use clap_complete::generate;
use clap_complete::shells::{Bash, Fish, Zsh};
use clap_mangen::Man as Page;

use crate::arguments::{Arguments, Completions, Man, Shell};

/// Prints completions.
pub(crate) fn completions(arguments: &Completions) -> Result<()> {
    let mut hotframe = Arguments::command();
    // Whole, so that a pipe that is closed is an error like any other.
    let mut text = vec![];
    match arguments.shell {
        Shell::Bash => generate(Bash, &mut hotframe, "hotframe", &mut text),
        Shell::Fish => generate(Fish, &mut hotframe, "hotframe", &mut text),
        Shell::Zsh => generate(Zsh, &mut hotframe, "hotframe", &mut text),
    }
    Ok(crate::text::stdout().write_all(&text)?)
}

/// Prints a manual page.
pub(crate) fn man(arguments: &Man) -> Result<()> {
    let mut hotframe = without_help(Arguments::command());
    hotframe.build();
    let mut command = &hotframe;
    for name in &arguments.command {
        let Some(found) = command.find_subcommand(name) else {
            bail!(
                "there is no command {}; `hotframe --help` lists them",
                arguments.command.join(" ")
            );
        };
        command = found;
    }
    let title: Vec<&str> =
        ["hotframe"].into_iter().chain(arguments.command.iter().map(String::as_str)).collect();
    let page = Page::new(command.clone()).title(title.join("-"));
    let mut text = vec![];
    page.render(&mut text)?;
    Ok(crate::text::stdout().write_all(&text)?)
}

/// Leaves out `help`, of which there are no pages.
fn without_help(command: Command) -> Command {
    command.disable_help_subcommand(true).mut_subcommands(without_help)
}
