//! Names of others in Markdown, as notes have them, and in messages.

pub(super) use session::escaped;

/// A message as it may be shown: VS Code makes links of `[text](address)` even in plain messages,
/// and runs commands that they name.
pub(super) fn without_links(message: &str) -> String {
    message.replace("](", "] (")
}
