//! `file` addresses, as editors and some profiles write them.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// The path of a document of the editor, if its text is that of the file: others have a scheme of
/// their own, or say with a query which text of the file they are.
pub(crate) fn path_of_document(uri: &str) -> Option<String> {
    if uri.contains(['?', '#']) { None } else { path_of_uri(uri) }
}

/// The path that a `file` address means.
pub(crate) fn path_of_uri(uri: &str) -> Option<String> {
    let rest = uri.get(..5).filter(|scheme| scheme.eq_ignore_ascii_case("file:"));
    let rest = rest.and_then(|_| uri[5..].strip_prefix("//"))?;
    let path = match rest.split_once('/') {
        Some(("" | "localhost", path)) => format!("/{path}"),
        Some(_) => format!("//{rest}"),
        None => return None,
    };
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let path = percent_decode_str(path).decode_utf8_lossy().into_owned();
    // `/c:/x` is `c:/x`.
    match path.strip_prefix('/') {
        Some(unrooted) if has_drive(unrooted) => Some(unrooted.to_owned()),
        _ => Some(path),
    }
}

/// The `file` address of an absolute path.
pub(crate) fn uri_of_path(path: &str) -> String {
    let path = if has_drive(path) { path.replace('\\', "/") } else { path.to_owned() };
    let root = if path.starts_with('/') { "file://" } else { "file:///" };
    format!("{root}{}", utf8_percent_encode(&path, &ESCAPED))
}

/// What an address has not as it is: all but letters, digits and a few signs.
const ESCAPED: AsciiSet =
    NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// Whether a path begins with a drive of Windows.
pub(crate) fn has_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', rest @ ..]
        if letter.is_ascii_alphabetic() && matches!(rest, [] | [b'/' | b'\\', ..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_paths() {
        let path = |uri| path_of_uri(uri);
        assert_eq!(path("file:///home/a%20b/%C3%A4.rs").as_deref(), Some("/home/a b/ä.rs"));
        assert_eq!(path("file:///c%3A/x/y.go").as_deref(), Some("c:/x/y.go"));
        assert_eq!(path("file://localhost/x").as_deref(), Some("/x"));
        assert_eq!(path("file://server/share/x").as_deref(), Some("//server/share/x"));
        assert_eq!(path("untitled:Untitled-1"), None);
        assert_eq!(path("file:///x/app.js?v=2#top").as_deref(), Some("/x/app.js"));
        assert_eq!(path_of_document("file:///x/app.js?v=2"), None);
        assert_eq!(path("file:"), None);
        assert_eq!(path("file:///100%/%zz%e").as_deref(), Some("/100%/%zz%e"));
        assert_eq!(uri_of_path("/home/a b/ä.rs"), "file:///home/a%20b/%C3%A4.rs");
        assert_eq!(uri_of_path(r"C:\x\y"), "file:///C%3A/x/y");
    }
}
