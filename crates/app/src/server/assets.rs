//! The page and its files, built into the binary.

use axum::extract::{Path, RawQuery, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

use super::Shared;
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
pub(crate) fn notebook() -> Option<std::borrow::Cow<'static, [u8]>> {
    embedded::page().file("notebook.html")
}

pub(super) async fn asset(Path(path): Path<String>) -> Response {
    file(&format!("assets/{path}"))
}

pub(super) async fn favicon() -> Response {
    file("favicon.svg")
}

/// Names of assets change with their content, so browsers may keep them.
fn file(path: &str) -> Response {
    match embedded::page().file(path) {
        Some(file) => {
            let kind = mime_guess::from_path(path).first_or_octet_stream();
            let headers = [
                (CONTENT_TYPE, kind.to_string()),
                (CACHE_CONTROL, "public, max-age=31536000, immutable".to_owned()),
            ];
            (headers, file).into_response()
        }
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
