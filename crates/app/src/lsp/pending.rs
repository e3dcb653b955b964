//! Which requests wait, and which of them nobody wants any more.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

/// Requests that were read and not begun, by their number, and whether they were cancelled.
#[derive(Debug, Default)]
pub(super) struct Pending {
    requests: Mutex<HashMap<String, bool>>,
}

impl Pending {
    /// Notes a request, or that one is cancelled.
    pub(super) fn see(&self, message: &Value) {
        let method = message.get("method").and_then(Value::as_str);
        match (message.get("id"), method) {
            (Some(id), Some(_)) => {
                self.lock().insert(id.to_string(), false);
            }
            (None, Some("$/cancelRequest")) => {
                let id = message.pointer("/params/id").map(Value::to_string).unwrap_or_default();
                if let Some(is_cancelled) = self.lock().get_mut(&id) {
                    *is_cancelled = true;
                }
            }
            _ => {}
        }
    }

    /// Begins a request; tells whether it was cancelled.
    pub(super) fn begin(&self, id: &Value) -> bool {
        self.lock().remove(&id.to_string()).unwrap_or(false)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, bool>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_waits_is_cancelled() {
        let pending = Pending::default();
        let cancel = |id: Value| json!({ "method": "$/cancelRequest", "params": { "id": id } });
        pending.see(&cancel(json!(1)));
        pending.see(&json!({ "id": 1, "method": "x" }));
        pending.see(&json!({ "id": "1", "method": "x" }));
        pending.see(&cancel(json!("1")));
        pending.see(&json!({ "method": "$/cancelRequest" }));
        assert!(!pending.begin(&json!(1)));
        assert!(pending.begin(&json!("1")));
        assert!(!pending.begin(&json!("1")));
    }
}
