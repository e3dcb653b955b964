//! What scripts of the page need, built into the binary: Python as WebAssembly, the worker that it runs in, and
//! the engine of that worker. It is the same for everyone and needs no token.

use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

use crate::python_parts;

/// What the worker of scripts may do: run its own script and what that compiles. It reaches nothing.
const WORKER_POLICY: &str = "default-src 'none'; script-src 'wasm-unsafe-eval'; connect-src 'none'; \
     worker-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

pub(super) async fn part(Path(name): Path<String>) -> Response {
    match python_parts::packed(&name) {
        Ok(packed) => {
            let kind = mime_guess::from_path(&name).first_or_octet_stream();
            let headers = [
                (CONTENT_TYPE, kind.to_string()),
                (CONTENT_ENCODING, "gzip".to_owned()),
                // Names stay the same when what they name changes.
                (CACHE_CONTROL, "no-store".to_owned()),
            ];
            let policy =
                (name == "worker.js").then_some([(CONTENT_SECURITY_POLICY, WORKER_POLICY)]);
            match policy {
                Some(policy) => (headers, policy, packed).into_response(),
                None => (headers, packed).into_response(),
            }
        }
        Err(problem) => (StatusCode::NOT_FOUND, problem.to_string()).into_response(),
    }
}
