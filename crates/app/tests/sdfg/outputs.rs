//! Where pictures of graphs go.
#![cfg(unix)]

use std::fs;
use std::io::Read as _;
use std::os::unix::fs::{FileTypeExt as _, symlink};
use std::path::Path;
use std::process::Command;

use crate::run;

fn draw(output: &Path) -> (Option<i32>, String) {
    let graph = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/sdfg/square.sdfg");
    let [graph, output] = [&graph, output].map(|path| path.to_str().unwrap());
    let (code, _, err) = run(&["sdfg", "draw", graph, "-o", output], "");
    (code, err)
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_picture_goes_where_a_link_leads() {
    let folder = tempfile::tempdir().unwrap();
    let (target, link) = (folder.path().join("target.svg"), folder.path().join("link.svg"));
    fs::write(&target, "before").unwrap();
    symlink("target.svg", &link).unwrap();
    assert_eq!(draw(&link).0, Some(0));
    assert!(fs::symlink_metadata(&link).unwrap().file_type().is_symlink());
    assert!(fs::read_to_string(&target).unwrap().starts_with("<svg"));
    assert_eq!(names(folder.path()), ["link.svg", "target.svg"]);
}

#[test]
fn a_pipe_is_written_into() {
    let folder = tempfile::tempdir().unwrap();
    let [pipe, link] = ["pipe", "link"].map(|name| folder.path().join(name));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    symlink("pipe", &link).unwrap();
    for output in [&pipe, &link] {
        let reader = {
            let pipe = pipe.clone();
            std::thread::spawn(move || {
                let mut text = String::new();
                fs::File::open(pipe).unwrap().read_to_string(&mut text).unwrap();
                text
            })
        };
        assert_eq!(draw(output).0, Some(0));
        let picture = reader.join().unwrap();
        assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n"));
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
        assert_eq!(names(folder.path()), ["link", "pipe"]);
    }
}

#[test]
fn a_folder_is_no_picture() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("pictures");
    fs::create_dir(&inner).unwrap();
    let (code, err) = draw(&inner);
    assert!(code == Some(1) && err.contains("cannot write") && err.contains("directory"), "{err}");
    let (code, err) = draw(&folder.path().join("missing/x.svg"));
    assert!(code == Some(1) && err.contains("cannot write"), "{err}");
    assert_eq!((names(folder.path()), names(&inner)), (vec!["pictures".to_owned()], vec![]));
}
