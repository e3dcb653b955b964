//! Writing protobuf messages by hand, so that tests can say exactly what a file holds.

/// A message under construction.
#[derive(Default, Clone)]
pub(crate) struct Message(pub(crate) Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    /// An integer field.
    pub(crate) fn int(mut self, field: u64, value: i64) -> Self {
        self.varint(field << 3);
        self.varint(value as u64);
        self
    }

    /// A field of bytes.
    pub(crate) fn bytes(mut self, field: u64, value: &[u8]) -> Self {
        self.varint(field << 3 | 2);
        self.varint(value.len() as u64);
        self.0.extend_from_slice(value);
        self
    }

    /// A message inside a message.
    pub(crate) fn message(self, field: u64, inner: Message) -> Self {
        self.bytes(field, &inner.0)
    }

    /// A packed list of integers.
    pub(crate) fn packed(self, field: u64, values: &[i64]) -> Self {
        let mut inner = Message::default();
        values.iter().for_each(|&value| inner.varint(value as u64));
        self.message(field, inner)
    }

    /// String table entries.
    pub(crate) fn strings(self, texts: &[&str]) -> Self {
        texts.iter().fold(self, |message, text| message.bytes(6, text.as_bytes()))
    }
}

/// An empty message.
pub(crate) fn message() -> Message {
    Message::default()
}

/// A sample type: name and unit as string indices.
pub(crate) fn value_type(name: i64, unit: i64) -> Message {
    message().int(1, name).int(2, unit)
}

/// A sample with packed fields.
pub(crate) fn sample(locations: &[i64], values: &[i64]) -> Message {
    message().packed(1, locations).packed(2, values)
}

/// A location with lines (function, line), innermost first.
pub(crate) fn location(id: i64, lines: &[(i64, i64)]) -> Message {
    lines.iter().fold(message().int(1, id), |location, &(function, line)| {
        location.message(4, message().int(1, function).int(2, line))
    })
}

/// A function: id, name, file.
pub(crate) fn function(id: i64, name: i64, file: i64) -> Message {
    message().int(1, id).int(2, name).int(4, file)
}
