//! A queue in a folder of this machine: `queue.sqlite` with all but blobs, which are files below
//! `blobs`. Any number of processes may use it at once, on this machine alone: locks of files and the
//! time since the machine started do not hold across a network.

mod blobs;
mod changes;
mod claims;
mod failure;
mod logs;
mod rows;
mod schema;
mod store;
mod views;

pub use store::FolderStore;
