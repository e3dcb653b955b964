//! Stores by their addresses.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::{Error, FolderStore, JobStore};

/// How a server is connected to. A folder needs none of this.
#[derive(Debug, Clone)]
pub struct Connect {
    /// Who we are.
    pub credentials: Option<Credentials>,
    /// File of certificates (PEM) that the server's is checked with; otherwise those of the system.
    pub ca: Option<PathBuf>,
    /// Files of our certificate and its key (PEM), if the server wants one.
    pub certificate: Option<(PathBuf, PathBuf)>,
    /// Go beyond this machine without TLS: everybody on the way can read and change jobs.
    pub insecure: bool,
    /// Name of the queue, if a server has several: letters, digits, `_` and `-`.
    pub queue: String,
    /// How long a call waits for a server that does not answer.
    pub patience: Duration,
    /// On how many servers of a cluster everything is kept.
    pub replicas: usize,
}

impl Default for Connect {
    fn default() -> Connect {
        Connect {
            credentials: None,
            ca: None,
            certificate: None,
            insecure: false,
            queue: "hotframe".to_owned(),
            patience: Duration::from_secs(30),
            replicas: 1,
        }
    }
}

/// Who we are to a server. Secrets come from files, because everybody can read command lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Credentials {
    /// File with the seed of an NKey.
    NkeySeed(PathBuf),
    /// A user with a password.
    User {
        /// Name of the user.
        name: String,
        /// File with the password.
        password: PathBuf,
    },
    /// File with a token.
    Token(PathBuf),
}

/// Opens a store: `nats://host:port` or `tls://host:port` is a server, anything else a folder, which is
/// made if it is not there.
///
/// # Errors
/// It cannot be reached or made, is of another version, or is not allowed: beyond this machine without
/// TLS. A server without the feature `nats` of this crate.
pub fn open(address: &str, connect: &Connect) -> Result<Box<dyn JobStore>, Error> {
    if address.starts_with("nats://") || address.starts_with("tls://") {
        return server(address, connect);
    }
    if let Some((scheme, _)) = address.split_once("://") {
        return Err(Error::Asked(format!(
            "{scheme}: no queue is reached this way; name a folder, or nats://HOST:PORT or \
             tls://HOST:PORT"
        )));
    }
    Ok(Box::new(FolderStore::open(Path::new(address))?))
}

#[cfg(feature = "nats")]
fn server(address: &str, connect: &Connect) -> Result<Box<dyn JobStore>, Error> {
    Ok(Box::new(crate::NatsStore::open(address, connect)?))
}

#[cfg(not(feature = "nats"))]
fn server(address: &str, _connect: &Connect) -> Result<Box<dyn JobStore>, Error> {
    Err(Error::Asked(format!(
        "{address}: this program was built without queues of NATS servers\nbuild it with the \
         feature `nats`, or name a folder"
    )))
}
