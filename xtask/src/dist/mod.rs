//! `cargo xtask dist`: what people install: the page without a server, the binary, which makes reports
//! of that page, the VS Code extension with the binary inside, and the Python package.

mod wheel;

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use serde_json::{Value, json};
use zip::ZipArchive;

use crate::notices::{self, Thing};
use crate::{build, command, page, setup, workspace};

/// The options of the command.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The Rust target to package for; this machine's by default.
    #[arg(long, conflicts_with = "web")]
    target: Option<String>,
    /// Package the extension for VS Code in a browser alone, which has no binary inside.
    #[arg(long)]
    web: bool,
    /// Package the Python package alone.
    #[arg(long, conflicts_with_all = ["target", "web"])]
    wheel: bool,
}

/// One kind of machine that VS Code runs on.
struct Platform {
    /// As `vsce` and Node.js name it.
    vscode: &'static str,
    /// As `rustup` names it.
    rust: &'static str,
}

const PLATFORMS: [Platform; 8] = [
    Platform { vscode: "linux-x64", rust: "x86_64-unknown-linux-gnu" },
    Platform { vscode: "linux-arm64", rust: "aarch64-unknown-linux-gnu" },
    Platform { vscode: "linux-armhf", rust: "armv7-unknown-linux-gnueabihf" },
    Platform { vscode: "alpine-x64", rust: "x86_64-unknown-linux-musl" },
    Platform { vscode: "darwin-x64", rust: "x86_64-apple-darwin" },
    Platform { vscode: "darwin-arm64", rust: "aarch64-apple-darwin" },
    Platform { vscode: "win32-x64", rust: "x86_64-pc-windows-msvc" },
    Platform { vscode: "win32-arm64", rust: "aarch64-pc-windows-msvc" },
];

/// Most of a binary without symbols; docs/performance.md says what is in it.
const MOST_MEGABYTES: f64 = 50.0;

/// Folders and files of `web/vscode` that go into the package.
const PARTS: [&str; 5] = ["package.json", "README.md", "dist", "media", "walkthrough"];

/// Packages for one platform, and says how to for the others.
pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    if options.web {
        println!("\n{}", web_extension()?.display());
        return Ok(());
    }
    if options.wheel {
        println!("\n{}", wheel::wheel()?.display());
        return Ok(());
    }
    let target = options.target.as_deref();
    let platform = platform(target)?;
    page::run()?;
    let hotframe = build::distributed(target)?;
    let package = extension(&hotframe, platform)?;
    let mut files = vec![package, web_extension()?];
    files.extend(binary(&hotframe, platform)?);
    if target.is_none() {
        check_program(&hotframe)?;
        files.push(wheel::wheel()?);
    }
    for file in files {
        let size = file.metadata().with_context(|| format!("no {}", file.display()))?.len();
        println!("\n{}: {:.1} MB", file.display(), megabytes(size));
    }
    println!("\nOn each of these, or with a linker for it (`rustup target add TARGET`):");
    for Platform { vscode, rust } in PLATFORMS {
        println!("  {vscode:12} cargo xtask dist --target {rust}");
    }
    Ok(())
}

/// Packages a binary for this machine; gives the `.vsix`.
pub(crate) fn extension_of(hotframe: &Path) -> anyhow::Result<PathBuf> {
    extension(hotframe, platform(None)?)
}

/// Fails unless the binary, and a report that it writes, have their notices.
fn check_program(hotframe: &Path) -> anyhow::Result<()> {
    let text = command::output(Command::new(hotframe).arg("licenses"))?;
    notices::expect(hotframe, &text, &["serde", "clap", "preact", "pyodide"])?;
    let report = workspace::target().join("dist/report.html");
    let sample = workspace::root().join("testdata/pprof/cpu.pb.gz");
    command::run(Command::new(hotframe).arg("export").arg(sample).arg("-o").arg(&report))?;
    notices::expect(&report, &fs::read_to_string(&report)?, &["serde", "preact"])?;
    Ok(fs::remove_file(report)?)
}

/// The binary as people install it, and its symbols beside it for debuggers, where one file had both.
fn binary(hotframe: &Path, platform: &Platform) -> anyhow::Result<Vec<PathBuf>> {
    let name = hotframe.file_name().context("the binary has no name")?;
    let folder = workspace::target().join("dist").join(platform.vscode);
    fs::create_dir_all(&folder)?;
    let stripped = folder.join(name);
    copy(hotframe, &stripped)?;
    if !platform.rust.contains("linux") {
        return Ok(vec![stripped]);
    }
    let symbols = folder.join("hotframe.debug");
    command::run(objcopy()?.arg("--only-keep-debug").arg(hotframe).arg(&symbols))?;
    strip(&stripped)?;
    let mut link = std::ffi::OsString::from("--add-gnu-debuglink=");
    link.push(&symbols);
    command::run(objcopy()?.arg(link).arg(&stripped))?;
    let size = megabytes(stripped.metadata()?.len());
    if size > MOST_MEGABYTES {
        bail!(
            "the binary has {size:.1} MB, more than {MOST_MEGABYTES}: find out why with `cargo bloat`"
        );
    }
    Ok(vec![stripped, symbols])
}

fn extension(hotframe: &Path, platform: &Platform) -> anyhow::Result<PathBuf> {
    build_scripts()?;
    let stage = stage(hotframe, platform)?;
    notices::write(Thing::Extension, Some(platform.rust), &stage)?;
    pack(&stage, platform.vscode, &["serde", "clap", "preact", "vscode-languageclient"])
}

/// Builds what the extensions run.
fn build_scripts() -> anyhow::Result<()> {
    let arguments = ["run", "--silent", "build", "--workspace", "web/vscode"];
    command::run(&mut command::in_root("npm", &arguments))
}

/// Packages the extension for VS Code in a browser, where no binary runs; gives the `.vsix`.
pub(crate) fn web_extension() -> anyhow::Result<PathBuf> {
    build_scripts()?;
    let page = page::build()?.folder.join("index.html");
    let root = workspace::root().join("web/vscode");
    let stage = fresh_folder("vscode-web")?;
    for part in ["README.md", "media", "dist/web.cjs"] {
        fs::create_dir_all(stage.join(part).parent().context("a part has a folder")?)?;
        copy(&root.join(part), &stage.join(part))?;
    }
    fs::create_dir_all(stage.join("page"))?;
    copy(&page, &stage.join("page/index.html"))?;
    fs::write(stage.join("LICENSE"), license()?)?;
    let manifest = fs::read_to_string(root.join("package.json"))?;
    fs::write(stage.join("package.json"), web_manifest(&manifest)?)?;
    notices::write(Thing::WebExtension, None, &stage)?;
    pack(&stage, "web", &["serde", "preact"])
}

/// What of the manifest holds where the page has its own engine.
fn web_manifest(manifest: &str) -> anyhow::Result<String> {
    /// Commands that need no binary.
    const COMMANDS: [&str; 5] = [
        "hotframe.open",
        "hotframe.openWith",
        "hotframe.toggleHeat",
        "hotframe.toggleMarks",
        "hotframe.clearHighlight",
    ];
    /// Settings that have something to decide there.
    const SETTINGS: [&str; 3] = ["hotframe.hotLinePercent", "hotframe.heat", "hotframe.marks"];
    let mut manifest: Value = serde_json::from_str(manifest)?;
    let commands = manifest["contributes"]["commands"].as_array().context("no commands")?;
    let is_there = |entry: &&Value| COMMANDS.iter().any(|name| entry["command"] == *name);
    let commands: Vec<Value> = commands.iter().filter(is_there).cloned().collect();
    let in_explorer = manifest["contributes"]["menus"]["explorer/context"].as_array();
    let in_explorer: Vec<Value> =
        in_explorer.into_iter().flatten().filter(is_there).cloned().collect();
    let editors = manifest["contributes"]["customEditors"].clone();
    let mut configuration = manifest["contributes"]["configuration"].clone();
    let settings = configuration["properties"].as_object_mut().context("no settings")?;
    settings.retain(|name, _| SETTINGS.contains(&name.as_str()));
    let colours = manifest["contributes"]["colors"].clone();
    manifest["contributes"] = json!({
        "colors": colours,
        "commands": commands,
        "configuration": configuration,
        "menus": { "explorer/context": in_explorer },
        "customEditors": editors,
    });
    manifest["browser"] = json!("./dist/web.cjs");
    manifest["activationEvents"] = json!([]);
    manifest["capabilities"] =
        json!({ "untrustedWorkspaces": { "supported": true }, "virtualWorkspaces": true });
    let fields = manifest.as_object_mut().context("the manifest is not an object")?;
    // Without a kind it is one for browsers, also where there is a machine behind them.
    for field in ["main", "extensionKind", "scripts", "devDependencies"] {
        fields.remove(field);
    }
    Ok(serde_json::to_string_pretty(&manifest)?)
}

/// An empty folder of that name where packages are laid out.
fn fresh_folder(name: &str) -> anyhow::Result<PathBuf> {
    let folder = workspace::target().join("dist").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder)
            .with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

fn license() -> anyhow::Result<String> {
    let root = workspace::root();
    Ok(format!(
        "Hotframe may be used under either of these licences, at your option.\n\n{}\n\n{}",
        fs::read_to_string(root.join("LICENSE-MIT"))?,
        fs::read_to_string(root.join("LICENSE-APACHE"))?
    ))
}

fn platform(target: Option<&str>) -> anyhow::Result<&'static Platform> {
    let own = workspace::platform();
    let found = PLATFORMS.iter().find(|platform| match target {
        Some(target) => platform.rust == target,
        None => platform.vscode == own,
    });
    let Some(platform) = found else {
        let known: Vec<_> = PLATFORMS.iter().map(|platform| platform.rust).collect();
        bail!(
            "VS Code has no name for {}: it runs on {}",
            target.unwrap_or(&own),
            known.join(", ")
        );
    };
    Ok(platform)
}

/// Lays out what goes into the package in a fresh folder.
fn stage(hotframe: &Path, platform: &Platform) -> anyhow::Result<PathBuf> {
    let root = workspace::root();
    let stage = fresh_folder("vscode")?;
    fs::create_dir_all(stage.join("bin"))?;
    for part in PARTS {
        let from = root.join("web/vscode").join(part);
        if from.exists() {
            copy(&from, &stage.join(part))?;
        }
    }
    fs::write(stage.join("LICENSE"), license()?)?;
    let binary = stage.join("bin").join(hotframe.file_name().context("the binary has no name")?);
    copy(hotframe, &binary)?;
    if platform.rust.contains("linux") {
        strip(&binary)?;
    }
    // The package is built already, and vsce would build it again.
    let mut manifest = command::in_root("npm", &["pkg", "delete", "scripts", "devDependencies"]);
    command::run(manifest.current_dir(&stage))?;
    Ok(stage)
}

/// Takes the tables of lines out of an ELF file, four fifths of it. Other systems keep them
/// in files of their own. Rust's own tool knows every processor.
fn strip(binary: &Path) -> anyhow::Result<()> {
    command::run(objcopy()?.arg("--strip-all").arg(binary))
}

fn objcopy() -> anyhow::Result<Command> {
    let libraries = command::output(&mut command::in_root("rustc", &["--print", "target-libdir"]))?;
    let tool = Path::new(libraries.trim()).with_file_name("bin").join("rust-objcopy");
    Ok(Command::new(tool))
}

/// Packs a folder, which has notices of these packages among others.
fn pack(stage: &Path, target: &str, packages: &[&str]) -> anyhow::Result<PathBuf> {
    let package = workspace::target().join(format!("dist/hotframe-{target}.vsix"));
    let vsce = workspace::root().join("node_modules/@vscode/vsce/vsce");
    let mut pack = Command::new(setup::node()?);
    pack.arg(vsce)
        .args(["package", "--no-dependencies", "--allow-missing-repository"])
        .args(["--target", target, "--out"])
        .arg(&package)
        .current_dir(stage);
    command::run(&mut pack)?;
    let text = unpacked(&package, &format!("extension/{}", notices::FILE))?;
    notices::expect(&package, &text, packages)?;
    Ok(package)
}

/// The text in an archive whose name ends so.
fn unpacked(archive: &Path, end: &str) -> anyhow::Result<String> {
    let mut files = ZipArchive::new(File::open(archive)?)?;
    let name = files.file_names().flatten().find(|name| name.ends_with(end));
    let name =
        name.with_context(|| format!("{} has no file {end}", archive.display()))?.into_owned();
    let mut text = String::new();
    files.by_name(&name)?.read_to_string(&mut text)?;
    Ok(text)
}

/// Copies a file, or a folder with all that is in it; the right to execute stays.
fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    if !from.is_dir() {
        fs::copy(from, to).with_context(|| format!("cannot copy {}", from.display()))?;
        return Ok(());
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "for people")]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

#[cfg(test)]
mod tests {
    use super::platform;

    #[test]
    fn targets_have_vscode_names() {
        let name = |target| platform(Some(target)).map(|platform| platform.vscode).ok();
        assert_eq!(name("aarch64-apple-darwin"), Some("darwin-arm64"));
        assert_eq!(name("x86_64-pc-windows-msvc"), Some("win32-x64"));
        assert_eq!(name("wasm32-unknown-unknown"), None);
    }

    #[test]
    fn this_machine_is_one_of_them() {
        assert!(platform(None).is_ok());
    }
}
