//! The document that is read on the way.

use super::errors::end_of;
use super::kind::{Kind, kind_of};
use crate::input::stream::Stream;
use crate::{Place, ReadError};

/// A JSON document that is read on the way. See the module.
pub(crate) struct Json<'a> {
    pub(super) stream: Stream<'a>,
    pub(super) format: &'static str,
    pub(super) lenient: bool,
    /// Objects and arrays around the cursor, outermost first.
    pub(super) open: Vec<Open>,
    /// The keys that lead to the cursor, one after the other.
    pub(super) keys: String,
    /// Whether the cursor stands before a value that nobody read.
    pub(super) pending: bool,
    /// The last string that could not be borrowed from the window.
    pub(super) text: String,
    /// Brackets to close while skipping; here to be reused.
    pub(super) closers: Vec<u8>,
    pub(super) cut: Option<Place>,
}

/// An object or array that was entered.
pub(super) struct Open {
    pub(super) close: u8,
    /// Where its key starts in `Json::keys`.
    pub(super) key: usize,
    /// Members so far, the one at the cursor included.
    pub(super) members: u64,
}

/// Objects and arrays inside each other; more are refused.
pub(super) const MOST_NESTED: usize = 1 << 20;

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

    pub(super) fn cut_here(&mut self) {
        self.cut.get_or_insert(end_of(&self.stream));
        self.pending = false;
        // The beginning of what is cut.
        let left = self.stream.window().len();
        self.stream.consume(left);
    }
}
