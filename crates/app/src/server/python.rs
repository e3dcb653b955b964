//! What scripts of the page need, built into the binary: Python as WebAssembly, the worker that it runs in, and
//! the engine of that worker. It is the same for everyone and needs no token.

use anyhow::Context as _;
use axum::extract::Path;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, VARY,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use super::gzip::{takes_gzip, unpacked};
use crate::python_parts::{self, Part};

/// What the worker of scripts may do: run its own script and what that compiles. It reaches nothing.
const WORKER_POLICY: &str = "default-src 'none'; script-src 'wasm-unsafe-eval'; connect-src 'none'; \
     worker-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

pub(super) async fn part(Path(name): Path<String>, headers: HeaderMap) -> Response {
    let kind = mime_guess::from_path(&name).first_or_octet_stream();
    let policy = (name == "worker.js").then_some([(CONTENT_SECURITY_POLICY, WORKER_POLICY)]);
    let part = tokio::task::spawn_blocking(move || {
        let part = python_parts::part(&name)?;
        if !part.is_gzip || takes_gzip(&headers) {
            return anyhow::Ok(part);
        }
        let bytes = unpacked(&part.bytes).with_context(|| format!("{name} is damaged"))?;
        Ok(Part { bytes: bytes.into(), is_gzip: false })
    });
    let part = part.await;
    match part.unwrap_or_else(|died| Err(died.into())) {
        Ok(part) => {
            let own = [
                (CONTENT_TYPE, kind.to_string()),
                // Names stay the same when what they name changes.
                (CACHE_CONTROL, "no-store".to_owned()),
                (VARY, "accept-encoding".to_owned()),
            ];
            let gzip = part.is_gzip.then_some([(CONTENT_ENCODING, "gzip")]);
            let mut response = (own, part.bytes).into_response();
            for more in [policy, gzip].into_iter().flatten().flatten() {
                response.headers_mut().insert(more.0, HeaderValue::from_static(more.1));
            }
            response
        }
        Err(problem) => (StatusCode::NOT_FOUND, problem.to_string()).into_response(),
    }
}
