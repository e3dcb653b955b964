//! The crates as crates.io gets them: packages with names of their own, with the files that npm built inside, so
//! that `cargo install hotframe` needs no Node.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use serde_json::Value;

use super::stage::{copy, folder, fresh_folder};
use super::version;
use crate::notices::{self, Thing};
use crate::{command, workspace};

/// The largest package that crates.io takes, in bytes.
const MOST: u64 = 10 << 20;

/// What files of crates name outside of their crate, from the root of the repository: they go into the crate.
const OUTSIDE: [&str; 2] = ["python/src/hotframe", "web/ui/dist"];

/// Crates that are of use by themselves, so that their examples are published.
const EXAMPLES: [&str; 3] = ["locality", "perfdata", "symbols"];

/// Packs all crates that the program is made of; gives the packages.
pub(super) fn crates() -> anyhow::Result<Vec<PathBuf>> {
    let stage = fresh_folder("crates")?;
    let root = workspace::root();
    let names = closure()?;
    fs::write(
        stage.join("Cargo.toml"),
        workspace_manifest(&fs::read_to_string(root.join("Cargo.toml"))?, &names)?,
    )?;
    copy(&root.join("Cargo.lock"), &stage.join("Cargo.lock"))?;
    for name in &names {
        lay_out(name, &stage.join("crates").join(name))?;
    }
    split_archives(&stage)?;
    let mut package =
        command::cargo(&["package", "--workspace", "--no-verify", "--allow-dirty", "--quiet"]);
    package.current_dir(&stage).env("CARGO_TARGET_DIR", std::path::absolute(stage.join("target"))?);
    command::run(&mut package)?;
    let mut files = vec![];
    for entry in fs::read_dir(stage.join("target/package"))? {
        let from = entry?.path();
        if from.extension().is_none_or(|end| end != "crate") {
            continue;
        }
        let size = from.metadata()?.len();
        ensure!(size <= MOST, "{} has {size} bytes, more than crates.io takes", from.display());
        let to = folder().join(from.file_name().context("a file has a name")?);
        copy(&from, &to)?;
        files.push(to);
    }
    files.sort();
    ensure!(files.len() > names.len(), "{} packages of {} crates", files.len(), names.len());
    Ok(files)
}

/// The folders of the crates that the program is made of.
fn closure() -> anyhow::Result<BTreeSet<String>> {
    let text =
        command::output(&mut command::cargo(&["metadata", "--no-deps", "--format-version", "1"]))?;
    let metadata: Value = serde_json::from_str(&text)?;
    let packages = metadata["packages"].as_array().context("no packages")?;
    let mut names = BTreeSet::new();
    let mut next = vec!["app".to_owned()];
    while let Some(name) = next.pop() {
        if !names.insert(name.clone()) {
            continue;
        }
        let own = format!("crates/{name}/Cargo.toml");
        let package = packages.iter().find(|package| {
            package["manifest_path"].as_str().is_some_and(|path| path.ends_with(&own))
        });
        let package = package.with_context(|| format!("no package has {own}"))?;
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let folder = dependency["path"].as_str().and_then(|path| path.rsplit('/').next());
            if let (Some(folder), true) = (folder, dependency["kind"].as_str() != Some("dev")) {
                next.push(folder.to_owned());
            }
        }
    }
    Ok(names)
}

/// The name of the package of a crate.
fn published(name: &str) -> String {
    if name == "app" { "hotframe".to_owned() } else { format!("hotframe-{name}") }
}

/// The manifest of the workspace, in which crates have their published names and versions.
fn workspace_manifest(manifest: &str, names: &BTreeSet<String>) -> anyhow::Result<String> {
    let manifest = manifest.split("\n[profile.").next().unwrap_or(manifest);
    let mut text = String::new();
    for line in manifest.lines() {
        let own = line.split_once(" = { path = \"crates/");
        match own {
            Some((name, rest)) if names.contains(name) => {
                let package = published(name);
                text += &format!(
                    "{name} = {{ package = \"{package}\", version = \"={}\", path = \"crates/{rest}\n",
                    version()
                );
            }
            // Of tests, or another program's.
            Some(_) => {}
            None if line.starts_with("members = ") => text += "members = [\"crates/*\"]\n",
            None if line == "publish = false" => {}
            None => {
                text += line;
                text.push('\n');
            }
        }
    }
    ensure!(
        text.contains("package = \"hotframe-profile\""),
        "the manifest of the workspace is written otherwise"
    );
    Ok(text)
}

/// Copies a crate, with what it names outside of itself.
fn lay_out(name: &str, to: &Path) -> anyhow::Result<()> {
    let root = workspace::root();
    let from = root.join("crates").join(name);
    fs::create_dir_all(to)?;
    let examples = if EXAMPLES.contains(&name) { "examples" } else { "src" };
    for part in [examples, "src", "build.rs", "README.md"] {
        if from.join(part).exists() {
            copy(&from.join(part), &to.join(part))?;
        }
    }
    if name == "app" {
        copy(&root.join("packaging/crates.md"), &to.join("README.md"))?;
    }
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        copy(&root.join(licence), &to.join(licence))?;
    }
    let manifest = fs::read_to_string(from.join("Cargo.toml"))?;
    let has_readme = to.join("README.md").exists();
    fs::write(to.join("Cargo.toml"), crate_manifest(&manifest, name, has_readme)?)?;
    for outside in bring_in(to)? {
        copy(&root.join(&outside), &to.join(&outside))?;
    }
    Ok(())
}

/// The manifest of a crate: without what only tests need.
fn crate_manifest(manifest: &str, name: &str, has_readme: bool) -> anyhow::Result<String> {
    let mut sections: Vec<String> = vec![];
    for line in manifest.lines() {
        if line.starts_with('[') || sections.is_empty() {
            sections.push(String::new());
        }
        if let Some(section) = sections.last_mut() {
            section.push_str(line);
            section.push('\n');
        }
    }
    let is_for_tests = |section: &String| {
        let head = section.lines().next().unwrap_or_default();
        head.contains("dev-dependencies")
            || ["[[bench]]", "[[test]]", "[[example]]"].contains(&head)
    };
    sections.retain(|section| !is_for_tests(section));
    let package = sections.iter_mut().find(|section| section.starts_with("[package]"));
    let package = package.context("a manifest has no package")?;
    if !package.contains("\ndescription = ") {
        bail!("crates/{name}/Cargo.toml has no description");
    }
    let mut lines: Vec<String> = package
        .lines()
        .filter(|line| {
            !line.starts_with("publish") && !line.starts_with("name = ") && !line.trim().is_empty()
        })
        .map(ToOwned::to_owned)
        .collect();
    lines.insert(1, format!("name = \"{}\"", published(name)));
    if !lines.iter().any(|line| line.starts_with("repository")) {
        lines.push("repository.workspace = true".to_owned());
    }
    if has_readme && !lines.iter().any(|line| line.starts_with("readme")) {
        lines.push("readme = \"README.md\"".to_owned());
    }
    *package = lines.join("\n") + "\n\n";
    let own = format!("name = \"{}\"\n", name.replace('-', "_"));
    match sections.iter_mut().find(|section| section.starts_with("[lib]")) {
        _ if name == "app" => {}
        Some(lib) if lib.contains("\nname = ") => {}
        Some(lib) => *lib = lib.replacen("[lib]\n", &format!("[lib]\n{own}"), 1),
        None => sections.push(format!("\n[lib]\n{own}")),
    }
    Ok(sections.concat())
}

/// Makes a crate name what is outside of it as if it were inside; gives what that is.
fn bring_in(to: &Path) -> anyhow::Result<BTreeSet<String>> {
    let mut brought = BTreeSet::new();
    for file in sources(to)? {
        let text = fs::read_to_string(&file)?;
        let mut new = text.clone();
        for outside in OUTSIDE {
            // One step less for the folder `crates`, one for the crate's own.
            new = new.replace(&format!("../../{outside}"), outside);
            if new.contains(outside) && text.contains(&format!("../../{outside}")) {
                let parts: &[&str] = if outside == "web/ui/dist" {
                    &["", "-archives", "-parts", "-python"]
                } else {
                    &[""]
                };
                brought.extend(parts.iter().map(|part| format!("{outside}{part}")));
            }
        }
        // A build script gives the folders by their ends.
        new = new.replace("/../../web/ui/{folder}", "/web/ui/{folder}");
        if new != text {
            fs::write(&file, new)?;
        }
    }
    Ok(brought)
}

fn sources(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = vec![];
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(sources(&path)?);
        } else if path.extension().is_some_and(|end| end == "rs") {
            files.push(path);
        }
    }
    Ok(files)
}

/// Moves what is large into a crate of its own: the program's package would be too large.
fn split_archives(stage: &Path) -> anyhow::Result<()> {
    const EMBED: &str =
        "#[derive(RustEmbed)]\n#[folder = \"web/ui/dist-archives\"]\nstruct Archives;\n";
    let own = stage.join("crates/archives");
    fs::create_dir_all(own.join("src"))?;
    let app = stage.join("crates/app");
    fs::rename(app.join("web/ui/dist-archives"), own.join("files"))?;
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        copy(&workspace::root().join(licence), &own.join(licence))?;
    }
    notices::write(Thing::Program, None, &own)?;
    let manifest = "[package]\nname = \"hotframe-archives\"\nversion.workspace = true\nedition.workspace = true\n\
                    rust-version.workspace = true\nlicense-file = \"NOTICES.txt\"\nrepository.workspace = true\n\
                    description = \"What Hotframe has inside for its page: its engine as WebAssembly, and Python (Pyodide)\"\n\n\
                    [lib]\nname = \"archives\"\n\n[dependencies]\n\
                    rust-embed = { version = \"8.13.0\", features = [\"debug-embed\"] }\n";
    fs::write(own.join("Cargo.toml"), manifest)?;
    let library = "//! What Hotframe has inside for its page: its engine as WebAssembly, and Python.\n\n\
                   use rust_embed::RustEmbed;\n\n/// The files.\n#[derive(RustEmbed)]\n#[folder = \"files\"]\npub struct Archives;\n";
    fs::write(own.join("src/lib.rs"), library)?;
    let main = app.join("src/main.rs");
    let text = fs::read_to_string(&main)?;
    ensure!(text.contains(EMBED), "crates/app/src/main.rs embeds archives otherwise");
    let text = text.replace(EMBED, "").replace(
        "use rust_embed::RustEmbed;\n",
        "use archives::Archives;\nuse rust_embed::RustEmbed;\n",
    );
    fs::write(main, text)?;
    let script = app.join("build.rs");
    fs::write(&script, fs::read_to_string(&script)?.replace(" \"dist-archives\",", ""))?;
    let manifest = app.join("Cargo.toml");
    let text = fs::read_to_string(&manifest)?.replacen(
        "\n[dependencies]\n",
        &format!(
            "\n[dependencies]\narchives = {{ package = \"hotframe-archives\", version = \"={}\", path = \"../archives\" }}\n",
            version()
        ),
        1,
    );
    Ok(fs::write(manifest, text)?)
}

#[cfg(test)]
mod tests {
    use super::crate_manifest;

    #[test]
    fn manifests_are_published_under_other_names_and_without_tests() {
        let manifest = "[package]\nname = \"work\"\nversion.workspace = true\ndescription = \"Long work\"\n\
                        publish.workspace = true\n\n[dependencies]\na = \"1\"\n\n[dev-dependencies]\nb = \"2\"\n";
        let made = crate_manifest(manifest, "work", false).unwrap();
        assert!(
            made.contains("name = \"hotframe-work\"") && made.contains("[lib]\nname = \"work\""),
            "{made}"
        );
        assert!(!made.contains("publish") && !made.contains("b = \"2\""), "{made}");
        assert!(crate_manifest(&manifest.replace("description", "about"), "work", false).is_err());
    }
}
