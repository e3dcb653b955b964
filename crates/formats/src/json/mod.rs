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

pub(crate) mod outline;
mod scan;
#[cfg(test)]
mod tests;

use crate::decimal::Decimal;
use crate::stream::Stream;
use crate::{Place, ReadError, encoding};

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

/// How much is asked for when a token does not end in the window.
const MORE: usize = 4096;

impl<'a> Json<'a> {
    /// Stands before the document; `format` is for errors. A byte order mark is skipped, UTF-16
    /// behind one is decoded.
    pub(crate) fn new(stream: Stream<'a>, format: &'static str) -> Result<Self, ReadError> {
        Ok(Json {
            stream: encoding::utf8(stream)?,
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

    /// What kind of value comes next.
    pub(crate) fn kind(&mut self) -> Result<Kind, ReadError> {
        let first = self.value()?;
        let second = if first == b'n' { self.window(2)?.get(1).copied() } else { None };
        match kind_of(first, second) {
            Some(kind) => Ok(kind),
            None => Err(self.unexpected("a value")),
        }
    }

    /// Enters an object.
    pub(crate) fn object(&mut self) -> Result<(), ReadError> {
        self.enter(b'{', b'}', Kind::Object)
    }

    /// The key of the next member of the object, or none where the object ends, which is then
    /// left. A value that was not read is skipped.
    pub(crate) fn next_key(&mut self) -> Result<Option<&str>, ReadError> {
        if self.pending {
            self.skip()?;
        }
        // Mostly, it is all here and plain.
        if let Some(open) = self.open.last_mut()
            && open.close == b'}'
            && let Some((raw, len)) = scan::plain_key(self.stream.window(), open.members == 0)
            && let Ok(key) = std::str::from_utf8(raw)
        {
            self.keys.truncate(open.key);
            self.keys.push_str(key);
            open.members += 1;
            self.stream.consume(len);
            self.pending = true;
            return Ok(Some(&self.keys[open.key..]));
        }
        self.any_key()
    }

    #[inline(never)]
    fn any_key(&mut self) -> Result<Option<&str>, ReadError> {
        if !self.next_member(b'}')? {
            return Ok(None);
        }
        if self.byte()? != Some(b'"') {
            return Err(self.unexpected("a key"));
        }
        let (end, escaped) = self.string_end()?;
        let key = self.open.last().map_or(0, |open| open.key);
        self.keys.truncate(key);
        let raw = &self.stream.take(end + 1)[1..end];
        match std::str::from_utf8(raw) {
            Ok(text) if !escaped => self.keys.push_str(text),
            _ => scan::decode_string(raw, &mut self.keys),
        }
        if self.byte()? != Some(b':') {
            return Err(self.unexpected("a colon"));
        }
        self.stream.consume(1);
        self.pending = true;
        Ok(Some(&self.keys[key..]))
    }

    /// Enters an array.
    pub(crate) fn array(&mut self) -> Result<(), ReadError> {
        self.enter(b'[', b']', Kind::Array)
    }

    /// A string, or a number as it is written; empty for other values.
    pub(crate) fn any_text(&mut self) -> Result<String, ReadError> {
        if matches!(self.kind()?, Kind::String | Kind::Number) {
            return Ok(self.string_or_number_text()?.to_owned());
        }
        self.skip()?;
        Ok(String::new())
    }

    /// A number, also one in quotes; none for other values.
    pub(crate) fn any_number(&mut self) -> Result<Option<Decimal>, ReadError> {
        match self.kind()? {
            Kind::Number => self.finite(),
            Kind::String => Ok(Decimal::parse(self.string()?.as_bytes())),
            _ => self.skip().map(|()| None),
        }
    }

    /// A line, a column or the like; 0 for other values.
    pub(crate) fn any_position(&mut self) -> Result<u32, ReadError> {
        let number = self.any_number()?.and_then(Decimal::to_whole);
        Ok(number.and_then(|number| u32::try_from(number).ok()).unwrap_or(0))
    }

    /// Enters an object, if one comes next; else skips what comes and says no.
    pub(crate) fn try_object(&mut self) -> Result<bool, ReadError> {
        self.try_enter(Kind::Object, Json::object)
    }

    /// Enters an array, if one comes next; else skips what comes and says no.
    pub(crate) fn try_array(&mut self) -> Result<bool, ReadError> {
        self.try_enter(Kind::Array, Json::array)
    }

    fn try_enter(
        &mut self,
        wanted: Kind,
        enter: fn(&mut Self) -> Result<(), ReadError>,
    ) -> Result<bool, ReadError> {
        if self.kind()? == wanted {
            enter(self)?;
            return Ok(true);
        }
        self.skip()?;
        Ok(false)
    }

    /// Goes to the next element of the array, or leaves the array and says no where it ends. An
    /// element that was not read is skipped.
    pub(crate) fn next_element(&mut self) -> Result<bool, ReadError> {
        if self.pending {
            self.skip()?;
        }
        if let Some(open) = self.open.last_mut()
            && open.close == b']'
            && let Some(len) = scan::element(self.stream.window(), open.members == 0)
        {
            open.members += 1;
            self.stream.consume(len);
            self.pending = true;
            return Ok(true);
        }
        self.pending = self.next_member(b']')?;
        Ok(self.pending)
    }

    /// Reads an array of numbers: every element is given as by [`any_number`](Json::any_number).
    pub(crate) fn numbers(
        &mut self,
        mut each: impl FnMut(Option<Decimal>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        self.array()?;
        loop {
            if let Some(open) = self.open.last_mut() {
                let first = open.members == 0;
                let (count, len) = scan::numbers(self.stream.window(), first, &mut each)?;
                open.members += count;
                self.stream.consume(len);
            }
            // The end, or an element that is long or not all in the window.
            if !self.next_element()? {
                return Ok(());
            }
            each(self.any_number()?)?;
        }
    }

    /// Leaves the object or array at the cursor, skipping what is left of it.
    pub(crate) fn leave(&mut self) -> Result<(), ReadError> {
        if self.pending {
            self.skip()?;
        }
        let Some(open) = self.open.last() else { return Ok(()) };
        if self.cut.is_none() {
            let close = open.close;
            self.skip_nested(close)?;
        }
        self.close();
        Ok(())
    }

    /// Skips a value of any kind.
    pub(crate) fn skip(&mut self) -> Result<(), ReadError> {
        match self.value()? {
            b'"' => {
                self.stream.consume(1);
                self.skip_string()?;
            }
            b'{' => {
                self.stream.consume(1);
                self.skip_nested(b'}')?;
            }
            b'[' => {
                self.stream.consume(1);
                self.skip_nested(b']')?;
            }
            _ => {
                self.kind()?;
                let len = self.word_len()?;
                self.stream.consume(len);
            }
        }
        self.pending = false;
        Ok(())
    }

    /// A string, until the next call. Lone surrogates and bytes that are not UTF-8 become U+FFFD;
    /// unknown escapes stay as they are written.
    pub(crate) fn string(&mut self) -> Result<&str, ReadError> {
        let (text, escaped) = match scan::plain_string(self.stream.window()) {
            Some(text) if self.pending => (text, false),
            _ if self.value()? != b'"' => return Err(self.mismatch("a string")),
            _ => {
                let (end, escaped) = self.string_end()?;
                (1..end, escaped)
            }
        };
        self.pending = false;
        let raw = &self.stream.take(text.end + 1)[text];
        if let (false, Ok(text)) = (escaped, std::str::from_utf8(raw)) {
            return Ok(text);
        }
        self.text.clear();
        scan::decode_string(raw, &mut self.text);
        Ok(&self.text)
    }

    /// A string, or a number as it is written: for ids that may be both.
    pub(crate) fn string_or_number_text(&mut self) -> Result<&str, ReadError> {
        match self.kind()? {
            Kind::Number => {
                let len = self.word_len()?;
                self.pending = false;
                Ok(std::str::from_utf8(self.stream.take(len)).unwrap_or_default())
            }
            Kind::String => self.string(),
            _ => Err(self.mismatch("a string or a number")),
        }
    }

    /// A number, exactly. `NaN` and infinities are errors: see [`finite`](Json::finite).
    pub(crate) fn number(&mut self) -> Result<Decimal, ReadError> {
        self.parsed("a number", Decimal::parse)
    }

    /// A number, exactly, or none for `null`, `NaN` and infinities.
    pub(crate) fn finite(&mut self) -> Result<Option<Decimal>, ReadError> {
        if self.null()? {
            return Ok(None);
        }
        self.parsed("a number", |word| match Decimal::parse(word) {
            Some(number) => Some(Some(number)),
            None => scan::is_not_finite(word).then_some(None),
        })
    }

    /// A whole number of 64 bits; `1e3` and `2.0` are whole.
    pub(crate) fn i64(&mut self) -> Result<i64, ReadError> {
        self.parsed("a whole number", |word| Decimal::parse(word)?.to_whole())
    }

    /// A whole number of 64 bits that is not negative.
    pub(crate) fn u64(&mut self) -> Result<u64, ReadError> {
        self.parsed("a whole number that is not negative", |word| match Decimal::parse(word)? {
            Decimal { mantissa, exponent: 0 } => u64::try_from(mantissa).ok(),
            number => match std::str::from_utf8(word).ok()?.parse() {
                Ok(large) => Some(large),
                Err(_) => u64::try_from(number.to_whole()?).ok(),
            },
        })
    }

    /// `true` or `false`.
    pub(crate) fn bool(&mut self) -> Result<bool, ReadError> {
        if self.kind()? != Kind::Bool {
            return Err(self.mismatch("true or false"));
        }
        self.parsed_word("true or false", |word| match word {
            b"true" => Some(true),
            b"false" => Some(false),
            _ => None,
        })
    }

    /// Reads `null`, if it comes next.
    pub(crate) fn null(&mut self) -> Result<bool, ReadError> {
        if self.value()? != b'n' || self.kind()? != Kind::Null {
            return Ok(false);
        }
        self.parsed_word("null", |word| (word == b"null").then_some(true))
    }

    /// What `read` reads, or none for `null`: `json.optional(Json::string)?`.
    pub(crate) fn optional<'s, T>(
        &'s mut self,
        read: impl FnOnce(&'s mut Self) -> Result<T, ReadError>,
    ) -> Result<Option<T>, ReadError> {
        if self.null()? {
            return Ok(None);
        }
        read(self).map(Some)
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
                _ => return Err(self.unexpected("the end of the file")),
            }
        }
        Ok(())
    }

    /// The next bytes: at least `wanted`, or all that are left.
    #[inline]
    fn window(&mut self, wanted: usize) -> Result<&[u8], ReadError> {
        if self.stream.window().len() < wanted {
            self.refill(wanted)?;
        }
        Ok(self.stream.window())
    }

    #[cold]
    fn refill(&mut self, wanted: usize) -> Result<(), ReadError> {
        match self.stream.peek(wanted).map(drop) {
            // A container that was cut short.
            Err(ReadError::Truncated { .. }) if self.lenient => {
                self.stream.end_here();
                Ok(())
            }
            result => result,
        }
    }

    /// Makes the window longer than `seen`; says no if there is no more.
    fn look_beyond(&mut self, seen: usize) -> Result<bool, ReadError> {
        // Twice as far each time, so that long tokens are not looked through too often.
        Ok(self.window((seen * 2).max(MORE))?.len() > seen)
    }

    /// The next byte that is not white space, which is not consumed; none at the end.
    #[inline(always)]
    fn byte(&mut self) -> Result<Option<u8>, ReadError> {
        match self.stream.window() {
            [byte, ..] if *byte > b' ' => Ok(Some(*byte)),
            _ => self.skip_white_space(),
        }
    }

    #[inline(never)]
    fn skip_white_space(&mut self) -> Result<Option<u8>, ReadError> {
        loop {
            let window = self.window(1)?;
            let space = |byte: &u8| matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
            match window.iter().position(|byte| !space(byte)) {
                Some(at) => {
                    let byte = window[at];
                    self.stream.consume(at);
                    return Ok(Some(byte));
                }
                None if window.is_empty() => return Ok(None),
                None => {
                    let len = window.len();
                    self.stream.consume(len);
                }
            }
        }
    }

    /// The first byte of the value at the cursor.
    #[inline(always)]
    fn value(&mut self) -> Result<u8, ReadError> {
        match self.byte()? {
            Some(byte) if self.pending => Ok(byte),
            _ => Err(self.no_value()),
        }
    }

    fn enter(&mut self, open: u8, close: u8, kind: Kind) -> Result<(), ReadError> {
        if self.value()? != open {
            return Err(self.mismatch(kind.name()));
        }
        if self.open.len() == MOST_NESTED {
            return Err(self.too_nested());
        }
        self.stream.consume(1);
        self.open.push(Open { close, key: self.keys.len(), members: 0 });
        self.pending = false;
        Ok(())
    }

    /// Goes to the next member of what `close` closes, or leaves it and says no.
    #[inline(never)]
    fn next_member(&mut self, close: u8) -> Result<bool, ReadError> {
        let Some(open) = self.open.last_mut().filter(|open| open.close == close) else {
            debug_assert!(false, "asked for members outside of their object or array");
            return Err(self.unexpected("another nesting"));
        };
        let first = open.members == 0;
        open.members += 1;
        if self.cut.is_some() {
            self.close();
            return Ok(false);
        }
        let mut next = self.byte()?;
        let mut separated = first;
        if next == Some(b',') && !first {
            self.stream.consume(1);
            next = self.byte()?;
            separated = true;
        }
        match next {
            Some(byte) if byte == close && (first || !separated || self.lenient) => {
                self.stream.consume(1);
                self.close();
                Ok(false)
            }
            Some(byte) if separated && byte != close => Ok(true),
            Some(_) if separated => Err(self.unexpected("another member after the comma")),
            Some(_) => Err(self.unexpected(match close {
                b'}' => "a comma or a closing brace",
                _ => "a comma or a closing bracket",
            })),
            None if self.lenient && (close == b']' || self.open.len() == 1) => {
                self.cut_here();
                self.close();
                Ok(false)
            }
            None => Err(self.truncated()),
        }
    }

    /// Forgets the innermost of what is open.
    fn close(&mut self) {
        if let Some(open) = self.open.pop() {
            self.keys.truncate(open.key);
        }
        self.pending = false;
    }

    fn cut_here(&mut self) {
        self.cut.get_or_insert(end_of(&self.stream));
        self.pending = false;
        // The beginning of what is cut.
        let left = self.stream.window().len();
        self.stream.consume(left);
    }

    /// Where the string at the start of the window ends, and whether it holds escapes. All of it
    /// is in the window then.
    #[inline(never)]
    fn string_end(&mut self) -> Result<(usize, bool), ReadError> {
        let mut escaped = false;
        let mut at = 1;
        loop {
            let window = self.stream.window();
            match scan::quote_or_backslash(&window[at..]) {
                Some(step) if window[at + step] == b'"' => return Ok((at + step, escaped)),
                Some(step) if at + step + 1 < window.len() => {
                    escaped = true;
                    at += step + 2;
                }
                found => {
                    let len = window.len();
                    at = found.map_or(len, |step| at + step);
                    if !self.look_beyond(len)? {
                        return Err(self.truncated());
                    }
                }
            }
        }
    }

    /// Skips the rest of a string.
    fn skip_string(&mut self) -> Result<(), ReadError> {
        loop {
            let window = self.window(1)?;
            let (passed, ended) = scan::string_rest(window);
            self.stream.consume(passed);
            if ended {
                return Ok(());
            }
            // Nothing is left, or a backslash whose escaped byte is still to come.
            let left = self.stream.window().len();
            if !self.look_beyond(left)? {
                return Err(self.truncated());
            }
        }
    }

    /// Skips up to and including the bracket that closes what `close` closes.
    fn skip_nested(&mut self, close: u8) -> Result<(), ReadError> {
        let mut closers = std::mem::take(&mut self.closers);
        closers.clear();
        closers.push(close);
        let result = self.skip_closers(&mut closers);
        self.closers = closers;
        result
    }

    fn skip_closers(&mut self, closers: &mut Vec<u8>) -> Result<(), ReadError> {
        loop {
            let window = self.window(1)?;
            if window.is_empty() {
                return Err(self.truncated());
            }
            let mut at = 0;
            let mut open_string = false;
            while let Some(step) = scan::quote_or_bracket(&window[at..]) {
                let byte = window[at + step];
                at += step + 1;
                match byte {
                    b'"' => {
                        let (passed, ended) = scan::string_rest(&window[at..]);
                        at += passed;
                        if !ended {
                            open_string = true;
                            break;
                        }
                    }
                    b'{' | b'[' if closers.len() == MOST_NESTED => {
                        self.stream.consume(at);
                        return Err(self.too_nested());
                    }
                    b'{' => closers.push(b'}'),
                    b'[' => closers.push(b']'),
                    _ if closers.pop() != Some(byte) => {
                        self.stream.consume(at - 1);
                        return Err(self.unexpected("another bracket"));
                    }
                    _ if closers.is_empty() => {
                        self.stream.consume(at);
                        return Ok(());
                    }
                    _ => {}
                }
            }
            if open_string {
                self.stream.consume(at);
                self.skip_string()?;
            } else {
                let len = window.len();
                self.stream.consume(len);
            }
        }
    }

    /// The length of the number or name at the cursor, which is in the window then.
    #[inline]
    fn word_len(&mut self) -> Result<usize, ReadError> {
        let mut at = 0;
        loop {
            let window = self.stream.window();
            match window[at..].iter().position(|&byte| !scan::in_word(byte)) {
                Some(step) => return Ok(at + step),
                None => {
                    at = window.len();
                    if !self.look_beyond(at)? {
                        // Inside something, the rest of the word is missing too.
                        return if self.open.is_empty() { Ok(at) } else { Err(self.truncated()) };
                    }
                }
            }
        }
    }

    fn parsed<T>(
        &mut self,
        expected: &str,
        parse: impl Fn(&[u8]) -> Option<T>,
    ) -> Result<T, ReadError> {
        if self.pending
            && let Some((word, len)) = scan::number(self.stream.window())
            && let Some(parsed) = parse(word)
        {
            self.stream.consume(len);
            self.pending = false;
            return Ok(parsed);
        }
        if self.kind()? != Kind::Number {
            return Err(self.mismatch(expected));
        }
        self.parsed_word(expected, parse)
    }

    /// Reads the word at the cursor if `parse` likes it.
    #[inline(never)]
    fn parsed_word<T>(
        &mut self,
        expected: &str,
        parse: impl FnOnce(&[u8]) -> Option<T>,
    ) -> Result<T, ReadError> {
        let len = self.word_len()?;
        match parse(&self.stream.window()[..len]) {
            Some(parsed) => {
                self.stream.consume(len);
                self.pending = false;
                Ok(parsed)
            }
            None => {
                let found = self.stream.window()[..len.min(SHOWN)].escape_ascii().to_string();
                Err(self.malformed(format!("expected {expected}{}, found {found}", self.path())))
            }
        }
    }

    #[cold]
    fn no_value(&self) -> ReadError {
        debug_assert!(self.pending || self.cut.is_some(), "the value{} was read", self.path());
        self.truncated()
    }

    /// The value at the cursor is of another kind.
    #[cold]
    fn mismatch(&mut self, expected: &str) -> ReadError {
        match self.kind() {
            Ok(found) => {
                let (path, found) = (self.path(), found.name());
                self.malformed(format!("expected {expected}{path}, found {found}"))
            }
            Err(error) => error,
        }
    }

    /// The byte at the cursor cannot stand there.
    #[cold]
    fn unexpected(&mut self, expected: &str) -> ReadError {
        match self.stream.window() {
            [] => self.truncated(),
            [byte, ..] => {
                let (path, byte) = (self.path(), *byte);
                let found = match byte {
                    b'!'..=b'~' => format!("`{}`", char::from(byte)),
                    _ => format!("the byte {byte:#04x}"),
                };
                self.malformed(format!("expected {expected}{path}, found {found}"))
            }
        }
    }

    #[cold]
    fn too_nested(&self) -> ReadError {
        self.malformed(format!("objects and arrays more than {MOST_NESTED} deep"))
    }

    fn malformed(&self, reason: String) -> ReadError {
        ReadError::Malformed { format: self.format, place: self.place(), reason }
    }

    #[cold]
    fn truncated(&self) -> ReadError {
        let reason = match self.path() {
            path if path.is_empty() => "inside the document".to_owned(),
            path => format!("before the end of the value{path}"),
        };
        ReadError::Truncated { format: self.format, place: end_of(&self.stream), reason }
    }

    /// ` for "profiles[3].weights[12]"`, or nothing at the root.
    fn path(&self) -> String {
        use std::fmt::Write;
        /// The innermost steps say most.
        const STEPS: usize = 8;
        let hidden = self.open.len().saturating_sub(STEPS);
        let mut path = String::new();
        for (depth, open) in self.open.iter().enumerate().skip(hidden) {
            let end = self.open.get(depth + 1).map_or(self.keys.len(), |inner| inner.key);
            let key = &self.keys[open.key..end];
            // Writing to a string cannot fail.
            let _ = match open.close {
                b']' => write!(path, "[{}]", open.members.saturating_sub(1)),
                _ if key.len() > SHOWN => {
                    write!(path, ".{}…", &key[..key.floor_char_boundary(SHOWN)])
                }
                _ if key.is_empty() => Ok(()),
                _ => write!(path, ".{key}"),
            };
        }
        match (hidden, path.strip_prefix('.').unwrap_or(&path)) {
            (_, "") => String::new(),
            (0, path) => format!(" for \"{path}\""),
            (_, path) => format!(" for \"….{path}\""),
        }
    }
}

/// How much of a word is shown in an error.
const SHOWN: usize = 60;

fn end_of(stream: &Stream) -> Place {
    Place(stream.place().0 + stream.window().len() as u64)
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
