//! JSON, read value by value from a stream.
//!
//! [`Json`] stands before a value. The caller asks for it as what it should be; an object or array
//! is entered, and then its members are asked for one after the other:
//!
//! ```ignore
//! let mut json = Json::new(stream, FORMAT.name)?;
//! json.object()?;
//! while let Some(key) = json.next_key()? {
//!     match key {
//!         "unit" => unit = builder.strings.intern(json.string()?),
//!         "weights" => {
//!             json.array()?;
//!             while json.next_element()? {
//!                 weights.push(json.optional(Json::i64)?.unwrap_or(0));
//!             }
//!         }
//!         _ => {} // What is not read is skipped.
//!     }
//! }
//! json.finish()?;
//! ```
//!
//! A key lives until the next call; match it, or copy it. A function that reads a part of the
//! document takes `&mut Json` and leaves behind the value at which it was called.
//!
//! **Nothing recurses here**, and readers of trees of unknown depth must not either. The parser
//! knows where it is, so such a reader needs a stack of its own nodes only:
//!
//! ```ignore
//! json.object()?; // The root, {"name": …, "children": [ … ]}.
//! nodes.push(Node::default());
//! loop {
//!     let opened = match json.next_key()? {
//!         Some("name") => { top(&mut nodes).name = json.string()?.to_owned(); false }
//!         Some("children") => { json.array()?; json.next_element()? }
//!         Some(_) => false,
//!         None => {
//!             close(nodes.pop());
//!             if nodes.is_empty() { break }
//!             json.next_element()? // A node's end is followed by its sibling, or …
//!         }
//!     };
//!     if opened {
//!         json.object()?;
//!         nodes.push(Node::default());
//!     } // … else by the rest of the object around the array.
//! }
//! ```
//!
//! Memory is bounded by the longest string or number and by the nesting. Members that are skipped
//! are only looked at for quotes and brackets.

mod errors;
mod nesting;
pub(crate) mod outline;
mod scan;
mod skip;
#[cfg(test)]
mod tests;
mod values;
mod window;

use crate::input::stream::Stream;
use crate::{Place, ReadError};
use errors::end_of;

/// The kinds of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `{…}`
    Object,
    /// `[…]`
    Array,
    /// `"…"`
    String,
    /// A number; also `NaN`, `Infinity` and `-Infinity`, which some tools write.
    Number,
    /// `true` or `false`
    Bool,
    /// `null`
    Null,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Object => "an object",
            Kind::Array => "an array",
            Kind::String => "a string",
            Kind::Number => "a number",
            Kind::Bool => "true or false",
            Kind::Null => "null",
        }
    }
}

/// A JSON document that is read on the way. See the module.
pub(crate) struct Json<'a> {
    stream: Stream<'a>,
    format: &'static str,
    lenient: bool,
    /// Objects and arrays around the cursor, outermost first.
    open: Vec<Open>,
    /// The keys that lead to the cursor, one after the other.
    keys: String,
    /// Whether the cursor stands before a value that nobody read.
    pending: bool,
    /// The last string that could not be borrowed from the window.
    text: String,
    /// Brackets to close while skipping; here to be reused.
    closers: Vec<u8>,
    cut: Option<Place>,
}

/// An object or array that was entered.
struct Open {
    close: u8,
    /// Where its key starts in `Json::keys`.
    key: usize,
    /// Members so far, the one at the cursor included.
    members: u64,
}

/// Objects and arrays inside each other; more are refused.
const MOST_NESTED: usize = 1 << 20;

impl<'a> Json<'a> {
    /// Stands before the document; `format` is for errors.
    pub(crate) fn new(stream: Stream<'a>, format: &'static str) -> Result<Self, ReadError> {
        Ok(Json {
            stream,
            format,
            lenient: false,
            open: Vec::new(),
            keys: String::new(),
            pending: true,
            text: String::new(),
            closers: Vec::new(),
            cut: None,
        })
    }

    /// Takes what Trace Event files and others that were cut short look like: commas before a
    /// closing bracket, and an end of input between the elements of an array or the members of
    /// the outermost object, which ends all that is open. See [`whole`](Json::whole) for an end
    /// inside an element.
    pub(crate) fn lenient(mut self) -> Self {
        self.lenient = true;
        self
    }

    /// Where the input ended inside the document, once it did and was put up with.
    pub(crate) fn cut_short(&self) -> Option<Place> {
        self.cut
    }

    /// Where the cursor is.
    pub(crate) fn place(&self) -> Place {
        self.stream.place()
    }

    /// The next bytes, as many as a look at the document needs.
    pub(crate) fn head(&mut self) -> Result<&[u8], ReadError> {
        self.window(1 << 16)
    }

    /// What kind of value comes next.
    pub(crate) fn kind(&mut self) -> Result<Kind, ReadError> {
        let first = self.value()?;
        let second = if first == b'n' { self.window(2)?.get(1).copied() } else { None };
        match kind_of(first, second) {
            Some(kind) => Ok(kind),
            None => Err(self.unexpected("a value")),
        }
    }

    /// What `read` reads; in lenient mode none if the input ends inside it, and then all that is
    /// open ends here.
    ///
    /// ```ignore
    /// while json.next_element()? {
    ///     if let Some(event) = json.whole(Event::read)? {
    ///         events.push(event);
    ///     }
    /// }
    /// ```
    pub(crate) fn whole<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, ReadError>,
    ) -> Result<Option<T>, ReadError> {
        let depth = self.open.len();
        match read(self) {
            Ok(_) if self.cut.is_some() => Ok(None),
            Err(ReadError::Truncated { .. }) if self.lenient => {
                while self.open.len() > depth {
                    self.close();
                }
                self.cut_here();
                Ok(None)
            }
            result => result.map(Some),
        }
    }

    /// Skips what is left of the document and checks that nothing follows.
    pub(crate) fn finish(&mut self) -> Result<(), ReadError> {
        if self.next_document()? { Err(self.unexpected("the end of the file")) } else { Ok(()) }
    }

    /// Skips what is left of the document and goes to the next one, if there is one.
    pub(crate) fn next_document(&mut self) -> Result<bool, ReadError> {
        let rest = self.whole(|json| {
            if json.pending {
                json.skip()?;
            }
            while !json.open.is_empty() {
                json.leave()?;
            }
            Ok(())
        });
        rest?;
        while let Some(byte) = self.byte()? {
            match byte {
                0 | b']' | b',' if self.lenient => self.stream.consume(1),
                b'{' | b'[' => {
                    self.pending = true;
                    return Ok(true);
                }
                _ => return Err(self.unexpected("the end of the file")),
            }
        }
        Ok(false)
    }

    fn cut_here(&mut self) {
        self.cut.get_or_insert(end_of(&self.stream));
        self.pending = false;
        // The beginning of what is cut.
        let left = self.stream.window().len();
        self.stream.consume(left);
    }
}

/// The kind of value that starts with `first`; `second` tells `null` from `nan`.
fn kind_of(first: u8, second: Option<u8>) -> Option<Kind> {
    Some(match first {
        b'{' => Kind::Object,
        b'[' => Kind::Array,
        b'"' => Kind::String,
        b'n' if second == Some(b'a') => Kind::Number,
        b'-' | b'+' | b'.' | b'0'..=b'9' | b'N' | b'I' | b'i' => Kind::Number,
        b't' | b'f' => Kind::Bool,
        b'n' => Kind::Null,
        _ => return None,
    })
}
