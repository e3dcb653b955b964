//! From options to a queue and the folders that experiments use.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use experiment::Folders;
use jobs::{Connect, Credentials, JobStore};

use crate::arguments::{Queue, Store};

pub(super) fn folders(store: &Store) -> Result<Folders> {
    Ok(match &store.store {
        Some(folder) => Folders::at(folder)?,
        None => Folders::of_user()?,
    })
}

/// Where jobs wait; and whether it is this machine's own.
pub(super) fn open(queue: &Queue, folders: &Folders) -> Result<(Box<dyn JobStore>, bool)> {
    let own = folders.queue();
    let address = match &queue.queue {
        Some(address) => address.clone(),
        None => own.to_str().context("the folder of the queue has no UTF-8 name")?.to_owned(),
    };
    let is_local = !address.contains("://");
    Ok((jobs::open(&address, &connect(queue))?, is_local))
}

fn connect(queue: &Queue) -> Connect {
    let token = |file: &PathBuf| Credentials::Token(file.clone());
    let nkey = |file: &PathBuf| Credentials::NkeySeed(file.clone());
    let user = queue.user.as_ref().zip(queue.password_file.as_ref());
    let user = user.map(|(name, password)| Credentials::User {
        name: name.clone(),
        password: password.clone(),
    });
    Connect {
        credentials: queue
            .nkey_file
            .as_ref()
            .map(nkey)
            .or(user)
            .or(queue.token_file.as_ref().map(token)),
        ca: queue.ca.clone(),
        certificate: queue.cert.clone().zip(queue.key.clone()),
        insecure: queue.insecure,
        queue: queue.queue_name.clone(),
        ..Connect::default()
    }
}
