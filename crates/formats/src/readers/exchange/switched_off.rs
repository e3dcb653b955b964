//! Functions whose calls were measured up to some number: read and written.

use std::io::Write;

use profile::{FunctionId, LaterEstimate, SwitchedOff};

use super::columns::{Columns, Fault, check_count, fault, row};
use super::read::Tables;
use super::schema::{block, switched_off};
use super::write::{chunks, column, put_block};
use crate::WriteError;
use crate::wire::{MessageWriter, unzigzag, zigzag};

const ESTIMATED: u64 = 1;
const PARTIAL: u64 = 4;

pub(super) fn write(all: &[SwitchedOff], out: &mut dyn Write) -> Result<(), WriteError> {
    let mut message = MessageWriter::default();
    for rows in chunks(0, all.len()) {
        message.bytes(block::SWITCHED_OFF, &block_of(&all[rows]).bytes);
        put_block(&mut message, out)?;
    }
    Ok(())
}

fn block_of(rows: &[SwitchedOff]) -> MessageWriter {
    let mut message = MessageWriter::default();
    let estimates = || rows.iter().map(|one| one.estimate.unwrap_or_default());
    let known = |one: &SwitchedOff| {
        u64::from(one.estimate.is_some()) * ESTIMATED + u64::from(one.is_partial) * PARTIAL
    };
    message.integer(switched_off::COUNT, rows.len() as u64);
    column(&mut message, switched_off::FUNCTION, rows.iter().map(|one| one.function.0.into()));
    column(&mut message, switched_off::EXACT_CALLS, rows.iter().map(|one| one.exact_calls));
    column(&mut message, switched_off::KNOWN, rows.iter().map(known));
    column(&mut message, switched_off::TIME_NS, estimates().map(|one| zigzag(one.time_ns)));
    column(&mut message, switched_off::SAMPLES, estimates().map(|one| one.samples));
    column(&mut message, switched_off::OF_SAMPLES, estimates().map(|one| one.of_samples));
    message
}

impl Tables {
    pub(super) fn switched_off(&mut self, columns: &Columns) -> Result<(), Fault> {
        let count = columns.count;
        let names = ["function", "exact_calls", "known", "time_ns", "samples", "of_samples"];
        for (field, name) in (switched_off::FUNCTION..).zip(names) {
            columns.expect(field, count, name)?;
        }
        check_count(columns)?;
        for index in 0..count {
            let get = |field| columns.get(field, index);
            let functions = self.builder.functions.len();
            let function = row(get(switched_off::FUNCTION), functions, "functions")?;
            let function = FunctionId(function);
            let last = self.builder.switched_off.last();
            if last.is_some_and(|last| last.function >= function) {
                return fault(format!(
                    "function {} is not in order among those switched off",
                    function.0
                ));
            }
            let known = get(switched_off::KNOWN);
            let estimate = LaterEstimate {
                time_ns: unzigzag(get(switched_off::TIME_NS)),
                samples: get(switched_off::SAMPLES),
                of_samples: get(switched_off::OF_SAMPLES),
            };
            self.builder.switched_off.push(SwitchedOff {
                function,
                exact_calls: get(switched_off::EXACT_CALLS),
                estimate: (known & ESTIMATED != 0).then_some(estimate),
                is_partial: known & PARTIAL != 0,
            });
        }
        Ok(())
    }
}
