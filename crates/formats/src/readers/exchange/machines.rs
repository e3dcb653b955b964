//! Machines and their processors.

use profile::{Cpu, Machine};

use super::columns::{Fault, narrow};
use super::read::Tables;
use super::schema::{cpu, machine};
use super::write::plus_1;
use crate::wire::{Fields, MessageWriter, Payload};

impl Tables {
    pub(super) fn machine(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let mut entry = Machine::default();
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            match (field, payload) {
                (machine::NAME, Payload::Bytes(text)) => entry.name = lossy(text),
                (machine::KERNEL, Payload::Bytes(text)) => entry.kernel = lossy(text),
                (machine::ARCHITECTURE, Payload::Bytes(text)) => entry.architecture = lossy(text),
                (machine::PROCESSOR, Payload::Bytes(text)) => entry.processor = lossy(text),
                (machine::MEMORY_BYTES, Payload::Varint(bytes)) => entry.memory_bytes = bytes,
                (machine::CPU, Payload::Bytes(bytes)) => entry.cpus.push(self.cpu(bytes)?),
                _ => self.unknown += 1,
            }
        }
        entry.cpus.sort_by_key(|cpu| cpu.number);
        entry.cpus.dedup_by_key(|cpu| cpu.number);
        self.builder.machines.push(entry);
        Ok(())
    }

    fn cpu(&mut self, bytes: &[u8]) -> Result<Cpu, Fault> {
        let mut entry = Cpu::default();
        let mut walk = Fields::new(bytes);
        while let Some((field, payload)) = walk.next()? {
            let Payload::Varint(number) = payload else {
                match (field, payload) {
                    (cpu::KIND, Payload::Bytes(text)) => entry.kind = lossy(text),
                    _ => self.unknown += 1,
                }
                continue;
            };
            let place = || number.checked_sub(1).map(|n| narrow(n, "place of a processor"));
            match field {
                cpu::NUMBER => entry.number = narrow(number, "number of a processor")?,
                cpu::CORE_PLUS_1 => entry.core = place().transpose()?,
                cpu::CACHE_PLUS_1 => entry.cache = place().transpose()?,
                cpu::SOCKET_PLUS_1 => entry.socket = place().transpose()?,
                cpu::NODE_PLUS_1 => entry.node = place().transpose()?,
                cpu::IS_LEFT_OUT => entry.is_left_out = number != 0,
                _ => self.unknown += 1,
            }
        }
        Ok(entry)
    }
}

/// The message of a machine.
pub(super) fn message_of(from: &Machine) -> MessageWriter {
    let mut message = MessageWriter::default();
    message.text(machine::NAME, &from.name);
    message.text(machine::KERNEL, &from.kernel);
    message.text(machine::ARCHITECTURE, &from.architecture);
    message.text(machine::PROCESSOR, &from.processor);
    message.integer(machine::MEMORY_BYTES, from.memory_bytes);
    for entry in &from.cpus {
        let mut inner = MessageWriter::default();
        inner.integer(cpu::NUMBER, entry.number.into());
        inner.integer(cpu::CORE_PLUS_1, plus_1(entry.core));
        inner.integer(cpu::CACHE_PLUS_1, plus_1(entry.cache));
        inner.integer(cpu::SOCKET_PLUS_1, plus_1(entry.socket));
        inner.integer(cpu::NODE_PLUS_1, plus_1(entry.node));
        inner.text(cpu::KIND, &entry.kind);
        inner.integer(cpu::IS_LEFT_OUT, entry.is_left_out.into());
        message.bytes(machine::CPU, &inner.bytes);
    }
    message
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
