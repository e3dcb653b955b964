//! What is known of members besides what was measured: read and written.

use profile::{Fact, FactKind, FactValue, StringId};

use super::columns::{Fault, fault};
use super::read::Tables;
use super::schema::fact;
use crate::wire::{Fields, MessageWriter, Payload, unzigzag};

impl Tables {
    pub(super) fn fact(&mut self, bytes: &[u8]) -> Result<Fact, Fault> {
        let (mut name, mut text) = (StringId::EMPTY, StringId::EMPTY);
        let (mut kind, mut is_number, mut number) = (FactKind::Factor, false, 0);
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (field, payload) {
                (fact::NAME, Payload::Varint(row)) => name = self.string(row)?,
                (fact::TEXT, Payload::Varint(row)) => text = self.string(row)?,
                (fact::IS_NUMBER, Payload::Varint(bit)) => is_number = bit != 0,
                (fact::NUMBER, Payload::Varint(value)) => number = unzigzag(value),
                (fact::KIND, Payload::Varint(wanted)) => {
                    kind = match FactKind::ALL.get(usize::try_from(wanted).unwrap_or(usize::MAX)) {
                        Some(kind) => *kind,
                        None => return fault(format!("there is no kind of facts {wanted}")),
                    }
                }
                _ => self.unknown += 1,
            }
        }
        let value = if is_number { FactValue::Number(number, text) } else { FactValue::Text(text) };
        Ok(Fact { name, kind, value })
    }
}

/// The message of a fact.
pub(super) fn message_of(from: &Fact) -> MessageWriter {
    let mut message = MessageWriter::default();
    message.integer(fact::NAME, from.name.0.into());
    message.integer(fact::KIND, from.kind as u64);
    match from.value {
        FactValue::Text(text) => message.integer(fact::TEXT, text.0.into()),
        FactValue::Number(number, unit) => {
            message.integer(fact::IS_NUMBER, 1);
            message.integer(fact::TEXT, unit.0.into());
            message.signed(fact::NUMBER, number);
        }
    }
    message
}
