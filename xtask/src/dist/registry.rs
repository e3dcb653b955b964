//! Registries and a place for downloads, on loopback, with the packages of `target/dist`.

use std::fs;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::thread;

use anyhow::Context as _;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha512};

use super::checksum::sha256;
use super::stage::{folder, fresh_folder, unpacked_tar};
use super::version;

/// A server of files that ends with this process.
pub(super) struct Registry {
    /// Its address, without a slash at the end.
    pub(super) address: String,
}

impl Registry {
    /// Serves the packages that are there: `/download/FILE` (`/broken/FILE` damaged), `/simple/` for pip and uv, `/npm/` for npm.
    pub(super) fn start() -> anyhow::Result<Registry> {
        let root = fresh_folder("registry")?;
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = format!("http://{}", listener.local_addr()?);
        let download = root.join("download");
        fs::create_dir_all(&download)?;
        for entry in fs::read_dir(folder())? {
            let entry = entry?;
            if entry.file_type()?.is_file() {
                fs::hard_link(entry.path(), download.join(entry.file_name()))?;
            }
        }
        broken_archive(&root)?;
        python_index(&root, &address)?;
        npm_registry(&root, &address)?;
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let root = root.clone();
                // Who asks for something strange gets no answer.
                thread::spawn(move || answer(&root, stream));
            }
        });
        Ok(Registry { address })
    }
}

/// An archive that is not the one that was released, at `/broken/`.
fn broken_archive(root: &Path) -> anyhow::Result<()> {
    let broken = root.join("broken");
    fs::create_dir_all(&broken)?;
    for entry in fs::read_dir(folder())? {
        let path = entry?.path();
        if let (Some(name), true) =
            (path.file_name(), path.extension().is_some_and(|end| end == "xz"))
        {
            let mut bytes = fs::read(&path)?;
            if let Some(last) = bytes.last_mut() {
                *last ^= 1;
            }
            fs::write(broken.join(name), bytes)?;
        }
    }
    Ok(())
}

/// The pages of the simple repository API.
fn python_index(root: &Path, address: &str) -> anyhow::Result<()> {
    let mut links = String::new();
    for entry in fs::read_dir(folder())? {
        let path = entry?.path();
        let name = path.file_name().context("a file has a name")?.to_string_lossy();
        if name.starts_with(&format!("hotframe-{}-", version())) && name.ends_with(".whl") {
            links += &format!(
                "<a href=\"{address}/download/{name}#sha256={}\" data-requires-python=\"&gt;=3.8\">{name}</a>\n",
                sha256(&path)?
            );
        }
    }
    let page = root.join("simple/hotframe");
    fs::create_dir_all(&page)?;
    Ok(fs::write(page.join("index.html"), format!("<!DOCTYPE html>\n{links}"))?)
}

/// What a registry of npm says of each package.
fn npm_registry(root: &Path, address: &str) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder())? {
        let path = entry?.path();
        if path.extension().is_none_or(|end| end != "tgz") {
            continue;
        }
        let mut manifest: Value =
            serde_json::from_str(&unpacked_tar(&path, "package/package.json")?)?;
        let file = path.file_name().context("a file has a name")?.to_string_lossy();
        if manifest["version"] != version() {
            continue;
        }
        let integrity = STANDARD.encode(Sha512::digest(fs::read(&path)?));
        manifest["dist"] = json!({
            "tarball": format!("{address}/download/{file}"),
            "integrity": format!("sha512-{integrity}"),
        });
        let name = manifest["name"].as_str().context("a package has a name")?.to_owned();
        let versions = Map::from_iter([(version().to_owned(), manifest)]);
        let document =
            json!({ "name": name, "dist-tags": { "latest": version() }, "versions": versions });
        let page = root.join("npm").join(&name);
        fs::create_dir_all(page.parent().context("a page has a folder")?)?;
        fs::write(page, document.to_string())?;
    }
    Ok(())
}

fn answer(root: &Path, stream: TcpStream) -> io::Result<()> {
    let mut lines = BufReader::new(&stream).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
    let path = request.split(' ').nth(1).unwrap_or("/").split(['?', '#']).next().unwrap_or("/");
    let path = PathBuf::from(path.trim_start_matches('/').replace("%2f", "/").replace("%2F", "/"));
    let is_below = path.components().all(|part| matches!(part, Component::Normal(_)));
    let mut file = root.join(path);
    if file.is_dir() {
        file.push("index.html");
    }
    let content = if is_below { fs::read(&file).ok() } else { None };
    let (status, kind) = match (&content, file.extension().and_then(|end| end.to_str())) {
        (None, _) => ("404 Not Found", "text/plain"),
        (_, Some("html")) => ("200 OK", "text/html"),
        (_, None) => ("200 OK", "application/json"),
        _ => ("200 OK", "application/octet-stream"),
    };
    let content = content.unwrap_or_default();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        content.len()
    );
    let mut stream = stream;
    stream.write_all(head.as_bytes())?;
    if !request.starts_with("HEAD") {
        stream.write_all(&content)?;
    }
    Ok(())
}
