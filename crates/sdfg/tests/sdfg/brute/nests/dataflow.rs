//! What states of the programs do.

use serde_json::{Map, Value, json};

use super::super::random::State;
use super::{Random, Scope, Span, one};

/// Of tasklets.
const CODE: [&str; 4] = ["o = a", "o = a + 1", "o = a * 2 - a", "o = a * a * a"];

impl Random {
    pub(super) fn state(&mut self, scope: &Scope) -> Value {
        let mut state = State { nodes: vec![], edges: vec![] };
        match self.pick(6) {
            0 => self.copy(&mut state, scope),
            1 => self.views(&mut state, scope),
            2 if scope.graphs > 0 => {
                let node = self.nested(&mut state, scope);
                for (connector, data, spans) in &node.reads {
                    let from = state.access(data);
                    state.part((from, ""), (node.place, connector), data, spans, false);
                }
                for (connector, data, spans) in &node.writes {
                    let to = state.access(data);
                    state.part((node.place, connector), (to, ""), data, spans, false);
                }
            }
            _ => {
                let (data, rank) = self.any(scope);
                let from = state.access(&data);
                self.maps(&mut state, scope, from, &data, rank);
            }
        }
        json!({"type": "SDFGState", "label": self.name("s"), "attributes": {}, "nodes": state.nodes, "edges": state.edges})
    }

    fn any(&mut self, scope: &Scope) -> (String, u32) {
        scope.data[self.pick(scope.data.len() as u32) as usize].clone()
    }

    /// From one place of containers to another.
    fn copy(&mut self, state: &mut State, scope: &Scope) {
        let (data, rank) = self.any(scope);
        let (from, to) = (state.access(&data), state.access("T"));
        let mut spans = vec![];
        for _ in 0..rank {
            let size = self.bound(scope);
            let step = 1 + self.pick(2);
            let first = self.index(scope);
            // Nothing where the size is none.
            spans.push((first.clone(), format!("{first} + {step}*({size}) - 1"), step.to_string()));
        }
        state.part((from, ""), (to, ""), &data, &spans, false);
    }

    /// Views of a part, and of that, read or written.
    fn views(&mut self, state: &mut State, scope: &Scope) {
        let (data, rank) = self.any(scope);
        let from = state.access(&data);
        let whole = |first: String| (first.clone(), format!("{first} + 600"), "1".to_owned());
        let mut spans: Vec<Span> = (0..rank).map(|_| whole(self.index(scope))).collect();
        let (mut last, mut name, mut now) = (from, "W", rank);
        if rank == 2 && self.pick(2) == 0 {
            spans[self.pick(2) as usize] = one(self.index(scope));
            (name, now) = ("V", 1);
        } else if rank == 1 {
            name = "V";
        }
        let view = state.access(name);
        state.part((last, ""), (view, "views"), &data, &spans, false);
        last = view;
        if now == 2 && self.pick(2) == 0 {
            let smaller = |first: String| (first.clone(), format!("{first} + 300"), "1".to_owned());
            let spans = [smaller(self.index(scope)), smaller("3".to_owned())];
            let further = state.access("X");
            state.part((last, ""), (further, "views"), name, &spans, false);
            (last, name) = (further, "X");
        }
        self.maps(state, scope, last, name, now);
    }

    /// Maps around code, or around a graph.
    fn maps(&mut self, state: &mut State, scope: &Scope, from: usize, data: &str, rank: u32) {
        let levels = 1 + self.pick(2);
        let (to_data, to_rank) = self.any(scope);
        let to = state.access(&to_data);
        let (entry, exit) = self.level(state, scope, levels, (data, rank), (&to_data, to_rank));
        state.part((from, ""), (entry, "IN_x"), data, &stale(rank), false);
        let is_combined = self.pick(4) == 0;
        state.part((exit, "OUT_y"), (to, ""), &to_data, &stale(to_rank), is_combined);
    }

    fn level(
        &mut self,
        state: &mut State,
        scope: &Scope,
        levels: u32,
        read: (&str, u32),
        written: (&str, u32),
    ) -> (usize, usize) {
        let mut inside = scope.clone();
        let (mut params, mut ranges) = (vec![], vec![]);
        for _ in 0..1 + self.pick(2) {
            let (first, last, step) = self.span(&inside);
            let name = self.name("p");
            ranges.push(json!({"start": first, "end": last, "step": step, "tile": "1"}));
            inside.symbols.push(name.clone());
            params.push(name);
        }
        let entry = state.node(json!({"type": "MapEntry", "label": "m", "attributes": {
            "params": params, "range": {"type": "Range", "ranges": ranges}}}));
        if levels > 1 {
            let (inner, inner_exit) = self.level(state, &inside, levels - 1, read, written);
            let exit = state.exit();
            state.part((entry, "OUT_x"), (inner, "IN_x"), read.0, &stale(read.1), false);
            state.part((inner_exit, "OUT_y"), (exit, "IN_y"), written.0, &stale(written.1), false);
            return (entry, exit);
        }
        let exit = state.exit();
        if scope.graphs > 0 && self.pick(2) == 0 {
            let inner = Scope {
                data: vec![(read.0.to_owned(), read.1), (written.0.to_owned(), written.1)],
                ..inside
            };
            let node = self.nested(state, &inner);
            for (connector, data, spans) in &node.reads {
                let from = if data == read.0 { "OUT_x" } else { continue };
                state.part((entry, from), (node.place, connector), data, spans, false);
            }
            for (connector, data, spans) in &node.writes {
                let to = if data == written.0 { "IN_y" } else { continue };
                state.part((node.place, connector), (exit, to), data, spans, false);
            }
            return (entry, exit);
        }
        let code = CODE[self.pick(CODE.len() as u32) as usize];
        let node = state.node(json!({"type": "Tasklet", "label": "t", "attributes": {
            "code": {"string_data": code, "language": "Python"}}}));
        let index = |random: &mut Random, rank: u32| -> Vec<Span> {
            (0..rank).map(|_| one(random.index(&inside))).collect()
        };
        for connector in 0..1 + self.pick(2) {
            let spans = index(self, read.1);
            let connector = format!("a{connector}");
            state.part((entry, "OUT_x"), (node, &connector), read.0, &spans, false);
        }
        let is_combined = self.pick(3) == 0;
        let spans = index(self, written.1);
        state.part((node, "o"), (exit, "IN_y"), written.0, &spans, is_combined);
        (entry, exit)
    }

    /// A graph of its own names, with a part of what it reads and of what it writes.
    fn nested(&mut self, state: &mut State, scope: &Scope) -> Node {
        let (read, written) = (scope.data[0].clone(), scope.data[scope.data.len() - 1].clone());
        let ((from, from_rank), (to, to_rank)) =
            (self.part(scope, read.1), self.part(scope, written.1));
        let data = vec![("a".to_owned(), from_rank), ("b".to_owned(), to_rank)];
        let mut mapping = Map::new();
        let mut symbols = vec!["N".to_owned(), "M".to_owned()];
        for name in ["N", "M"] {
            mapping.insert(name.to_owned(), json!(name));
        }
        for _ in 0..1 + self.pick(2) {
            // A name may be another thing inside.
            let name = if self.pick(6) == 0 { "M".to_owned() } else { self.name("n") };
            mapping.insert(name.clone(), json!(self.bound(scope)));
            if !symbols.contains(&name) {
                symbols.push(name);
            }
        }
        let inner = Scope {
            symbols: symbols.clone(),
            set: vec![],
            data: data.clone(),
            graphs: scope.graphs - 1,
        };
        let region = self.region(1, inner);
        let name = self.name("inner");
        let graph = self.graph(&name, region, &data, &symbols);
        let place = state.node(json!({"type": "NestedSDFG", "label": name, "attributes": {
            "sdfg": graph, "symbol_mapping": mapping}}));
        Node {
            place,
            reads: vec![("a".to_owned(), read.0, from)],
            // What is written may be read before.
            writes: vec![("b".to_owned(), written.0, to)],
        }
    }
}

/// A nested graph: its connectors with the parts of containers that they are.
struct Node {
    place: usize,
    reads: Vec<(String, String, Vec<Span>)>,
    writes: Vec<(String, String, Vec<Span>)>,
}

/// What stands on outer edges is old, or never was right.
fn stale(rank: u32) -> Vec<Span> {
    (0..rank).map(|_| ("0".to_owned(), "N - 1".to_owned(), "1".to_owned())).collect()
}

impl State {
    /// An edge with a part of a container.
    fn part(
        &mut self,
        from: (usize, &str),
        to: (usize, &str),
        data: &str,
        spans: &[Span],
        is_combined: bool,
    ) {
        let connector = |name: &str| if name.is_empty() { Value::Null } else { json!(name) };
        let ranges: Vec<Value> = spans
            .iter()
            .map(|(first, last, step)| json!({"start": first, "end": last, "step": step, "tile": "1"}))
            .collect();
        let count = |(first, last, step): &Span| {
            if first == last {
                return "1".to_owned();
            }
            format!("Max(0, int_floor(({last}) - ({first}), {step}) + 1)")
        };
        let volume: Vec<String> = spans.iter().map(count).collect();
        let wcr = if is_combined { json!("(lambda x, y: (x + y))") } else { Value::Null };
        self.edges.push(json!({"type": "MultiConnectorEdge",
            "src": from.0.to_string(), "dst": to.0.to_string(),
            "src_connector": connector(from.1), "dst_connector": connector(to.1),
            "attributes": {"data": {"type": "Memlet", "attributes": {
                "data": data, "volume": volume.join("*"), "wcr": wcr,
                "subset": {"type": "Range", "ranges": ranges}}}}}));
    }
}
