//! Reports: one file that has the viewer and documents inside, and opens without a server.
//!
//! ```text
//! viewer with one engine | documents, packed | Python, if asked for | how they are opened, as JSON
//! ```
//!
//! A document that was read from one file is there as that file, byte by byte, unless a page would read
//! something else in it than was read here, or names are replaced; then it is there in the exchange format.
//! What was made of others is made again by the page.

mod opening;
mod packed;
mod report;
mod viewer;

pub(crate) use report::answer;
