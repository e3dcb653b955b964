//! Random programs around what is nested: parts of containers handed to graphs in maps in graphs,
//! views of parts and of views, ranges that fall, strides, tile starts and sizes that assignments
//! set, symbols that live on behind their loops, and sizes below what a stencil needs.

mod dataflow;

use serde_json::{Map, Value, json};

use super::random::{Choices, Region, edge, empty_state};

/// The program that some decisions make.
pub(crate) fn program(choices: &[u32]) -> Value {
    let mut random =
        Random { left: Choices(choices.iter().copied().collect()), names: 0, list_id: 0 };
    let scope = Scope {
        symbols: vec!["N".to_owned(), "M".to_owned()],
        set: vec![],
        data: vec![("A".to_owned(), 2), ("B".to_owned(), 2)],
        graphs: 2,
    };
    let region = random.region(2, scope);
    random.graph("outer", region, &[("A".to_owned(), 2), ("B".to_owned(), 2)], &[])
}

/// The version of DaCe from which on nested graphs get containers whole.
pub(crate) const WHOLE: &str = "2.0.0b1";

/// The same in a file of that version: indices within are those outside.
pub(crate) fn program_of_whole_containers(choices: &[u32]) -> Value {
    let mut program = program(choices);
    program["dace_version"] = json!(WHOLE);
    program
}

struct Random {
    left: Choices,
    names: u32,
    list_id: u32,
}

/// What code at a place can name.
#[derive(Clone)]
struct Scope {
    symbols: Vec<String>,
    /// Those that assignments have set, and may set again.
    set: Vec<String>,
    /// Containers with their ranks.
    data: Vec<(String, u32)>,
    /// How many more graphs may be nested.
    graphs: u32,
}

impl Scope {
    fn with(&self, symbol: &str) -> Scope {
        let mut inside = self.clone();
        inside.symbols.push(symbol.to_owned());
        inside
    }
}

/// First, last and step of a range.
type Span = (String, String, String);

fn one(index: String) -> Span {
    (index.clone(), index, "1".to_owned())
}

impl Random {
    fn pick(&mut self, below: u32) -> u32 {
        self.left.0.pop_front().map_or(0, |choice| choice % below)
    }

    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn symbol(&mut self, scope: &Scope) -> String {
        // What was added last is what matters most.
        match self.pick(2) {
            0 => scope.symbols[scope.symbols.len() - 1].clone(),
            _ => scope.symbols[self.pick(scope.symbols.len() as u32) as usize].clone(),
        }
    }

    fn graph(
        &mut self,
        name: &str,
        region: Region,
        data: &[(String, u32)],
        symbols: &[String],
    ) -> Value {
        let mut arrays = Map::new();
        for (name, rank) in data {
            let shape: Vec<&str> = (0..*rank).map(|_| "9000").collect();
            let dtype = if name.starts_with('B') { "float32" } else { "float64" };
            arrays.insert(name.clone(), json!({"type": "Array", "attributes": {"dtype": dtype, "shape": shape, "transient": false}}));
        }
        for (name, rank) in [("T", 2), ("V", 1), ("W", 2), ("X", 2)] {
            let shape: Vec<&str> = (0..rank).map(|_| "9000").collect();
            let kind = if name == "T" { "Array" } else { "ArrayView" };
            arrays.insert(name.to_owned(), json!({"type": kind, "attributes": {"dtype": "float64", "shape": shape, "transient": true}}));
        }
        let symbols: Map<String, Value> = symbols
            .iter()
            .map(String::as_str)
            .chain(["N", "M"])
            .map(|name| (name.to_owned(), json!("int64")))
            .collect();
        self.list_id += 1;
        json!({"type": "SDFG", "cfg_list_id": self.list_id - 1, "attributes": {
            "name": name, "symbols": symbols, "_arrays": arrays},
            "nodes": region.blocks, "edges": region.edges})
    }

    fn bound(&mut self, scope: &Scope) -> String {
        let symbol = self.symbol(scope);
        let other = self.symbol(scope);
        match self.pick(9) {
            0 => symbol,
            1 => format!("{symbol} - 2"),
            2 => format!("{symbol} + {other}"),
            3 => format!("2*{symbol} - 3"),
            4 => format!("int_ceil({symbol}, 2)"),
            5 => format!("Min({symbol} + 3, N)"),
            6 => format!("N - {symbol}"),
            7 => "4".to_owned(),
            _ => format!("{symbol} % 3"),
        }
    }

    fn index(&mut self, scope: &Scope) -> String {
        let (symbol, other) = (self.symbol(scope), self.symbol(scope));
        match self.pick(7) {
            0 => format!("2*{symbol} + 70"),
            1 => format!("{symbol} + {other} + 70"),
            2 => format!("{symbol} - {other} + 70"),
            3 => "71".to_owned(),
            4 => format!("70 - {symbol}"),
            _ => format!("{symbol} + 70"),
        }
    }

    /// A range, rising or falling.
    fn span(&mut self, scope: &Scope) -> Span {
        let (first, behind) = match self.pick(3) {
            0 => (self.bound(scope), self.bound(scope)),
            _ => ("0".to_owned(), self.bound(scope)),
        };
        let step = 1 + self.pick(3);
        if self.pick(4) == 0 {
            (format!("{behind} - 1"), first, format!("-{step}"))
        } else {
            (first, format!("{behind} - 1"), step.to_string())
        }
    }

    /// A part of a container: rising, and wide enough for what is done with it.
    fn part(&mut self, scope: &Scope, rank: u32) -> (Vec<Span>, u32) {
        let mut spans = vec![];
        let mut kept = 0;
        for place in 0..rank {
            let is_needed = kept == 0 && place + 1 == rank;
            if !is_needed && self.pick(2) == 0 {
                spans.push(one(self.index(scope)));
            } else {
                let first = self.index(scope);
                let step = if self.pick(4) == 0 { 2 } else { 1 };
                // A part of a part of every second index still has all that is named in it.
                let far = if scope.graphs > 1 { 6000 } else { 2000 };
                spans.push((first.clone(), format!("{first} + {far}"), step.to_string()));
                kept += 1;
            }
        }
        (spans, kept)
    }

    fn region(&mut self, depth: u32, mut scope: Scope) -> Region {
        let mut region = Region { blocks: vec![], edges: vec![] };
        for _ in 0..1 + self.pick(3) {
            match if depth == 0 { self.pick(3) } else { self.pick(9) } {
                1 => self.assignment(&mut region, &mut scope),
                3 => self.loop_region(&mut region, depth, &scope, false),
                4 => self.loop_region(&mut region, depth, &scope, true),
                5 => self.sizes_by_branch(&mut region, &mut scope),
                6 => self.branch(&mut region, depth, &scope),
                7 => self.while_region(&mut region, depth, &scope),
                _ => {
                    let state = self.state(&scope);
                    region.push(state);
                }
            }
        }
        region
    }

    /// A symbol that is set on the way to the next state, or changed.
    fn assignment(&mut self, region: &mut Region, scope: &mut Scope) {
        let (name, value) = match (self.pick(3), &scope.set[..]) {
            (0, [.., last]) => (last.clone(), format!("{last} + {}", 1 + self.names % 2)),
            _ => (self.name("t"), self.bound(scope)),
        };
        if region.blocks.is_empty() {
            region.push(empty_state());
        }
        let before = region.blocks.len() - 1;
        let after = region.push_alone(empty_state());
        region.edges.push(edge(before, after, &[(&name, &value)], "1"));
        if !scope.set.contains(&name) {
            scope.set.push(name.clone());
            scope.symbols.push(name);
        }
        let state = self.state(scope);
        region.push(state);
    }

    fn loop_region(&mut self, region: &mut Region, depth: u32, scope: &Scope, is_falling: bool) {
        let name = self.name("i");
        let (first, last) = match self.pick(2) {
            0 => ("0".to_owned(), self.bound(scope)),
            _ => (self.bound(scope), self.bound(scope)),
        };
        let step = 1 + self.pick(3);
        let inner = self.region(depth - 1, scope.with(&name));
        self.list_id += 1;
        let (init, condition, update) = if is_falling {
            (
                format!("{name} = {last} - 1"),
                format!("{name} >= {first}"),
                format!("{name} = {name} - {step}"),
            )
        } else {
            (
                format!("{name} = {first}"),
                format!("{name} < {last}"),
                format!("{name} = {name} + {step}"),
            )
        };
        let code = |text: String| json!({"string_data": text, "language": "Python"});
        let is_inverted = self.pick(8) == 0;
        region.push(json!({"type": "LoopRegion", "label": name, "cfg_list_id": self.list_id - 1,
            "attributes": {"loop_variable": name, "init_statement": code(init), "inverted": is_inverted,
                "loop_condition": code(condition), "update_statement": code(update)},
            "nodes": inner.blocks, "edges": inner.edges}));
    }

    /// A loop whose variable an edge before it sets and one in its body moves.
    fn while_region(&mut self, region: &mut Region, depth: u32, scope: &Scope) {
        let name = self.name("w");
        let (first, last) = (self.bound(scope), self.bound(scope));
        let (is_falling, step) = (self.pick(3) == 0, 1 + self.pick(3));
        let mut inner = self.region(depth - 1, scope.with(&name));
        let end = inner.push_alone(empty_state());
        let moved =
            if is_falling { format!("{name} - {step}") } else { format!("{name} + {step}") };
        inner.edges.push(edge(end - 1, end, &[(&name, &moved)], "1"));
        self.list_id += 1;
        let condition =
            if is_falling { format!("{name} > {last}") } else { format!("{name} < {last}") };
        let before = region.push(empty_state());
        let after = region.push_alone(json!({"type": "LoopRegion", "label": name,
            "cfg_list_id": self.list_id - 1, "attributes": {
                "loop_condition": {"string_data": condition, "language": "Python"}},
            "nodes": inner.blocks, "edges": inner.edges}));
        region.edges.push(edge(before, after, &[(&name, &first)], "1"));
    }

    /// A size that a condition on other sizes decides.
    fn sizes_by_branch(&mut self, region: &mut Region, scope: &mut Scope) {
        let name = self.name("k");
        let condition = format!("{} < {}", self.bound(scope), self.bound(scope));
        let [one, other] = [0, 1].map(|_| self.bound(scope));
        if self.pick(2) == 0 {
            let before = region.push(empty_state());
            let [first, second] = [0, 1].map(|_| region.push_alone(empty_state()));
            let after = region.push_alone(empty_state());
            region.edges.extend([
                edge(before, first, &[(&name, &one)], &condition),
                edge(before, second, &[(&name, &other)], &format!("not ({condition})")),
                edge(first, after, &[], "1"),
                edge(second, after, &[], "1"),
            ]);
        } else {
            let mut branch = |value: &str| {
                self.list_id += 1;
                json!({"type": "ControlFlowRegion", "label": "b", "cfg_list_id": self.list_id - 1,
                    "attributes": {}, "nodes": [empty_state(), empty_state()],
                    "edges": [edge(0, 1, &[(&name, value)], "1")]})
            };
            let branches = json!([
                [{"string_data": condition, "language": "Python"}, branch(&one)],
                [null, branch(&other)],
            ]);
            region.push(json!({"type": "ConditionalBlock", "label": "c", "attributes": {}, "branches": branches}));
        }
        scope.symbols.push(name);
        let state = self.state(scope);
        region.push(state);
    }

    fn branch(&mut self, region: &mut Region, depth: u32, scope: &Scope) {
        let condition = format!("{} < {}", self.bound(scope), self.bound(scope));
        let inner = self.region(depth - 1, scope.clone());
        self.list_id += 1;
        let body = json!({"type": "ControlFlowRegion", "label": "b", "cfg_list_id": self.list_id - 1,
            "attributes": {}, "nodes": inner.blocks, "edges": inner.edges});
        let branches = json!([[{"string_data": condition, "language": "Python"}, body]]);
        region.push(json!({"type": "ConditionalBlock", "label": "c", "attributes": {}, "branches": branches}));
    }
}
