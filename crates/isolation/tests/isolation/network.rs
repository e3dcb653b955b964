//! What listens on this machine.

use std::io::Read as _;
use std::net::TcpListener;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixListener};

use isolation::{Isolation, Kind};

use crate::run::{python, small};

#[test]
fn there_is_no_network() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let text = format!(
        r#"
import socket
attempt(socket.create_connection, ("127.0.0.1", {port}), 5)
attempt(socket.socket, socket.AF_INET6)
attempt(socket.socket, socket.AF_NETLINK, socket.SOCK_RAW)
attempt(socket.socket, socket.AF_PACKET, socket.SOCK_RAW)
attempt(socket.socket, socket.AF_VSOCK)
attempt(socket.socket, 38, socket.SOCK_SEQPACKET)
one, other = socket.socketpair()
one.send(b"x"); print(other.recv(1))
print(sorted(line.split(":")[0].strip() for line in open("/proc/net/dev").readlines()[2:]))
"#
    );
    let Some(ran) = python(&small(), &text) else { return };
    let held = ["held EPERM"; 6];
    ran.says(&[&held[..], &["b'x'", "['lo']"]].concat());
    listener.set_nonblocking(true).unwrap();
    assert!(listener.accept().is_err(), "nobody came");
    assert!(ran.in_force.has(Kind::NetworkNamespace));
}

#[test]
fn the_network_is_there_where_it_is_requested() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let text = format!(
        r#"
import socket
socket.create_connection(("127.0.0.1", {port}), 5).send(b"here")
attempt(socket.socket, socket.AF_NETLINK, socket.SOCK_RAW)
"#
    );
    let isolation = Isolation { network: true, ..small() };
    let came = std::thread::spawn(move || {
        let mut said = String::new();
        listener.accept().unwrap().0.read_to_string(&mut said).unwrap();
        said
    });
    let Some(ran) = python(&isolation, &text) else { return };
    ran.says(&["held EPERM"]);
    assert_eq!(came.join().unwrap(), "here");
    assert!(!ran.in_force.has(Kind::NetworkNamespace));
}

#[test]
fn sockets_without_a_file_are_out_of_reach() {
    let name = format!("isolation-test-{}", std::process::id());
    let address = SocketAddr::from_abstract_name(&name).unwrap();
    let listener = UnixListener::bind_addr(&address).unwrap();
    let text = format!(
        r#"
import socket
attempt(socket.socket(socket.AF_UNIX).connect, "\0{name}")
"#
    );
    // They belong to networks: without one they are not there, with one Landlock refuses them.
    for (network, held) in [(false, "held ECONNREFUSED"), (true, "held EPERM")] {
        let Some(ran) = python(&Isolation { network, ..small() }, &text) else { return };
        let landlock = ran.in_force.measure(Kind::Landlock).unwrap();
        if network && !landlock.how.contains("abstract sockets") {
            crate::run::left_out(&format!("abstract sockets with the network: {}", landlock.how));
            continue;
        }
        ran.says(&[held]);
    }
    drop(listener);
}
