//! The kinds of values.

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
    pub(super) fn name(self) -> &'static str {
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

/// The kind of value that starts with `first`; `second` tells `null` from `nan`.
pub(super) fn kind_of(first: u8, second: Option<u8>) -> Option<Kind> {
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
