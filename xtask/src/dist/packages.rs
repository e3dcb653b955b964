//! The command: which packages are made of which program.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::platform::{PLATFORMS, platform};
use super::program::Program;
use super::stage::{self, megabytes};
use super::{archive, checksum, crates, extension, installers, npm, wheel};
use crate::{build, page};

/// The options of the command.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Packages to make; all by default.
    packages: Vec<Package>,
    /// The Rust target to package for; this machine's by default.
    #[arg(long)]
    target: Option<String>,
    /// Package this program, which was built before.
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Compress little, into target/dist-trial: the packages are only tried out.
    #[arg(long)]
    trial: bool,
}

/// What is handed out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Package {
    /// The program with manual pages and completions, as an archive.
    Archive,
    /// The same for Debian.
    Deb,
    /// The Python package with the program inside.
    Wheel,
    /// Packages for npm.
    Npm,
    /// The extension for VS Code with the program inside.
    Extension,
    /// The extension for VS Code in a browser.
    WebExtension,
    /// The crates that the program is made of.
    Crates,
    /// The install script, the formula for Homebrew and the file for containers.
    Installers,
}

/// Makes packages for one platform, and says how to for the others.
pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    if options.trial {
        stage::for_trial();
    }
    let target = options.target.as_deref();
    let platform = platform(target)?;
    let hotframe = match &options.program {
        Some(program) => program.clone(),
        None => {
            page::run()?;
            build::distributed(target)?
        }
    };
    let program = Program::new(&hotframe, platform, options.trial)?;
    if !options.trial {
        program.check_size()?;
    }
    let mut files = vec![];
    for package in Package::value_variants() {
        if options.packages.is_empty() || options.packages.contains(package) {
            files.extend(package.make(&program)?);
        }
    }
    for file in &files {
        println!("{}: {:.1} MB", file.display(), megabytes(file.metadata()?.len()));
    }
    println!("{}", checksum::write(&files)?.display());
    println!("\nFor other machines (`rustup target add TARGET`):");
    for platform in PLATFORMS {
        println!("  {:12} cargo xtask dist --target {}", platform.node, platform.rust);
    }
    Ok(())
}

/// Makes what the README installs of a program, compressed little.
pub(super) fn for_trial(program: &Path) -> anyhow::Result<()> {
    let packages =
        vec![Package::Archive, Package::Deb, Package::Wheel, Package::Npm, Package::Installers];
    run(&Options { packages, target: None, program: Some(program.to_path_buf()), trial: true })
}

impl Package {
    fn make(self, program: &Program) -> anyhow::Result<Vec<PathBuf>> {
        Ok(match self {
            Package::Archive => vec![archive::archive(program)?],
            Package::Deb => archive::deb(program)?.into_iter().collect(),
            Package::Wheel => vec![wheel::wheel(program)?],
            Package::Npm => npm::packages(program)?,
            Package::Extension => vec![extension::extension(program)?],
            Package::WebExtension => vec![extension::web_extension()?],
            Package::Crates => crates::crates()?,
            Package::Installers => installers::installers(program)?,
        })
    }
}
