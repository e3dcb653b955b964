//! Strings, numbers, `true`, `false` and `null`.

use super::errors::SHOWN;
use super::kind::Kind;
use super::reader::Json;
use super::scan;
use crate::ReadError;
use crate::numbers::decimal::Decimal;

impl<'a> Json<'a> {
    /// A string, or a number as it is written; empty for other values.
    pub(crate) fn any_text(&mut self) -> Result<String, ReadError> {
        if let Some(text) = self.text()? {
            return Ok(text.to_owned());
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

    /// A string, or a number as it is written, until the next call; none of other values, which are left.
    #[inline]
    pub(crate) fn text(&mut self) -> Result<Option<&str>, ReadError> {
        let window = self.stream.window();
        // Mostly, it is all here and plain.
        let plain = scan::plain_string(window).map(|text| (text.end + 1, text)).or_else(|| {
            let (word, len) = scan::number(window)?;
            Some((len, len - word.len()..len))
        });
        let Some((len, text)) = plain.filter(|_| self.pending) else {
            if !matches!(self.kind()?, Kind::String | Kind::Number) {
                return Ok(None);
            }
            return self.string_or_number_text().map(Some);
        };
        self.pending = false;
        let raw = &self.stream.take(len)[text];
        if let Ok(text) = std::str::from_utf8(raw) {
            return Ok(Some(text));
        }
        self.text.clear();
        scan::decode_string(raw, &mut self.text);
        Ok(Some(&self.text))
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
    #[inline]
    pub(crate) fn finite(&mut self) -> Result<Option<Decimal>, ReadError> {
        match self.plain_number() {
            Some(number) => Ok(Some(number)),
            None => self.any_finite(),
        }
    }

    /// A number of few digits, if one comes next and all of it is in the window.
    #[inline]
    pub(crate) fn plain_number(&mut self) -> Option<Decimal> {
        let (number, len) = scan::decimal(self.stream.window()).filter(|_| self.pending)?;
        self.stream.consume(len);
        self.pending = false;
        Some(number)
    }

    /// A small unsigned integer, if one comes next and all of it is in the window.
    #[inline]
    fn small_integer(&mut self) -> Option<u32> {
        let (number, len) = scan::small_integer(self.stream.window()).filter(|_| self.pending)?;
        self.stream.consume(len);
        self.pending = false;
        Some(number)
    }

    #[inline(never)]
    fn any_finite(&mut self) -> Result<Option<Decimal>, ReadError> {
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
        if let Some(number) = self.small_integer() {
            return Ok(number.into());
        }
        self.parsed("a whole number", |word| Decimal::parse(word)?.to_whole())
    }

    /// A whole number of 64 bits that is not negative.
    pub(crate) fn u64(&mut self) -> Result<u64, ReadError> {
        if let Some(number) = self.small_integer() {
            return Ok(number.into());
        }
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

    /// Where the string at the start of the window ends, and whether it holds escapes. All of it
    /// is in the window then.
    #[inline(never)]
    pub(super) fn string_end(&mut self) -> Result<(usize, bool), ReadError> {
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

    /// The length of the number or name at the cursor, which is in the window then.
    #[inline]
    pub(super) fn word_len(&mut self) -> Result<usize, ReadError> {
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
}
