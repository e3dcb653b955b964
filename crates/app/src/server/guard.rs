//! Who may ask.

use axum::extract::{Request, State};
use axum::http::header::{HOST, HeaderName, HeaderValue};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::bound::Shared;

/// What a page may do: nothing but run its own script and talk to this server.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'none'";

/// The token, and the names of this server.
pub(super) struct Guard {
    token: String,
    hosts: Vec<String>,
}

impl Guard {
    pub(super) fn new(port: u16, token: String) -> Guard {
        let hosts = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}")).to_vec();
        Guard { token, hosts }
    }

    /// Of a server that has no port: who reaches it has opened its file, and names it as they like.
    pub(super) fn without_port(token: String) -> Guard {
        Guard { token, hosts: vec!["localhost".to_owned()] }
    }

    pub(super) fn token(&self) -> &str {
        &self.token
    }

    /// Whether a query string carries the token. Compared in constant time.
    pub(super) fn admits(&self, query: Option<&str>) -> bool {
        let given =
            query.unwrap_or_default().split('&').find_map(|pair| pair.strip_prefix("token="));
        let Some(given) = given.filter(|given| given.len() == self.token.len()) else {
            return false;
        };
        let differences = given.bytes().zip(self.token.bytes()).map(|(a, b)| a ^ b);
        differences.fold(0, |all, difference| all | difference) == 0
    }

    /// Whether a socket's `Origin` is this server's own page. Programs other than browsers send
    /// none.
    pub(super) fn admits_origin(&self, headers: &HeaderMap) -> bool {
        match headers.get("origin") {
            None => true,
            Some(origin) => self
                .hosts
                .iter()
                .any(|host| origin.to_str().is_ok_and(|origin| origin == format!("http://{host}"))),
        }
    }

    fn admits_host(&self, headers: &HeaderMap) -> bool {
        let host = headers.get(HOST).and_then(|host| host.to_str().ok());
        host.is_some_and(|host| self.hosts.iter().any(|own| own == host))
    }
}

/// Refuses foreign names and adds the security headers to every answer.
pub(super) async fn check_host(
    State(shared): State<Shared>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = if shared.guard.admits_host(request.headers()) {
        next.run(request).await
    } else {
        (StatusCode::FORBIDDEN, "This server answers on its own address only.\n").into_response()
    };
    for (name, value) in [
        ("content-security-policy", CONTENT_SECURITY_POLICY),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        // What is to do less says so itself.
        response
            .headers_mut()
            .entry(HeaderName::from_static(name))
            .or_insert(HeaderValue::from_static(value));
    }
    response
}
