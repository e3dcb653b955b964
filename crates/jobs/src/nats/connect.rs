//! The way to a server, and whether it may be gone.

use std::fs;
use std::net::IpAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use async_nats::jetstream::{self, kv, object_store, stream};
use async_nats::{Client, ConnectErrorKind, ConnectOptions, ServerAddr};

use super::link::{Buckets, Link, Streams};
use super::names::Names;
use super::trouble::{ANSWER, Trouble};
use crate::{Connect, Credentials, Error};

/// The oldest server whose answers the client understands.
const OLDEST: (u64, u64) = (2, 10);
/// The version of what we keep there.
const VERSION: &str = "1";
/// Workers that were silent for longer are forgotten.
const LATELY: Duration = Duration::from_secs(600);
/// A server that never answered may be starting for so long; a wrong address is told soon.
const FIRST: Duration = Duration::from_secs(5);

/// Connects, and makes what the queue needs where it is not there.
pub(super) async fn link(address: &str, connect: &Connect) -> Result<Link, Error> {
    let servers = servers(address, connect)?;
    let options = options(&servers, connect)?;
    let client = client(address, servers, options, connect.patience).await?;
    check_server(address, &client)?;
    let mut jetstream = jetstream::new(client.clone());
    jetstream.set_timeout(ANSWER);
    let names = Names(connect.queue.clone());
    let until = Instant::now() + connect.patience;
    let (buckets, streams, blobs) = loop {
        match make(&jetstream, &names, connect.replicas).await {
            Ok(made) => break made,
            // A server that was just started takes its time.
            Err(Trouble::Again(_)) if Instant::now() < until => {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            Err(trouble) => return Err(unmade(address, trouble)),
        }
    };
    let place = address.to_owned();
    let patience = connect.patience;
    let link = Link { client, jetstream, place, patience, names, buckets, streams, blobs };
    link.check_version().await?;
    Ok(link)
}

/// The addresses, all of which are allowed.
fn servers(address: &str, connect: &Connect) -> Result<Vec<ServerAddr>, Error> {
    let letters = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
    if connect.queue.is_empty() || !connect.queue.chars().all(letters) {
        let queue = connect.queue.escape_debug();
        return Err(Error::Asked(format!(
            "'{queue}' cannot name a queue: use letters, digits, `_` and `-`"
        )));
    }
    let mut servers = vec![];
    for one in address.split(',') {
        let server: ServerAddr = one
            .parse()
            .map_err(|error| Error::Asked(format!("{one}: {error}; write nats://HOST:PORT")))?;
        if server.has_user_pass() {
            return Err(Error::Asked(
                "an address must not hold a password, which everybody on this machine could read: \
                 put it into a file and name that"
                    .to_owned(),
            ));
        }
        if !has_tls(&server, connect) && !is_loopback(server.host()) && !connect.insecure {
            return Err(Error::Asked(format!(
                "{one} is another machine, and without TLS everybody on the way could read and \
                 change jobs\nwrite tls:// or name the file of its certificates; or say that this \
                 is to be insecure"
            )));
        }
        servers.push(server);
    }
    Ok(servers)
}

fn has_tls(server: &ServerAddr, connect: &Connect) -> bool {
    server.tls_required() || connect.ca.is_some() || connect.certificate.is_some()
}

fn is_loopback(host: &str) -> bool {
    let host = host.trim_matches(['[', ']']);
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn options(servers: &[ServerAddr], connect: &Connect) -> Result<ConnectOptions, Error> {
    let is_safe = servers.iter().all(|server| has_tls(server, connect));
    let mut options = ConnectOptions::new()
        .name("hotframe")
        .require_tls(is_safe)
        .request_timeout(Some(ANSWER))
        .connection_timeout(ANSWER)
        .max_reconnects(None)
        .reconnect_delay_callback(|tries| {
            Duration::from_millis(50 << tries.min(4)).min(Duration::from_secs(1))
        });
    if !is_safe {
        // A cluster would name servers that nobody allowed.
        options = options.ignore_discovered_servers();
    }
    if let Some(ca) = &connect.ca {
        readable(ca)?;
        options = options.add_root_certificates(ca.clone());
    }
    if let Some((certificate, key)) = &connect.certificate {
        readable(certificate)?;
        readable(key)?;
        options = options.add_client_certificate(certificate.clone(), key.clone());
    }
    Ok(match &connect.credentials {
        None => options,
        Some(Credentials::NkeySeed(file)) => options.nkey(secret(file)?),
        Some(Credentials::Token(file)) => options.token(secret(file)?),
        Some(Credentials::User { name, password }) => {
            options.user_and_password(name.clone(), secret(password)?)
        }
    })
}

fn readable(file: &Path) -> Result<(), Error> {
    fs::File::open(file).map(drop).map_err(Error::file("read", file))
}

/// The text of a file, without the line end that editors add.
fn secret(file: &Path) -> Result<String, Error> {
    let text = fs::read_to_string(file).map_err(Error::file("read", file))?;
    Ok(text.trim_end_matches(['\n', '\r']).to_owned())
}

async fn client(
    address: &str,
    servers: Vec<ServerAddr>,
    options: ConnectOptions,
    patience: Duration,
) -> Result<Client, Error> {
    let until = Instant::now() + patience.min(FIRST);
    loop {
        let error = match options.clone().connect(servers.clone()).await {
            Ok(client) => return Ok(client),
            Err(error) => error,
        };
        let place = address.to_owned();
        match error.kind() {
            ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
                let what = format!("{error}\ncheck the file with the key, password or token");
                return Err(Error::Other { place, what });
            }
            ConnectErrorKind::ServerParse | ConnectErrorKind::Tls => {
                let what = format!("{error}\ncheck the files of certificates");
                return Err(Error::Other { place, what });
            }
            _ if Instant::now() > until => {
                return Err(Error::Unreachable { place, what: error.to_string() });
            }
            _ => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
}

/// Older servers answer what the client does not understand.
fn check_server(address: &str, client: &Client) -> Result<(), Error> {
    let info = client.server_info();
    let mut numbers = info.version.split(['.', '-']).map(|number| number.parse().ok());
    let version = (numbers.next().flatten(), numbers.next().flatten());
    if let (Some(major), Some(minor)) = version
        && (major, minor) < OLDEST
    {
        return Err(Error::Version {
            place: address.to_owned(),
            found: info.version,
            wanted: format!("{}.{} or later", OLDEST.0, OLDEST.1),
            advice: "install a newer nats-server there; some distributions have old ones"
                .to_owned(),
        });
    }
    Ok(())
}

type Made = (Buckets, Streams, object_store::ObjectStore);

async fn make(
    jetstream: &jetstream::Context,
    names: &Names,
    num_replicas: usize,
) -> Result<Made, Trouble> {
    let bucket = async |what: &str, max_age| {
        let bucket = names.of(what);
        // One that is there may be kept on another number of servers.
        if let Ok(store) = jetstream.get_key_value(bucket.as_str()).await {
            return Ok(store);
        }
        let config = kv::Config { bucket, max_age, history: 1, num_replicas, ..<_>::default() };
        jetstream.create_key_value(config).await.map_err(Trouble::from)
    };
    let streamed = async |what: &str, retention| {
        let config = stream::Config {
            name: names.of(what),
            subjects: vec![names.all(what)],
            retention,
            num_replicas,
            allow_direct: true,
            ..<_>::default()
        };
        jetstream.get_or_create_stream(config).await.map_err(Trouble::from)
    };
    let always = Duration::ZERO;
    let buckets = Buckets {
        about: bucket("about", always).await?,
        state: bucket("state", always).await?,
        progress: bucket("progress", always).await?,
        workers: bucket("workers", LATELY).await?,
        needs: bucket("needs", always).await?,
    };
    let streams = Streams {
        jobs: streamed("jobs", stream::RetentionPolicy::WorkQueue).await?,
        ends: streamed("ends", stream::RetentionPolicy::Limits).await?,
        logs: streamed("logs", stream::RetentionPolicy::Limits).await?,
    };
    let config = object_store::Config { bucket: names.of("blobs"), num_replicas, ..<_>::default() };
    let blobs = match jetstream.get_object_store(&config.bucket).await {
        Ok(store) => store,
        Err(_) => jetstream.create_object_store(config).await?,
    };
    Ok((buckets, streams, blobs))
}

fn unmade(address: &str, trouble: Trouble) -> Error {
    let place = address.to_owned();
    match trouble {
        Trouble::Full(what) => Error::Full { place, what },
        Trouble::Again(what) => {
            let what = format!("{what}; does it run with JetStream (`nats-server -js`)?");
            Error::Unreachable { place, what }
        }
        Trouble::Final(what) => Error::Other { place, what },
        Trouble::Conflict => Error::Other {
            place,
            what: "another program is creating the queue: try again".to_owned(),
        },
    }
}

impl Link {
    /// What is kept there is what we know.
    async fn check_version(&self) -> Result<(), Error> {
        let call = super::trouble::Call::new(self);
        let made = call
            .try_ask(async || Ok(self.buckets.about.create("version", VERSION.into()).await?))
            .await?;
        if made.is_ok() {
            return Ok(());
        }
        let found = call.ask(async || Ok(self.buckets.about.get("version").await?)).await?;
        let found = String::from_utf8_lossy(&found.unwrap_or_default()).into_owned();
        if found == VERSION {
            return Ok(());
        }
        Err(Error::Version {
            place: format!("the queue {} on {}", self.names.0, self.place),
            found,
            wanted: VERSION.to_owned(),
            advice: "use the program that made it, or another queue".to_owned(),
        })
    }
}
