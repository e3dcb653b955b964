//! Where an extension gets the frames of its pages: in a file, and at no port.

use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;

use tungstenite::client;
use tungstenite::http::StatusCode;

use super::*;

/// The ports at which a process listens, as the kernel tells them.
fn ports(process: u32) -> Vec<String> {
    let sockets: Vec<String> = std::fs::read_dir(format!("/proc/{process}/fd"))
        .unwrap()
        .filter_map(|one| std::fs::read_link(one.unwrap().path()).ok())
        .filter_map(|to| Some(to.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.to_owned()))
        .collect();
    let listens = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [_, address, _, "0A", _, _, _, _, _, inode, ..] = fields[..] else { return None };
        sockets.iter().any(|one| one == inode).then(|| address.to_owned())
    };
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(std::fs::read_to_string);
    tables.iter().flatten().flat_map(|table| table.lines().filter_map(listens)).collect()
}

#[test]
fn frames_are_served_in_a_file_of_the_user_alone() {
    let mut editor = Editor::with_sample();
    let frames = editor.run("hotframe.frames", json!([]));
    assert_eq!(editor.run("hotframe.frames", json!([])), frames, "there is one");
    assert_eq!(ports(editor.server.id()), [""; 0]);
    let path = PathBuf::from(frames["path"].as_str().unwrap());
    let folder = path.parent().unwrap().to_owned();
    assert_eq!(std::fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
    let connect = |token: &str| {
        let stream = UnixStream::connect(&path).unwrap();
        client(format!("ws://localhost/socket?token={token}"), stream)
            .map(|(socket, _)| socket)
            .map_err(Box::new)
    };
    connect(frames["token"].as_str().unwrap()).unwrap();
    let tungstenite::HandshakeError::Failure(tungstenite::Error::Http(answer)) =
        *connect("0").unwrap_err()
    else {
        panic!("another error")
    };
    assert_eq!(answer.status(), StatusCode::FORBIDDEN);
    // A page in a browser is at a port.
    editor.run("hotframe.page", json!([]));
    assert_eq!(ports(editor.server.id()).len(), 1);
    assert_eq!(editor.leave(), Some(0));
    assert!(!folder.exists(), "{} is left", folder.display());
}

#[test]
fn what_a_killed_server_left_goes_with_the_next() {
    let left = |editor: &mut Editor| {
        let frames = editor.run("hotframe.frames", json!([]));
        let path = PathBuf::from(frames["path"].as_str().unwrap());
        path.parent().unwrap().to_owned()
    };
    let mut killed = Editor::with_sample();
    let folder = left(&mut killed);
    killed.server.kill().unwrap();
    killed.server.wait().unwrap();
    assert!(folder.exists());
    let mut other = Editor::with_sample();
    let others = left(&mut other);
    let mut next = Editor::with_sample();
    left(&mut next);
    assert!(!folder.exists() && others.exists());
}
