//! All passes, one after the other.

use std::collections::HashMap;
use std::sync::Arc;

use super::analysis::{Analysis, Flow, PartCosts, Report, Symbols};
use super::costs::{Cost, Costs};
use super::roots::Roots;
use super::rules::Rules;
use super::{in_all, state, times};
use crate::expr::{Expr, Facts};
use crate::model::{Program, RegionIndex, StateIndex};

impl Costs {
    /// Works them out.
    pub fn new(program: &Program, rules: Rules) -> Costs {
        let mut analysis = Analysis::new(program, rules);
        for region in work::long_steps("working out costs", (0..program.regions.len()).rev()) {
            analysis.region(RegionIndex(region as u32));
        }
        analysis.finish()
    }
}

impl<'p> Analysis<'p> {
    fn new(program: &'p Program, rules: Rules) -> Analysis<'p> {
        let mut states_of = vec![vec![]; program.graphs.len()];
        for (place, state) in program.states.iter().enumerate() {
            let graph = program.region(state.region).graph;
            states_of[graph.place()].push(StateIndex(place as u32));
        }
        let changing = in_all::changing_names(program).into_iter().map(Arc::from).collect();
        let mut analysis = Analysis {
            program,
            rules,
            facts: Facts::all_sizes_but(changing),
            roots: Roots::new(program),
            dynamic: state::dynamic_inputs(program),
            states_of,
            symbols: Symbols::default(),
            costs: PartCosts {
                nodes: vec![vec![]; program.states.len()],
                edges: vec![vec![]; program.states.len()],
                states: vec![Cost::default(); program.states.len()],
                regions: vec![Cost::default(); program.regions.len()],
            },
            flow: Flow {
                loop_of: vec![vec![]; program.regions.len()],
                loops: vec![vec![]; program.regions.len()],
                branch_weights: vec![None; program.regions.len()],
                left_before: times::left_before(program),
                conditionals: HashMap::new(),
            },
            report: Report::default(),
        };
        for view in analysis.roots.ambiguous().cloned().collect::<Vec<_>>() {
            analysis.note(&format!(
                "one state binds the view {view} to several containers: its accesses count as those of the first"
            ));
        }
        analysis.symbols.defined = analysis.find_definitions();
        analysis.symbols.read = analysis.find_read();
        analysis.symbols.outside = analysis.outside_names();
        analysis
    }

    fn finish(mut self) -> Costs {
        let program = self.program;
        let mut executions = vec![];
        for state in work::long_steps("counting executions", &program.states) {
            let count = self.executions_of(state.region, state.block);
            executions.push(self.or_unknown(count, &format!("{}_executions", state.label)));
        }
        let times = self.times();
        let differing = self.differing();
        let moved_by_container = self.moved_by_container();
        let distinct = self.distinct();
        let outside = std::mem::take(&mut self.symbols.outside);
        let allocated = self.allocated(&outside);
        for (index, state) in program.states.iter().enumerate() {
            let graph = program.region(state.region).graph;
            let names = &outside[graph.place()];
            if names.is_empty() {
                continue;
            }
            // What gets too large in terms of the outermost symbols stays in those of its graph.
            let renamed = |expr: &mut Expr| {
                if let Ok(new) = expr.substituted(&|name| names.get(name).cloned()) {
                    *expr = new;
                }
            };
            let rename_cost = |cost: &mut Cost| {
                [&mut cost.work, &mut cost.depth, &mut cost.moved].into_iter().for_each(renamed);
            };
            self.costs.nodes[index].iter_mut().for_each(rename_cost);
            rename_cost(&mut self.costs.states[index]);
            renamed(&mut executions[index]);
            for movement in self.costs.edges[index].iter_mut().flatten() {
                renamed(&mut movement.elements);
                renamed(&mut movement.bytes);
            }
        }
        for (region, cost) in program.regions.iter().zip(&mut self.costs.regions) {
            let names = &outside[region.graph.place()];
            if let Ok(new) = cost.each(|part| part.substituted(&|name| names.get(name).cloned())) {
                *cost = new;
            }
        }
        let total = match program.root() {
            Some(root) => self.costs.regions[root.region.place()].clone(),
            None => Cost::default(),
        };
        let mut costs = Costs {
            total,
            nodes: self.costs.nodes,
            edges: self.costs.edges,
            states: self.costs.states,
            executions,
            times,
            distinct,
            differing,
            moved_by_container,
            allocated,
            regions: self.costs.regions,
            unknowns: self.report.unknowns,
            notes: self.report.notes,
        };
        costs.tell_changing(program);
        costs.forget_unused();
        costs
    }
}
