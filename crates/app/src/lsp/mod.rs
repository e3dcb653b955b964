//! `hotframe lsp`: what code costs, told to editors over the Language Server Protocol on standard
//! input and output. One request a file.
//!
//! One thread reads, so that a request can be cancelled while it waits; one answers, in order;
//! profiles are read on threads of their own, and pages are served beside.

mod abilities;
mod around;
mod base;
mod cells;
mod comparison;
mod copies;
mod events;
mod files;
mod fit;
mod framing;
mod git;
mod graphs;
mod headers;
mod line_diff;
mod line_map;
mod loading;
mod macros;
mod markdown;
mod methods;
mod outbox;
mod past;
mod paths;
mod pending;
mod profiles;
mod questions;
mod reader;
mod refusal;
mod remembered;
mod renames;
mod requests;
mod run;
mod search;
mod server;
mod settings;
mod several;
mod source;
mod starts;
mod texts;
mod versions;
mod workspace;

pub(crate) use run::lsp;
