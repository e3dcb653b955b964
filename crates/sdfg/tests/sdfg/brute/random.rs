//! Random programs as an SDFG's JSON: loops of both kinds, maps in maps, graphs in nodes, conditions
//! on sizes, combined writes and views, with bounds that depend on what is around.

use proptest::prelude::*;
use serde_json::{Value, json};

/// A choice for each decision, taken one after the other; 0 when they are used up.
#[derive(Debug, Clone)]
pub(crate) struct Choices(pub(super) std::collections::VecDeque<u32>);

/// Decisions of a program.
pub(crate) fn choices() -> impl Strategy<Value = Vec<u32>> {
    proptest::collection::vec(any::<u32>(), 10..120)
}

/// The program that some decisions make.
pub(crate) fn program(choices: &[u32]) -> Value {
    made(choices, &CODE)
}

/// The same with code that nobody can look into.
pub(crate) fn program_with_opaque_code(choices: &[u32]) -> Value {
    made(choices, &[&CODE[..3], &OPAQUE].concat())
}

fn made(choices: &[u32], code: &[&'static str]) -> Value {
    let left = Choices(choices.iter().copied().collect());
    let mut random = Random { left, names: 0, list_id: 0, code: code.to_vec() };
    let region = random.region(2, &["N".to_owned(), "M".to_owned()]);
    random.graph("outer", region)
}

struct Random {
    left: Choices,
    names: u32,
    list_id: u32,
    /// Of tasklets.
    code: Vec<&'static str>,
}

/// Blocks and edges of a region.
pub(super) struct Region {
    pub(super) blocks: Vec<Value>,
    pub(super) edges: Vec<Value>,
}

/// Of tasklets.
const CODE: [&str; 7] = [
    "o = a",
    "o = a + 1",
    "o = a * 2 - a",
    "o = max(a, 0)",
    "o = min(a, 1, a * 2) if a < 3 and a * a > 1 else math.floor(a)",
    "o = dace.float64(a == 2 or a != 3)",
    "o = numpy.absolute(max(a + 1, numpy.sign(a)))",
];

/// Calls of which nothing is known, and operations beside them.
const OPAQUE: [&str; 4] = [
    "o = foreign(a)",
    "o = foreign(a) + 2 * a",
    "o = foreign(a + 1)",
    "o = foreign(a) - foreign(3)",
];

impl Random {
    fn pick(&mut self, below: u32) -> u32 {
        self.left.0.pop_front().map_or(0, |choice| choice % below)
    }

    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn graph(&mut self, name: &str, region: Region) -> Value {
        let array = |dtype: &str, transient: bool| json!({"type": "Array", "attributes": {"dtype": dtype, "shape": ["9000"], "transient": transient}});
        let view = json!({"type": "ArrayView", "attributes": {"dtype": "float32", "shape": ["9000"], "transient": true}});
        self.list_id += 1;
        json!({"type": "SDFG", "cfg_list_id": self.list_id - 1, "attributes": {
            "name": name,
            "symbols": {"N": "int64", "M": "int64"},
            "_arrays": {"A": array("float64", false), "B": array("float32", false),
                "T": array("float64", true), "L": array("float64", true), "V": view}},
            "nodes": region.blocks, "edges": region.edges})
    }

    /// A number that a bound begins or ends with.
    fn bound(&mut self, symbols: &[String]) -> String {
        let symbol = symbols[self.pick(symbols.len() as u32) as usize].clone();
        match self.pick(9) {
            0 => symbol,
            1 => format!("{symbol} - 2"),
            2 => format!("3*{symbol}"),
            3 => format!("2*{symbol} - 3"),
            4 => format!("int_floor({symbol}, 2)"),
            5 => format!("Min({symbol}, N - 1)"),
            6 => format!("N - {symbol}"),
            7 => "4".to_owned(),
            _ => format!("Max({symbol}, M)"),
        }
    }

    /// One element.
    fn index(&mut self, symbols: &[String]) -> String {
        let last = symbols[symbols.len() - 1].clone();
        let other = symbols[self.pick(symbols.len() as u32) as usize].clone();
        match self.pick(8) {
            0 => format!("@{other}"),
            1 => format!("@2*{last} + 1"),
            2 => format!("@{last} + {other}"),
            3 => "@5".to_owned(),
            4 => format!("@10*{other} + {last}"),
            5 => format!("@3000 - {last}"),
            _ => format!("@{last}"),
        }
    }

    fn first(&mut self, symbols: &[String]) -> String {
        match self.pick(4) {
            0 => self.bound(symbols),
            1 => symbols[self.pick(symbols.len() as u32) as usize].clone(),
            2 => "1".to_owned(),
            _ => "0".to_owned(),
        }
    }

    fn region(&mut self, depth: u32, symbols: &[String]) -> Region {
        let mut region = Region { blocks: vec![], edges: vec![] };
        let count = 1 + self.pick(3);
        for _ in 0..count {
            let kind = if depth == 0 { 0 } else { self.pick(6) };
            match kind {
                1 => self.loop_region(&mut region, depth, symbols),
                2 => self.guarded_loop(&mut region, depth, symbols),
                3 => self.branch(&mut region, depth, symbols),
                4 => self.reading_edge(&mut region, symbols),
                _ => {
                    let state = self.state(depth, symbols);
                    region.push(state);
                }
            }
        }
        region
    }

    fn loop_region(&mut self, region: &mut Region, depth: u32, symbols: &[String]) {
        let name = self.name("i");
        let (first, last) = (self.first(symbols), self.bound(symbols));
        let step = 1 + self.pick(3);
        let kind = self.pick(8);
        let mut inside = symbols.to_vec();
        // What grows by a factor has no sum that anybody tells.
        if !matches!(kind, 2 | 4) {
            inside.push(name.clone());
        }
        let inner = self.region(depth - 1, &inside);
        self.list_id += 1;
        let other = if kind == 3 { self.bound(symbols) } else { String::new() };
        let rises = format!("{name} = {name} + {step}");
        let (init, condition, update) = match kind {
            0 | 1 => (
                format!("{name} = {last} - 1"),
                format!("{name} >= {first}"),
                format!("{name} = {name} - {step}"),
            ),
            2 => (
                format!("{name} = {step}"),
                format!("{name} < {last}"),
                format!("{name} = {} * {name}", step + 1),
            ),
            3 => {
                let condition = format!("{name} < {last} and {name} <= {other}");
                (format!("{name} = {first}"), condition, rises)
            }
            4 => (
                format!("{name} = {last}"),
                format!("{name} >= {step}"),
                format!("{name} = int_floor({name}, {})", step + 1),
            ),
            _ => (format!("{name} = {first}"), format!("{name} < {last}"), rises),
        };
        let code = |text: String| json!({"string_data": text, "language": "Python"});
        region.push(json!({"type": "LoopRegion", "label": name, "cfg_list_id": self.list_id - 1,
            "attributes": {"loop_variable": name, "init_statement": code(init),
                "loop_condition": code(condition), "update_statement": code(update)},
            "nodes": inner.blocks, "edges": inner.edges}));
    }

    fn guarded_loop(&mut self, region: &mut Region, depth: u32, symbols: &[String]) {
        let name = self.name("g");
        let (first, last) = (self.first(symbols), self.bound(symbols));
        let step = 1 + self.pick(2);
        let mut inside = symbols.to_vec();
        inside.push(name.clone());
        let guard = if self.pick(3) == 0 { self.state(0, &inside) } else { empty_state() };
        let before = region.push(empty_state());
        let guard = region.push_alone(guard);
        let mut body = self.region(depth - 1, &inside);
        // What leaves the body leaves it at one place.
        body.push(empty_state());
        let body_first = region.blocks.len();
        let offset = |edge: &Value, key: &str| {
            let place: usize = edge[key].as_str().and_then(|text| text.parse().ok()).unwrap_or(0);
            (place + body_first).to_string()
        };
        for edge in &body.edges {
            let mut edge = edge.clone();
            (edge["src"], edge["dst"]) = (json!(offset(&edge, "src")), json!(offset(&edge, "dst")));
            region.edges.push(edge);
        }
        region.blocks.extend(body.blocks);
        let body_last = region.blocks.len() - 1;
        let after = region.push_alone(empty_state());
        region.edges.extend([
            edge(before, guard, &[(&name, &first)], "1"),
            edge(guard, body_first, &[], &format!("{name} < {last}")),
            edge(body_last, guard, &[(&name, &format!("{name} + {step}"))], "1"),
            edge(guard, after, &[], &format!("not ({name} < {last})")),
        ]);
    }

    /// Control flow reads an element, which decides nothing.
    fn reading_edge(&mut self, region: &mut Region, symbols: &[String]) {
        let before = region.push(empty_state());
        let after = region.push_alone(empty_state());
        let data = ["A", "B"][self.pick(2) as usize];
        let index = self.index(symbols).replace('@', "");
        let name = self.name("read");
        region.edges.push(edge(before, after, &[(&name, &format!("{data}[{index}]"))], "1"));
    }

    fn branch(&mut self, region: &mut Region, depth: u32, symbols: &[String]) {
        if self.pick(2) == 0 {
            return self.branching_edges(region, symbols);
        }
        let condition = format!("{} < {}", self.bound(symbols), self.bound(symbols));
        let [first, second] = [0, 1].map(|_| self.region(depth - 1, symbols));
        let mut branch = |region: Region| {
            self.list_id += 1;
            json!({"type": "ControlFlowRegion", "label": "b", "cfg_list_id": self.list_id - 1,
                "attributes": {}, "nodes": region.blocks, "edges": region.edges})
        };
        let branches = json!([
            [{"string_data": condition, "language": "Python"}, branch(first)],
            [null, branch(second)],
        ]);
        region.push(json!({"type": "ConditionalBlock", "label": "c", "attributes": {}, "branches": branches}));
    }

    /// One of two ways, or none, and on from where they meet.
    fn branching_edges(&mut self, region: &mut Region, symbols: &[String]) {
        let condition = format!("{} < {}", self.bound(symbols), self.bound(symbols));
        let other = match self.pick(3) {
            0 => "1".to_owned(),
            1 => format!("not ({condition})"),
            _ => format!("{} < {}", self.bound(symbols), self.bound(symbols)),
        };
        let before = region.push(empty_state());
        let [first, second] = [0, 1].map(|_| {
            let state = self.state(0, symbols);
            region.push_alone(state)
        });
        let after = region.push_alone(empty_state());
        region.edges.extend([
            edge(before, first, &[], &condition),
            edge(before, second, &[], &other),
            edge(first, after, &[], "1"),
            edge(second, after, &[], "1"),
        ]);
    }

    fn state(&mut self, depth: u32, symbols: &[String]) -> Value {
        let mut state = State { nodes: vec![], edges: vec![] };
        for _ in 0..1 + self.pick(2) {
            match self.pick(4) {
                0 => {
                    let (from, to) = (state.access("A"), state.access("T"));
                    let size = self.bound(symbols);
                    state.edge((from, ""), (to, ""), "A", &format!("Max(0, {size})"), false);
                }
                1 => {
                    let (from, view) = (state.access("B"), state.access("V"));
                    state.edge((from, ""), (view, "views"), "B", "9000", false);
                    self.enclosed(&mut state, depth, symbols, view, "V");
                }
                _ => {
                    let from = state.access("A");
                    self.enclosed(&mut state, depth, symbols, from, "A");
                }
            }
        }
        json!({"type": "SDFGState", "label": self.name("s"), "attributes": {}, "nodes": state.nodes, "edges": state.edges})
    }

    /// Maps between a container and another.
    fn enclosed(
        &mut self,
        state: &mut State,
        depth: u32,
        symbols: &[String],
        from: usize,
        data: &str,
    ) {
        let levels = 1 + self.pick(2);
        let (entry, exit) = self.body(state, depth, symbols, levels, data);
        let is_combined = self.pick(5) == 0;
        let to = state.access("B");
        // What stands on outer edges is old, or never was right.
        let stale = if self.pick(2) == 0 { "1" } else { "N*M" };
        state.edge((from, ""), (entry, "IN_x"), data, stale, false);
        state.edge((exit, "OUT_x"), (to, ""), "B", stale, is_combined);
    }

    /// Maps around code: the outermost entry and exit.
    fn body(
        &mut self,
        state: &mut State,
        depth: u32,
        symbols: &[String],
        levels: u32,
        data: &str,
    ) -> (usize, usize) {
        let (first, last) = (self.first(symbols), self.bound(symbols));
        let step = 1 + self.pick(3);
        let name = self.name("p");
        let mut inside = symbols.to_vec();
        inside.push(name.clone());
        let mut params = vec![name];
        let range = |first: &str, last: &str, step: u32| json!({"start": first, "end": format!("{last} - 1"), "step": step.to_string(), "tile": "1"});
        let mut ranges = vec![range(&first, &last, step)];
        if self.pick(3) == 0 {
            let (first, last) = (self.first(&inside), self.bound(&inside));
            let name = self.name("q");
            ranges.push(range(&first, &last, 1));
            inside.push(name.clone());
            params.push(name);
        }
        let entry = state.node(json!({"type": "MapEntry", "label": "m", "attributes": {
            "params": params, "range": {"type": "Range", "ranges": ranges}}}));
        let is_combined = self.pick(4) == 0;
        if levels > 1 {
            let (inner_entry, inner_exit) = self.body(state, depth, &inside, levels - 1, data);
            let exit = state.exit();
            state.edge((entry, "OUT_x"), (inner_entry, "IN_x"), data, "3", false);
            state.edge((inner_exit, "OUT_x"), (exit, "IN_x"), "B", "3", is_combined);
            return (entry, exit);
        }
        if depth > 0 && self.pick(3) == 0 {
            let region = self.region(0, &inside);
            let graph = self.graph("inner", region);
            let mapping: serde_json::Map<String, Value> =
                inside.iter().map(|name| (name.clone(), json!(name))).collect();
            let node = state.node(json!({"type": "NestedSDFG", "label": "n", "attributes": {
                "sdfg": graph, "symbol_mapping": mapping}}));
            let exit = state.exit();
            state.edge((entry, "OUT_x"), (node, "A"), data, "9000", false);
            state.edge((node, "B"), (exit, "IN_x"), "B", "9000", false);
            return (entry, exit);
        }
        let place = self.pick(self.code.len() as u32) as usize;
        let code = self.code[place];
        let node = state.node(json!({"type": "Tasklet", "label": "t", "attributes": {
            "code": {"string_data": code, "language": "Python"}}}));
        let exit = state.exit();
        let [read, written] = [0, 1].map(|_| self.index(&inside));
        state.edge((entry, "OUT_x"), (node, "a"), data, &read, false);
        if self.pick(3) == 0 {
            // A container of each iteration's own.
            let local = state.access("L");
            state.edge((node, "o"), (local, ""), "L", "1", false);
            state.edge((local, ""), (exit, "IN_x"), "B", &written, is_combined);
        } else {
            state.edge((node, "o"), (exit, "IN_x"), "B", &written, is_combined);
        }
        (entry, exit)
    }
}

impl Region {
    /// Behind the last block.
    pub(super) fn push(&mut self, block: Value) -> usize {
        let place = self.push_alone(block);
        if place > 0 {
            self.edges.push(edge(place - 1, place, &[], "1"));
        }
        place
    }

    pub(super) fn push_alone(&mut self, block: Value) -> usize {
        self.blocks.push(block);
        self.blocks.len() - 1
    }
}

pub(super) fn empty_state() -> Value {
    json!({"type": "SDFGState", "label": "empty", "attributes": {}, "nodes": [], "edges": []})
}

pub(super) fn edge(from: usize, to: usize, assignments: &[(&str, &str)], condition: &str) -> Value {
    let assignments: serde_json::Map<String, Value> =
        assignments.iter().map(|&(name, value)| (name.to_owned(), json!(value))).collect();
    json!({"type": "Edge", "src": from.to_string(), "dst": to.to_string(), "attributes": {"data": {
        "type": "InterstateEdge", "attributes": {"assignments": assignments,
            "condition": {"string_data": condition, "language": "Python"}}}}})
}

pub(super) struct State {
    pub(super) nodes: Vec<Value>,
    pub(super) edges: Vec<Value>,
}

impl State {
    pub(super) fn node(&mut self, node: Value) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    pub(super) fn access(&mut self, data: &str) -> usize {
        self.node(json!({"type": "AccessNode", "label": data, "attributes": {"data": data}}))
    }

    pub(super) fn exit(&mut self) -> usize {
        self.node(json!({"type": "MapExit", "label": "m", "attributes": {}}))
    }

    /// `volume` elements from the beginning on, or one where it is `@index`.
    fn edge(
        &mut self,
        from: (usize, &str),
        to: (usize, &str),
        data: &str,
        volume: &str,
        is_combined: bool,
    ) {
        let (first, last, volume) = match volume.strip_prefix('@') {
            Some(index) => (index.to_owned(), index.to_owned(), "1"),
            None => ("0".to_owned(), format!("{volume} - 1"), volume),
        };
        let connector = |name: &str| if name.is_empty() { Value::Null } else { json!(name) };
        let wcr = if is_combined { json!("(lambda x, y: (x + y))") } else { Value::Null };
        let subset = json!({"type": "Range", "ranges": [
            {"start": first, "end": last, "step": "1", "tile": "1"}]});
        self.edges.push(json!({"type": "MultiConnectorEdge",
            "src": from.0.to_string(), "dst": to.0.to_string(),
            "src_connector": connector(from.1), "dst_connector": connector(to.1),
            "attributes": {"data": {"type": "Memlet", "attributes": {
                "data": data, "volume": volume, "subset": subset, "wcr": wcr}}}}));
    }
}
