//! The loopback server: the page and one WebSocket.
//!
//! An extension gets the WebSocket in a file that only its user can open, and no port: editors that run
//! on another machine than the engine forward every port that they see.
//!
//! It binds 127.0.0.1 only. The page and the socket want the random token of the address that
//! was printed; a port that was chosen keeps its token, so that pages find a new process there. Every request's `Host` must be this server's own (a page of another name that
//! resolves here is refused), and a socket's `Origin`, which browsers always send, must be too.
//! Scripts and styles are the same for everyone and need no token.

mod assets;
mod bound;
mod connections;
mod frame_file;
mod guard;
mod gzip;
mod python;
mod serve;
mod socket;
mod token;

pub(crate) use assets::notebook;
pub(crate) use frame_file::{FrameFile, serve_in_file};
pub(crate) use serve::{ServeOptions, serve, serve_beside};
