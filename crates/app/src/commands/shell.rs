//! `hotframe completions` and `hotframe man`: what shells and `man` should know of the arguments.

use std::io::Write;

use anyhow::{Result, bail};
use clap::CommandFactory;
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
    let mut hotframe = Arguments::command();
    hotframe.build();
    let page = match &arguments.command {
        None => Page::new(hotframe),
        Some(name) => match hotframe.find_subcommand(name) {
            Some(command) => Page::new(command.clone()).title(format!("hotframe-{name}")),
            None => bail!("there is no command {name}; `hotframe --help` lists them"),
        },
    };
    let mut text = vec![];
    page.render(&mut text)?;
    Ok(crate::text::stdout().write_all(&text)?)
}
