//! What only queues on servers have to do with: outages, versions, keys, certificates.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use jobs::{Beat, Connect, Credentials, Error, JobStore, NatsStore, Progress, Which};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};

use crate::queue::{LEASE, Queue, claimed, done, ends, job, nothing, worker};
use crate::server::ServerQueue;

fn patient(time: Duration) -> Connect {
    Connect { patience: time, ..Connect::default() }
}

#[test]
fn a_killed_server_comes_back_and_jobs_end_once() {
    let Some(queue) = ServerQueue::new() else { return };
    let store = queue.open();
    store.add(&[job(1), job(2)]).unwrap();
    let lease = LEASE * 5;
    let first = store.claim(&worker("a"), lease).unwrap().unwrap();
    let other = queue.open();
    let second = other.claim(&worker("b"), lease).unwrap().unwrap();
    let blob = vec![3; 1_000_000];
    let hash = store.put(&mut blob.as_slice()).unwrap();
    queue.kill();
    let started = Instant::now();
    thread::scope(|scope| {
        // Calls in the middle of the outage wait for its end.
        let beat = scope.spawn(|| store.beat(&first, &Progress::default()));
        let finish = scope.spawn(|| other.finish(&second, done()));
        thread::sleep(Duration::from_secs(1));
        queue.start();
        assert_eq!(beat.join().unwrap().unwrap(), Beat::GoOn);
        finish.join().unwrap().unwrap();
    });
    assert!(started.elapsed() > Duration::from_secs(1));
    nothing(&*other, "b");
    store.finish(&first, done()).unwrap();
    let ends = ends(&*store, "b");
    let told: Vec<_> = ends.iter().map(|end| (end.place, end.attempt)).collect();
    assert_eq!(told, [(2, 1), (1, 1)]);
    assert_eq!(store.get(&hash, &mut vec![]).unwrap(), 1_000_000);
    queue.pass(lease);
    nothing(&*store, "a");
}

#[test]
fn reports_a_server_that_stays_away() {
    let Some(queue) = ServerQueue::new() else { return };
    let store = queue.connect(&patient(Duration::from_secs(1))).unwrap();
    store.add(&[job(1)]).unwrap();
    let claim = claimed(&store, "w");
    queue.kill();
    let calls: [&dyn Fn() -> Result<(), Error>; 5] = [
        &|| store.finish(&claim, done()),
        &|| store.beat(&claim, &Progress::default()).map(drop),
        &|| store.claim(&worker("w2"), LEASE).map(drop),
        &|| store.put(&mut b"x".as_slice()).map(drop),
        &|| queue.connect(&patient(Duration::from_secs(1))).map(drop),
    ];
    for call in calls {
        let started = Instant::now();
        let unreachable = call();
        assert!(matches!(unreachable, Err(Error::Unreachable { .. })), "{unreachable:?}");
        let took = started.elapsed();
        assert!(took > Duration::from_millis(900) && took < Duration::from_secs(20), "{took:?}");
    }
    queue.start();
    store.finish(&claim, done()).unwrap();
    assert_eq!(ends(&store, "b").len(), 1);
}

#[test]
fn old_servers_are_refused() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    // The words of the protocol that a server says until somebody is connected.
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let info = r#"INFO {"server_id":"x","server_name":"x","version":"2.9.10","go":"x","host":"127.0.0.1","port":4222,"headers":true,"max_payload":1048576,"proto":1,"client_id":1,"jetstream":true}"#;
            write!(stream, "{info}\r\n").unwrap();
            for line in BufReader::new(stream.try_clone().unwrap()).lines() {
                if line.is_ok_and(|line| line == "PING") {
                    write!(stream, "PONG\r\n").unwrap();
                }
            }
        }
    });
    let address = format!("nats://127.0.0.1:{port}");
    let refused = NatsStore::open(&address, &Connect::default()).map(drop).unwrap_err();
    let Error::Version { found, wanted, .. } = &refused else { panic!("{refused:?}") };
    assert_eq!((found.as_str(), wanted.as_str()), ("2.9.10", "2.10 or later"));
}

#[test]
fn unsafe_ways_are_refused() {
    #[track_caller]
    fn check(address: &str, connect: &Connect, word: &str) {
        let refused = NatsStore::open(address, connect).map(drop).unwrap_err();
        assert!(matches!(refused, Error::Asked(_)), "{refused:?}");
        assert!(refused.to_string().contains(word), "{refused}");
    }
    let default = Connect::default();
    check("nats://192.0.2.1:4222", &default, "TLS");
    check("nats://127.0.0.1:4222,nats://example.org", &default, "TLS");
    check("nats://localhost.example.org", &default, "TLS");
    check("nats://user:secret@127.0.0.1", &default, "file");
    check("nats://127.0.0.1", &Connect { queue: "a b".to_owned(), ..default }, "queue");
    // Nobody is there; it was allowed to look.
    let connect = Connect { insecure: true, ..patient(Duration::from_millis(10)) };
    let unreachable = NatsStore::open("nats://192.0.2.1:4222", &connect).map(drop);
    assert!(matches!(unreachable, Err(Error::Unreachable { .. })), "{unreachable:?}");
}

#[test]
fn servers_without_streams_are_distinguished() {
    let Some(queue) = ServerQueue::with(|_| "jetstream: false".to_owned()) else { return };
    let refused = queue.connect(&patient(Duration::from_secs(1))).map(drop).unwrap_err();
    assert!(refused.to_string().contains("JetStream"), "{refused}");
}

#[test]
fn a_full_server_is_reported_and_goes_on_later() {
    let with = |folder: &Path, size: &str| {
        let store = folder.join("small");
        format!("jetstream: {{ store_dir: \"{}\", max_file_store: {size} }}", store.display())
    };
    let Some(queue) = ServerQueue::with(|folder| with(folder, "3MB")) else { return };
    let store = queue.connect(&patient(Duration::from_secs(10))).unwrap();
    store.add(&[job(1), job(2)]).unwrap();
    let claim = |name| store.claim(&worker(name), LEASE * 1000).unwrap().unwrap();
    let (first, second) = (claim("a"), claim("b"));
    let large = new_bytes(4_000_000);
    let full = store.put(&mut large.as_slice());
    assert!(matches!(full, Err(Error::Full { .. })), "{full:?}");
    assert!(!store.has(&jobs::Hash::new(&large)).unwrap());
    // What was sent of it does not stay.
    let small = new_bytes(1_500_000);
    let hash = store.put(&mut small.as_slice()).unwrap();
    assert_eq!(store.get(&hash, &mut vec![]).unwrap(), 1_500_000);
    while store.put(&mut new_bytes(100_000).as_slice()).is_ok() {}
    let outcome = jobs::Outcome::Done { result: vec![], facts: vec![7; 250_000] };
    let full = store.finish(&first, outcome.clone());
    assert!(matches!(full, Err(Error::Full { .. })), "{full:?}");
    while store.put(&mut new_bytes(100).as_slice()).is_ok() {}
    let full = store.finish(&second, done());
    assert!(matches!(full, Err(Error::Full { .. })), "{full:?}");
    let full = store.add(&(10..500).map(job).collect::<Vec<_>>());
    assert!(matches!(full, Err(Error::Full { .. })), "{full:?}");
    assert_eq!(ends(&store, "b"), []);
    for claim in [&first, &second] {
        assert!(store.job(&claim.job.key).unwrap().is_some(), "nothing is lost");
    }
    queue.start_with(with(queue.folder(), "100MB"));
    store.finish(&first, outcome).unwrap();
    store.finish(&second, done()).unwrap();
    let ends = ends(&store, "b");
    assert_eq!(ends.iter().map(|end| end.place).collect::<Vec<_>>(), [1, 2]);
    assert!(ends.iter().all(|end| matches!(end.end, jobs::End::Done { .. })));
    assert!(store.add(&(10..500).map(job).collect::<Vec<_>>()).is_ok());
    assert_eq!(store.counts("b", Which::All).unwrap().all(), 492);
    let place = claim("a").job.place;
    assert!(place >= 10, "{place}");
}

/// Bytes that were never there before.
fn new_bytes(length: usize) -> Vec<u8> {
    let text = format!("{:?} ", std::time::SystemTime::now());
    text.into_bytes().into_iter().cycle().take(length).collect()
}

#[test]
fn queues_of_one_server_are_apart() {
    let Some(queue) = ServerQueue::new() else { return };
    let other = Connect { queue: "other".to_owned(), ..Connect::default() };
    let (one, other) = (queue.open(), queue.connect(&other).unwrap());
    assert_eq!(one.add(&[job(1)]).unwrap(), 1);
    nothing(&other, "w");
    assert_eq!(other.add(&[job(1)]).unwrap(), 1);
    claimed(&*one, "w");
    claimed(&other, "w");
}

/// A server that wants these credentials takes them, and nothing else.
#[track_caller]
fn check_credentials(configuration: &str, secret: &str, made: impl Fn(&Path) -> Credentials) {
    let Some(queue) = ServerQueue::with(|_| configuration.to_owned()) else { return };
    let with = |secret: &str| {
        let file = queue.folder().join("secret");
        fs::write(&file, format!("{secret}\n")).unwrap();
        let connect = patient(Duration::from_secs(2));
        queue.connect(&Connect { credentials: Some(made(&file)), ..connect })
    };
    let store = with(secret).unwrap();
    assert_eq!(store.add(&[job(1)]).unwrap(), 1);
    let none = queue.connect(&patient(Duration::from_secs(2))).map(drop);
    let wrong = with("SUAMLK2ZNL35WSMW37E7UD4VZ7ELPKW7DHC3BWBSD2GCZ7IUQQXZIORRBU").map(drop);
    for refused in [none, wrong] {
        let refused = refused.unwrap_err();
        assert!(matches!(refused, Error::Other { .. }), "{refused:?}");
        assert!(refused.to_string().contains("check the file"), "{refused}");
        assert!(!refused.to_string().contains(secret), "{refused}");
    }
}

#[test]
fn tokens_open() {
    let token = |file: &Path| Credentials::Token(file.to_owned());
    check_credentials("authorization: { token: \"s3cret\" }", "s3cret", token);
}

#[test]
fn passwords_open() {
    let user =
        |file: &Path| Credentials::User { name: "hot".to_owned(), password: file.to_owned() };
    let configuration = "authorization: { user: \"hot\", password: \"s3cret\" }";
    check_credentials(configuration, "s3cret", user);
}

#[test]
fn nkeys_open() {
    // A pair from the server's documentation.
    let seed = "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY";
    let public = "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4";
    let configuration = format!("authorization: {{ users: [ {{ nkey: {public} }} ] }}");
    check_credentials(&configuration, seed, |file| Credentials::NkeySeed(file.to_owned()));
}

/// Writes certificates into a folder: of an authority, a server and a client.
fn certificates(folder: &Path) {
    let key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::new(vec![]).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    fs::write(folder.join("ca.pem"), params.self_signed(&key).unwrap().pem()).unwrap();
    let issuer = Issuer::new(params, key);
    for name in ["localhost", "client"] {
        let key = KeyPair::generate().unwrap();
        let names = vec![name.to_owned(), "127.0.0.1".to_owned()];
        let params = CertificateParams::new(names).unwrap();
        let certificate = params.signed_by(&key, &issuer).unwrap();
        fs::write(folder.join(format!("{name}.pem")), certificate.pem()).unwrap();
        fs::write(folder.join(format!("{name}.key")), key.serialize_pem()).unwrap();
    }
}

#[test]
fn certificates_are_checked_on_both_sides() {
    let configuration = |folder: &Path| {
        certificates(folder);
        let folder = folder.display();
        format!(
            "tls: {{ cert_file: \"{folder}/localhost.pem\", key_file: \"{folder}/localhost.key\", \
             ca_file: \"{folder}/ca.pem\", verify: true }}"
        )
    };
    let Some(queue) = ServerQueue::with(configuration) else { return };
    let file = |name: &str| queue.folder().join(name);
    let full = Connect {
        ca: Some(file("ca.pem")),
        certificate: Some((file("client.pem"), file("client.key"))),
        ..patient(Duration::from_secs(2))
    };
    let address = queue.address().replace("nats://", "tls://");
    let store = NatsStore::open(&address, &full).unwrap();
    assert_eq!(store.add(&[job(1)]).unwrap(), 1);
    let refused = |connect: Connect| {
        let refused = NatsStore::open(&address, &connect).map(drop);
        assert!(refused.is_err());
    };
    refused(Connect { certificate: None, ..full.clone() });
    refused(Connect { ca: None, ..full.clone() });
    let missing = Connect { ca: Some(file("none.pem")), ..full };
    let missing = NatsStore::open(&address, &missing).map(drop).unwrap_err();
    assert!(matches!(missing, Error::File { .. }), "{missing:?}");
}
