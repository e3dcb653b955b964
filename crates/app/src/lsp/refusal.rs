//! Why a request has no result.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Why a request has no result: a code of JSON-RPC or the protocol, and a sentence.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) code: i32,
    pub(super) message: String,
}

impl Refusal {
    pub(super) const PARSE_ERROR: i32 = -32700;
    pub(super) const INVALID_REQUEST: i32 = -32600;
    pub(super) const METHOD_NOT_FOUND: i32 = -32601;
    pub(super) const INVALID_PARAMS: i32 = -32602;
    pub(super) const INTERNAL_ERROR: i32 = -32603;
    pub(super) const NOT_INITIALIZED: i32 = -32002;
    pub(super) const CANCELLED: i32 = -32800;
    pub(super) const FAILED: i32 = -32803;

    pub(super) fn new(code: i32, message: impl Into<String>) -> Refusal {
        Refusal { code, message: message.into() }
    }

    pub(super) fn invalid(message: impl Into<String>) -> Refusal {
        Refusal::new(Refusal::INVALID_PARAMS, message)
    }

    /// Of a request whose answer panicked with `payload`.
    fn panicked(method: &str, payload: &(dyn Any + Send)) -> Refusal {
        let said = payload.downcast_ref::<String>().map(String::as_str);
        let said = said.or(payload.downcast_ref::<&str>().copied()).unwrap_or("no reason is known");
        Refusal::new(Refusal::INTERNAL_ERROR, format!("the engine failed on {method}: {said}"))
    }
}

impl From<anyhow::Error> for Refusal {
    fn from(error: anyhow::Error) -> Refusal {
        Refusal::new(Refusal::FAILED, format!("{error:#}"))
    }
}

/// What `answer` gives; a panic is a refusal, so that the process goes on.
pub(super) fn guarded<T>(
    method: &str,
    answer: impl FnOnce() -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    catch_unwind(AssertUnwindSafe(answer))
        .unwrap_or_else(|payload| Err(Refusal::panicked(method, payload.as_ref())))
}

#[cfg(test)]
mod tests {
    use std::panic::panic_any;

    use super::*;

    #[test]
    fn a_panic_is_a_refusal_that_tells_its_reason() {
        let told = |run: fn() -> Result<(), Refusal>| guarded("x/y", run).unwrap_err();
        let formatted = told(|| panic!("at {}", 7));
        assert_eq!(formatted.code, Refusal::INTERNAL_ERROR);
        assert_eq!(formatted.message, "the engine failed on x/y: at 7");
        assert_eq!(told(|| panic!("flat")).message, "the engine failed on x/y: flat");
        assert_eq!(told(|| panic_any(7)).message, "the engine failed on x/y: no reason is known");
        assert_eq!(told(|| Err(Refusal::invalid("no"))), Refusal::invalid("no"));
        assert_eq!(guarded("x/y", || Ok(1)), Ok(1));
    }
}
