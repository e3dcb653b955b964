//! What travels between the engine and a user interface.
//!
//! A *frame* is one message: a JSON header and aligned little-endian columns ([`frame`]).
//! The header of a request names a method with its parameters ([`Request`]); the header of an
//! answer carries that method's result. Bulk numbers never stand in the header: they travel as
//! columns, which the page views as typed arrays without copying.
//!
//! `web/engine/src/generated/protocol.ts` is generated from this crate and checked for freshness
//! by its tests.

mod accesses;
mod columns;
pub mod editor;
mod error;
mod flags;
mod frame;
mod graph;
mod methods;
mod profile;
mod report;
mod runs;
mod session;
mod table;

#[cfg(test)]
mod typescript;

pub use accesses::*;
pub use columns::{Column, ColumnData, Columns};
pub use error::{ErrorCode, ProtocolError};
pub use flags::{BoxFlag, EdgeFlag, FlameFlag};
pub use frame::{DecodeError, Frame, Header, Progress, decode, encode};
pub use graph::*;
pub use methods::*;
pub use profile::*;
pub use report::*;
pub use runs::*;
pub use session::*;
pub use table::*;
