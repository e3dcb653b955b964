//! The call graph that entries make.

use hashbrown::HashMap;
use profile::{LocationId, Place as CodePlace, ProfileBuilder};

use super::entries::{Caller, Function, Key};
use crate::graph::call_graph::{CallGraph, Node};

pub(super) struct Graph {
    pub(super) builder: ProfileBuilder,
    pub(super) graph: CallGraph,
    pub(super) functions: HashMap<Key, (Node, LocationId)>,
}

impl Graph {
    pub(super) fn add(&mut self, function: &Function, is_sampled: bool) {
        let (node, entry) = self.node(&function.key);
        let [first, second] = function.counts;
        if is_sampled {
            self.graph.add_self(node, entry, &[function.own_ns, first]);
            self.graph.set_total(node, &[function.cumulative_ns, second]);
        } else {
            self.graph.add_self(node, entry, &[function.own_ns]);
            self.graph.set_total(node, &[function.cumulative_ns]);
            self.graph.add_primitive_calls(node, first.min(second));
        }
        // cProfile and yappi disagree which count includes recursive calls: it is the larger one.
        let mut from_outside = first.max(second);
        for (key, caller) in &function.callers {
            let Caller { calls, cumulative_ns } = *caller;
            from_outside = from_outside.saturating_sub(calls);
            let (caller, site) = self.node(key);
            let inclusive: &[i64] =
                if is_sampled { &[cumulative_ns, calls] } else { &[cumulative_ns] };
            self.graph.add_calls(caller, site, node, calls, inclusive);
        }
        if from_outside > 0 && !is_sampled {
            self.graph.add_calls_from_outside(node, from_outside);
        }
    }

    fn node(&mut self, key: &Key) -> (Node, LocationId) {
        if let Some(&known) = self.functions.get(key) {
            return known;
        }
        let (file, line, name) = key;
        let place = CodePlace {
            function: name,
            file,
            start_line: u32::try_from(*line).unwrap_or(0),
            ..CodePlace::default()
        };
        // Built-ins have the file `~`; pstats shows their names in braces.
        let location = match (&**file, name.strip_prefix('<').and_then(|n| n.strip_suffix('>'))) {
            ("~", Some(inner)) => {
                let name = format!("{{{inner}}}");
                self.builder.place(&CodePlace { function: &name, file: "", ..place })
            }
            ("~", None) => self.builder.place(&CodePlace { file: "", ..place }),
            _ => self.builder.place(&place),
        };
        let node = self.graph.function(location);
        self.functions.insert(key.clone(), (node, location));
        (node, location)
    }
}
