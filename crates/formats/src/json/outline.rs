//! What the head of a document shows of it, for sniffing.

use std::io::Cursor;

use super::kind::Kind;
use super::reader::Json;
use crate::ReadError;
use crate::input::stream::Stream;

/// A value that is visible in the first bytes of a file, with the members down to
/// [`DEPTH`](Outline::DEPTH).
///
/// ```ignore
/// let Some(outline) = Outline::of(head) else { return Sniff::No };
/// let traced = outline.at(&["traceEvents"]).is_some() || outline.at(&["0", "ph"]).is_some();
/// let version = outline.number(&["meta", "version"]);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Outline {
    pub(crate) kind: Kind,
    /// The text of a string, a number as written; empty for others and for what is cut.
    text: String,
    members: Vec<(String, Outline)>,
}

impl Outline {
    /// Members of members of members of the document are seen.
    const DEPTH: usize = 3;

    /// The outline of the document that starts with `head`; none if it is not JSON object or array.
    /// What damage and the end of `head` hide is missing.
    pub(crate) fn new(head: &[u8]) -> Option<Outline> {
        if !matches!(head.trim_ascii_start(), [b'{' | b'[', ..]) {
            return None;
        }
        let stream = Stream::new(Box::new(Cursor::new(head)), u64::MAX);
        let mut json = Json::new(stream, "JSON").ok()?.lenient();
        let mut outline = Outline::empty(json.kind().ok()?);
        // The error is where the view ends.
        let _: Result<(), ReadError> = outline.read(&mut json, Outline::DEPTH);
        Some(outline)
    }

    /// The member at `path`: keys, and `"0"` for the first element of an array.
    pub(crate) fn at(&self, path: &[&str]) -> Option<&Outline> {
        path.iter().try_fold(self, |outline, key| {
            let mut members = outline.members.iter();
            members.find(|(name, _)| name == key).map(|(_, member)| member)
        })
    }

    /// Whether all `keys` are among the members.
    pub(crate) fn has(&self, keys: &[&str]) -> bool {
        keys.iter().all(|key| self.at(&[key]).is_some())
    }

    /// The string at `path`.
    pub(crate) fn string(&self, path: &[&str]) -> Option<&str> {
        self.at(path).filter(|found| found.kind == Kind::String).map(|found| found.text.as_str())
    }

    /// The members in their order.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        self.members.iter().map(|(key, _)| key.as_str())
    }

    fn empty(kind: Kind) -> Outline {
        Outline { kind, text: String::new(), members: Vec::new() }
    }

    /// Fills in what comes next, up to `depth` members deep.
    fn read(&mut self, json: &mut Json, depth: usize) -> Result<(), ReadError> {
        match self.kind {
            Kind::Object if depth > 0 => {
                json.object()?;
                while let Some(key) = json.next_key()? {
                    let key = key.to_owned();
                    self.read_member(key, json, depth)?;
                }
            }
            Kind::Array if depth > 0 => {
                json.array()?;
                if json.next_element()? {
                    self.read_member("0".to_owned(), json, depth)?;
                    json.leave()?;
                }
            }
            Kind::String | Kind::Number => {
                self.text.push_str(json.string_or_number_text()?);
            }
            _ => json.skip()?,
        }
        Ok(())
    }

    fn read_member(&mut self, key: String, json: &mut Json, depth: usize) -> Result<(), ReadError> {
        let mut member = Outline::empty(json.kind()?);
        let result = member.read(json, depth - 1);
        self.members.push((key, member));
        result
    }
}
