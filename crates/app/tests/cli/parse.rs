//! Strict readers of the CSV and XML that commands write.

use std::collections::BTreeMap;

/// Records of comma-separated values as RFC 4180 has them.
pub(super) fn parse_csv(text: &str) -> Vec<Vec<String>> {
    let mut records = vec![];
    let mut record = vec![];
    let mut field = String::new();
    let mut chars = text.chars().peekable();
    let mut quoted = false;
    while let Some(c) = chars.next() {
        match (quoted, c) {
            (true, '"') if chars.peek() == Some(&'"') => {
                chars.next();
                field.push('"');
            }
            (true, '"') => {
                quoted = false;
                assert!(matches!(chars.peek(), None | Some(',' | '\r')), "text after a quote");
            }
            (true, c) => field.push(c),
            (false, '"') => {
                assert!(field.is_empty(), "a quote inside a bare field");
                quoted = true;
            }
            (false, ',') => record.push(std::mem::take(&mut field)),
            (false, '\r') => {
                assert_eq!(chars.next(), Some('\n'), "a bare carriage return");
                record.push(std::mem::take(&mut field));
                records.push(std::mem::take(&mut record));
            }
            (false, '\n') => panic!("a bare line feed"),
            (false, c) => field.push(c),
        }
    }
    assert!(!quoted && field.is_empty() && record.is_empty(), "the last record has no end");
    records
}

/// Fails where a document is not well-formed; gives its texts, unescaped, by element.
pub(super) fn parse_xml(text: &str) -> BTreeMap<String, Vec<String>> {
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut open: Vec<String> = vec![];
    let mut rest = text;
    while !rest.is_empty() {
        let Some(inner) = rest.strip_prefix('<') else {
            let end = rest.find('<').unwrap_or(rest.len());
            let content = unescape(&rest[..end]);
            match open.last() {
                Some(element) => texts.entry(element.clone()).or_default().push(content),
                None => assert!(content.trim().is_empty(), "text outside: {content:?}"),
            }
            rest = &rest[end..];
            continue;
        };
        let end = inner.find('>').expect("a tag that does not end");
        let tag = &inner[..end];
        rest = &inner[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "closing tags cross");
            continue;
        }
        let (tag, is_empty) = match tag.strip_suffix('/') {
            Some(tag) => (tag, true),
            None => (tag, false),
        };
        let (name, attributes) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
        assert!(!name.is_empty() && name.chars().all(char::is_alphanumeric), "element {name:?}");
        let parts: Vec<&str> = attributes.split('"').collect();
        assert!(parts.len() % 2 == 1 && parts.last().unwrap().trim().is_empty(), "{tag:?}");
        for pair in parts.chunks_exact(2) {
            assert!(pair[0].ends_with('='), "an attribute without a value: {tag:?}");
            unescape(pair[1]);
        }
        if !is_empty {
            open.push(name.to_owned());
        }
    }
    assert!(open.is_empty(), "{open:?} are not closed");
    texts
}

fn unescape(text: &str) -> String {
    let control = |c: char| c < ' ' && !['\t', '\n', '\r'].contains(&c);
    assert!(!text.contains(control), "a character that XML cannot hold in {text:?}");
    let mut parts = text.split('&');
    let mut out = parts.next().unwrap().to_owned();
    for part in parts {
        let (entity, after) = part.split_once(';').expect("a bare ampersand");
        out.push(match entity {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "apos" => '\'',
            _ => panic!("unknown entity {entity}"),
        });
        out.push_str(after);
    }
    out
}
