//! All passes, one after the other.

use super::allocated::allocated;
use super::context::Context;
use super::costs::{Cost, Costs};
use super::differing::differing;
use super::distinct::distinct;
use super::flow::cost_parts;
use super::found::PartCosts;
use super::known::Known;
use super::moved_by_container::moved_by_container;
use super::outermost::{executions_in_outermost, parts_in_outermost};
use super::report::Report;
use super::rules::Rules;
use super::symbols::Symbols;
use super::times::{executions, times};
use crate::model::Program;

impl Costs {
    /// Works them out.
    pub fn new(program: &Program, rules: Rules) -> Costs {
        let known = Known::new(program, rules);
        let mut report = Report::new(&known.roots);
        let symbols = Symbols::new(&known);
        let context = &mut Context { known: &known, symbols: &symbols, report: &mut report };
        let (parts, flow) = cost_parts(context);
        let executions = executions(context, &flow);
        let times = times(context, &flow);
        let differing = differing(context, &flow, &parts);
        let moved_by_container = moved_by_container(context, &flow, &parts.edges);
        let distinct = distinct(context, &flow);
        let allocated = allocated(context);
        let executions = executions_in_outermost(program, &symbols, executions);
        let PartCosts { nodes, edges, states, regions } =
            parts_in_outermost(program, &symbols, parts);
        let total = match program.root() {
            Some(root) => regions[root.region.place()].clone(),
            None => Cost::default(),
        };
        let Report { unknowns, notes, .. } = report;
        let mut costs = Costs {
            total,
            nodes,
            edges,
            states,
            executions,
            times,
            distinct,
            differing,
            moved_by_container,
            allocated,
            regions,
            unknowns,
            notes,
        };
        costs.tell_changing(program);
        costs.forget_unused();
        costs
    }
}
