//! The page and its files, built into the binary.

use std::borrow::Cow;

use axum::extract::{Path, RawQuery, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, VARY};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};

use super::bound::Shared;
use super::gzip::{takes_gzip, unpacked};
use crate::embedded;

pub(super) async fn page(State(shared): State<Shared>, RawQuery(query): RawQuery) -> Response {
    if !shared.guard.admits(query.as_deref()) {
        let text = "This address needs its token: open the whole line that hotframe printed.\n";
        return (StatusCode::FORBIDDEN, text).into_response();
    }
    match embedded::page().file("index.html") {
        Some(file) => {
            let headers = [(CONTENT_TYPE, "text/html; charset=utf-8"), (CACHE_CONTROL, "no-store")];
            (headers, file).into_response()
        }
        None => {
            let text =
                "This Hotframe was compiled without its page: `cargo xtask demo` builds both.\n";
            (StatusCode::NOT_FOUND, text).into_response()
        }
    }
}

/// The page of a notebook's cell, whose frames somebody relays.
pub(crate) fn notebook() -> Option<Vec<u8>> {
    unpacked(&embedded::page().file("notebook.html.gz")?)
}

pub(super) async fn asset(Path(path): Path<String>, headers: HeaderMap) -> Response {
    file(&format!("assets/{path}"), &headers)
}

pub(super) async fn favicon(headers: HeaderMap) -> Response {
    file("favicon.svg", &headers)
}

/// A file as it is in the binary: scripts and styles are gzip, which browsers take as it is. Names of assets change
/// with their content, so browsers may keep them.
fn file(path: &str, asked: &HeaderMap) -> Response {
    let packed = embedded::page().file(&format!("{path}.gz"));
    let is_packed = packed.is_some() && takes_gzip(asked);
    let content = match packed {
        Some(packed) if is_packed => Some(packed),
        Some(packed) => unpacked(&packed).map(Cow::from),
        None => embedded::page().file(path),
    };
    let Some(content) = content else { return StatusCode::NOT_FOUND.into_response() };
    let kind = mime_guess::from_path(path).first_or_octet_stream();
    let headers = [
        (CONTENT_TYPE, kind.to_string()),
        (CACHE_CONTROL, "public, max-age=31536000, immutable".to_owned()),
        (VARY, "accept-encoding".to_owned()),
    ];
    let encoding = is_packed.then_some([(CONTENT_ENCODING, "gzip")]);
    match encoding {
        Some(encoding) => (headers, encoding, content).into_response(),
        None => (headers, content).into_response(),
    }
}
