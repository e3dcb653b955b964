//! The commands.

use std::process::ExitCode;

use anyhow::Result;

use super::{compare, cost, draw, fusions, info, memory, simulate};
use crate::arguments::{Sdfg, SdfgCommand};
use crate::commands::machine::machine;

/// Tells what graphs hold or cost.
pub(crate) fn sdfg(arguments: &Sdfg) -> Result<ExitCode> {
    let done = |result: Result<()>| result.map(|()| ExitCode::SUCCESS);
    match &arguments.command {
        SdfgCommand::Info(arguments) => done(info::info(arguments)),
        SdfgCommand::Cost(arguments) => cost::cost(arguments),
        SdfgCommand::Compare(arguments) => compare::compare(arguments),
        SdfgCommand::Fusions(arguments) => done(fusions::fusions(arguments)),
        SdfgCommand::Memory(arguments) => done(memory::memory(arguments)),
        SdfgCommand::Simulate(arguments) => done(simulate::simulate(arguments)),
        SdfgCommand::Draw(arguments) => done(draw::draw(arguments)),
        SdfgCommand::Machine(arguments) => done(machine(arguments)),
    }
}
