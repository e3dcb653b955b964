//! As much of protobuf's wire format as a profile needs to be written.

/// The bytes of one message, appended field by field.
#[derive(Default)]
pub(super) struct Message {
    bytes: Vec<u8>,
}

impl Message {
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Empties the message and keeps its memory for the next one.
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
    }

    /// Appends a varint without a field number: an element of a packed field.
    pub(super) fn element(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    /// Appends elements that are encoded already.
    pub(super) fn elements(&mut self, encoded: &[u8]) {
        self.bytes.extend_from_slice(encoded);
    }

    /// The elements that were appended.
    pub(super) fn read_elements(&self) -> impl Iterator<Item = u64> + '_ {
        let is_last = |byte: &u8| *byte < 0x80;
        self.bytes.split_inclusive(is_last).map(|bytes| {
            bytes.iter().rev().fold(0, |value, byte| value << 7 | u64::from(byte & 0x7f))
        })
    }

    /// A number field; zero is the default and not written.
    pub(super) fn number(&mut self, field: u64, value: u64) {
        if value != 0 {
            self.element(field << 3);
            self.element(value);
        }
    }

    /// A field of bytes: a string, a message, a packed list.
    pub(super) fn field(&mut self, field: u64, bytes: &[u8]) {
        self.element(field << 3 | 2);
        self.element(bytes.len() as u64);
        self.bytes.extend_from_slice(bytes);
    }

    /// A message field, filled by `fill`.
    pub(super) fn message(&mut self, field: u64, fill: impl FnOnce(&mut Message)) {
        let mut inner = Message::default();
        fill(&mut inner);
        self.field(field, &inner.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::Message;

    #[test]
    fn elements_are_read_as_they_were_written() {
        let mut message = Message::default();
        let elements = [0, 127, 128, 300, u64::MAX];
        elements.into_iter().for_each(|element| message.element(element));
        assert_eq!(message.read_elements().collect::<Vec<_>>(), elements);
    }

    #[test]
    fn encodes_as_the_specification_shows() {
        let mut message = Message::default();
        message.number(1, 150);
        message.field(2, b"testing");
        message.number(3, 0);
        assert_eq!(message.bytes(), b"\x08\x96\x01\x12\x07testing");
    }
}
