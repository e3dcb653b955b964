//! Names of others in Markdown, as notes have them.

pub(super) use session::escaped;
