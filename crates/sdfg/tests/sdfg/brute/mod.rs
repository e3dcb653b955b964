//! Runs an SDFG's JSON step by step, and counts: no sums, no closed forms, nothing of the model that
//! costs are worked out on. Only single expressions are read and evaluated by the crate's own code,
//! which is compared with sympy elsewhere.

pub(crate) mod nests;
pub(crate) mod random;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use sdfg::expr::{Bindings, Value as Number, parse};
use serde_json::Value;

/// What a run does.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Counted {
    /// Operations of tasklets: binary operators in their code.
    pub(crate) work: i128,
    /// Operations of tasklets where all count: also minima, comparisons and choices.
    pub(crate) every: i128,
    /// Runs of code that calls what nobody can look into.
    pub(crate) opaque: i128,
    /// Bytes of accesses to containers outside of scopes.
    pub(crate) moved: i128,
    /// Elements by `region/state/node/edge`, over all times.
    pub(crate) edges: BTreeMap<String, i128>,
    /// Those of all edges in `edges`: innermost ones, in states that were reached.
    pub(crate) innermost: BTreeSet<String>,
    /// Bytes of different elements.
    pub(crate) distinct: i128,
    /// Operations by name ran, which are not counted as work.
    pub(crate) has_library: bool,
    /// How often states ran, by `region/state`.
    pub(crate) states: BTreeMap<String, i128>,
}

/// Why a program cannot be run like this.
pub(crate) type Result<T> = std::result::Result<T, String>;

thread_local! {
    /// Containers that are accessed outside of scopes, by the address of their graph.
    static KNOWN: RefCell<HashMap<usize, BTreeSet<String>>> = RefCell::default();
}

/// Runs it with sizes.
pub(crate) fn run(root: &Value, sizes: &Bindings, most_steps: u64) -> Result<Counted> {
    KNOWN.with_borrow_mut(HashMap::clear);
    let mut runner = Runner {
        counted: Counted::default(),
        touched: BTreeSet::new(),
        left: most_steps,
        // As the programs of the tests have it: sizes are written alike inside and outside.
        hands_on_whole: text(root, "dace_version") == nests::WHOLE,
    };
    let mut symbols = sizes.clone();
    let globals = Arguments { names: BTreeMap::new(), is_in_scope: false };
    runner.graph(root, &mut symbols, &globals)?;
    runner.counted.distinct = runner.touched.iter().map(|(_, _, size)| *size).sum();
    Ok(runner.counted)
}

struct Runner {
    counted: Counted,
    /// Container, indices, bytes.
    touched: BTreeSet<(String, Vec<i128>, i128)>,
    left: u64,
    /// Whether a nested graph gets containers of its own layout whole, whatever part its edges name.
    hands_on_whole: bool,
}

/// What an inner graph's containers are outside; nothing for those of an iteration alone.
struct Arguments {
    names: BTreeMap<String, Option<Base>>,
    is_in_scope: bool,
}

/// Where a container's elements are: the container with the memory, and for each of its dimensions
/// where it begins and which dimension of the container runs through it.
#[derive(Clone)]
struct Base {
    root: String,
    bytes: i128,
    dimensions: Vec<Dimension>,
}

/// One of a base: where it begins, how far its indices are apart, and which dimension of the container
/// runs through it.
#[derive(Clone, Copy)]
struct Dimension {
    first: i128,
    step: i128,
    own: Option<usize>,
}

impl Base {
    fn at(&self, index: &[i128]) -> Vec<i128> {
        let of = |own: Option<usize>| own.and_then(|own| index.get(own).copied()).unwrap_or(0);
        self.dimensions.iter().map(|one| one.first + one.step * of(one.own)).collect()
    }
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or("")
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn number_of(expr: &str, symbols: &Bindings) -> Result<i128> {
    let value = parse(expr).map_err(|error| error.to_string())?.evaluate(symbols);
    let value = value.map_err(|error| format!("{expr}: {error}"))?;
    value.to_integer().ok_or_else(|| format!("{expr} is not a whole number"))
}

fn whole(value: &Value, symbols: &Bindings) -> Result<i128> {
    match value {
        Value::String(text) => number_of(text, symbols),
        Value::Number(number) => number.as_i64().map(i128::from).ok_or("a fraction".to_owned()),
        Value::Object(both) => whole(both.get("main").ok_or("an object")?, symbols),
        other => Err(format!("{other} is not an expression")),
    }
}

fn code(value: &Value) -> &str {
    value["string_data"].as_str().or_else(|| value.as_str()).unwrap_or("")
}

fn holds(condition: &str, symbols: &Bindings) -> Result<bool> {
    let condition = condition.trim();
    if matches!(condition, "" | "1" | "True" | "(1)") {
        return Ok(true);
    }
    let value = parse(condition).map_err(|error| error.to_string())?.evaluate(symbols);
    match value {
        Ok(Number::Exact(number)) => Ok(number != sdfg::expr::Number::from_integer(0)),
        other => Err(format!("{condition}: {other:?}")),
    }
}

/// A way that a region can end.
#[derive(PartialEq)]
enum End {
    Reached,
    Break,
    Continue,
    Return,
}

impl Runner {
    fn step(&mut self) -> Result<()> {
        self.left = self.left.checked_sub(1).ok_or("too many steps")?;
        Ok(())
    }

    /// Remembers the elements of a box.
    fn touch(&mut self, base: Option<Base>, part: &[Vec<i128>]) -> Result<()> {
        let Some(base) = base else { return Ok(()) };
        let count: usize = part.iter().map(Vec::len).product();
        for number in 0..count {
            self.step()?;
            let mut rest = number;
            let index: Vec<i128> = part
                .iter()
                .map(|span| {
                    let own = span[rest % span.len()];
                    rest /= span.len();
                    own
                })
                .collect();
            self.touched.insert((base.root.clone(), base.at(&index), base.bytes));
        }
        Ok(())
    }

    fn graph(&mut self, graph: &Value, symbols: &mut Bindings, around: &Arguments) -> Result<()> {
        for (name, constant) in
            graph["attributes"]["constants_prop"].as_object().into_iter().flatten()
        {
            if let Ok(value) = whole(&constant[1], symbols) {
                symbols.insert(name.clone(), value);
            }
        }
        self.blocks(graph, graph, symbols, around).map(|_| ())
    }

    fn blocks(
        &mut self,
        graph: &Value,
        region: &Value,
        symbols: &mut Bindings,
        around: &Arguments,
    ) -> Result<End> {
        let blocks = list(region, "nodes");
        let edges = list(region, "edges");
        let id = |value: &Value| text(value, "dst").parse::<usize>().unwrap_or(usize::MAX);
        let targets: BTreeSet<usize> = edges.iter().map(id).collect();
        let sources: Vec<usize> =
            (0..blocks.len()).filter(|place| !targets.contains(place)).collect();
        let told = region.get("start_block").or(region.get("start_state"));
        let told = told.and_then(|told| told.as_u64().or_else(|| told.as_str()?.parse().ok()));
        let mut at = match (&sources[..], told) {
            ([only], _) => *only,
            (_, Some(told)) => told as usize,
            (_, None) if blocks.is_empty() => return Ok(End::Reached),
            (_, None) => return Err("no start".to_owned()),
        };
        loop {
            self.step()?;
            match self.block(graph, region, at, symbols, around)? {
                End::Reached => {}
                other => return Ok(other),
            }
            let leaving = edges.iter().filter(|edge| text(edge, "src").parse() == Ok(at));
            let mut next = None;
            for edge in leaving {
                let attributes = &edge["attributes"]["data"]["attributes"];
                if holds(code(&attributes["condition"]), symbols)? {
                    next = Some((id(edge), attributes));
                    break;
                }
            }
            let Some((target, attributes)) = next else { return Ok(End::Reached) };
            let mut changed = vec![];
            for (name, value) in attributes["assignments"].as_object().into_iter().flatten() {
                // What random programs read decides nothing.
                let is_read = name.strip_prefix("read").is_some();
                match value.as_str().and_then(element).filter(|_| is_read) {
                    Some((data, index)) => {
                        self.read(graph, data, number_of(index, symbols)?, symbols, around)?
                    }
                    None => changed.push((name.clone(), whole(value, symbols)?)),
                }
            }
            symbols.extend(changed);
            at = target;
        }
    }

    /// An element that control flow reads.
    fn read(
        &mut self,
        graph: &Value,
        data: &str,
        index: i128,
        symbols: &Bindings,
        around: &Arguments,
    ) -> Result<()> {
        let none = serde_json::json!({});
        let bytes = size_of(&graph["attributes"]["_arrays"][data]["attributes"]["dtype"])?;
        let is_argument = around.names.is_empty() && !around.is_in_scope;
        let root = match State::new(&none, graph, "")?.root(data, symbols, around)? {
            // An argument of the program, which no state need access.
            None if is_argument => Some(Base {
                root: format!("{}.{data}", text(&graph["attributes"], "name")),
                bytes,
                dimensions: vec![Dimension { first: 0, step: 1, own: Some(0) }],
            }),
            root => root,
        };
        if root.is_some() {
            self.counted.moved += bytes;
        }
        self.touch(root, &[vec![index]])
    }

    fn block(
        &mut self,
        graph: &Value,
        region: &Value,
        place: usize,
        symbols: &mut Bindings,
        around: &Arguments,
    ) -> Result<End> {
        let block = &list(region, "nodes")[place];
        let attributes = &block["attributes"];
        match text(block, "type") {
            "SDFGState" => {
                let list_id = ["cfg_list_id", "sdfg_list_id"]
                    .iter()
                    .find_map(|key| region.get(key)?.as_i64());
                let id = format!("{}/{place}", list_id.unwrap_or(0));
                *self.counted.states.entry(id.clone()).or_default() += 1;
                // Each program is run once: what is at an address stays there.
                State::new(block, graph, &id)?.run(self, symbols, around)?;
                Ok(End::Reached)
            }
            "BreakBlock" => Ok(End::Break),
            "ContinueBlock" => Ok(End::Continue),
            "ReturnBlock" => Ok(End::Return),
            "ConditionalBlock" => {
                for branch in list(block, "branches") {
                    if branch[0].is_null() || holds(code(&branch[0]), symbols)? {
                        return self.blocks(graph, &branch[1], symbols, around);
                    }
                }
                Ok(End::Reached)
            }
            "LoopRegion" => {
                let assign = |code: &str, symbols: &mut Bindings| -> Result<()> {
                    let (name, value) = code.split_once('=').ok_or("no assignment")?;
                    let value = number_of(value.trim().trim_end_matches(';'), symbols)?;
                    symbols.insert(name.trim().to_owned(), value);
                    Ok(())
                };
                let condition = code(&attributes["loop_condition"]).to_owned();
                let update = code(&attributes["update_statement"]);
                if !code(&attributes["init_statement"]).is_empty() {
                    assign(code(&attributes["init_statement"]), symbols)?;
                }
                let is_inverted = attributes["inverted"].as_bool().unwrap_or(false);
                let updates_first = attributes["update_before_condition"].as_bool().unwrap_or(true);
                let mut is_first = true;
                loop {
                    self.step()?;
                    let asks_here = !is_inverted || updates_first && !is_first;
                    if asks_here && !holds(&condition, symbols)? {
                        break;
                    }
                    is_first = false;
                    match self.blocks(graph, block, symbols, around)? {
                        End::Break => break,
                        End::Return => return Ok(End::Return),
                        End::Reached | End::Continue => {}
                    }
                    if is_inverted && !updates_first && !holds(&condition, symbols)? {
                        break;
                    }
                    if !update.is_empty() {
                        assign(update, symbols)?;
                    }
                }
                Ok(End::Reached)
            }
            "ControlFlowRegion" | "NamedRegion" | "FunctionCallRegion" => {
                self.blocks(graph, block, symbols, around)
            }
            other => Err(format!("a block {other}")),
        }
    }
}

struct State<'v> {
    graph: &'v Value,
    nodes: &'v [Value],
    edges: &'v [Value],
    /// The entry around each node; an exit is in its entry's scope.
    scope: Vec<Option<usize>>,
    order: Vec<usize>,
    id: &'v str,
    /// Views of this state, by name.
    views: BTreeMap<&'v str, (&'v str, &'v Value)>,
}

/// Container and index of `data[index]`.
fn element(text: &str) -> Option<(&str, &str)> {
    text.strip_suffix(']')?.split_once('[')
}

fn end(edge: &Value, key: &str) -> usize {
    text(edge, key).parse().unwrap_or(usize::MAX)
}

impl<'v> State<'v> {
    fn new(state: &'v Value, graph: &'v Value, id: &'v str) -> Result<State<'v>> {
        let (nodes, edges) = (list(state, "nodes"), list(state, "edges"));
        let mut waiting = vec![0; nodes.len()];
        edges.iter().for_each(|edge| waiting[end(edge, "dst")] += 1);
        let mut order: Vec<usize> = (0..nodes.len()).filter(|&node| waiting[node] == 0).collect();
        let mut scope: Vec<Option<usize>> = vec![None; nodes.len()];
        let is_entry = |node: usize| text(&nodes[node], "type").ends_with("Entry");
        let is_exit = |node: usize| text(&nodes[node], "type").ends_with("Exit");
        let mut done = 0;
        while let Some(&node) = order.get(done) {
            done += 1;
            let inside = if is_entry(node) {
                Some(node)
            } else if is_exit(node) {
                scope[node].and_then(|entry| scope[entry])
            } else {
                scope[node]
            };
            for edge in edges.iter().filter(|edge| end(edge, "src") == node) {
                let target = end(edge, "dst");
                if scope[target].is_none() || inside.is_some() && is_exit(target) {
                    scope[target] = scope[target].or(inside);
                }
                waiting[target] -= 1;
                if waiting[target] == 0 {
                    order.push(target);
                }
            }
        }
        if order.len() != nodes.len() {
            return Err("a cycle".to_owned());
        }
        let mut views = BTreeMap::new();
        for edge in edges {
            let data = |key: &str| text(&nodes[end(edge, key)]["attributes"], "data");
            let memlet = &edge["attributes"]["data"]["attributes"];
            let (view, of) = if text(edge, "dst_connector") == "views" {
                (data("dst"), data("src"))
            } else if text(edge, "src_connector") == "views" {
                (data("src"), data("dst"))
            } else {
                continue;
            };
            let key = if text(memlet, "data") == of { "subset" } else { "other_subset" };
            views.insert(view, (of, &memlet[key]));
        }
        Ok(State { graph, nodes, edges, scope, order, id, views })
    }

    fn run(&self, runner: &mut Runner, symbols: &Bindings, around: &Arguments) -> Result<()> {
        self.inside(runner, None, symbols, around)
    }

    /// Once through a scope.
    fn inside(
        &self,
        runner: &mut Runner,
        scope: Option<usize>,
        symbols: &Bindings,
        around: &Arguments,
    ) -> Result<()> {
        runner.step()?;
        let is_exit = |node: usize| text(&self.nodes[node], "type").ends_with("Exit");
        for &node in &self.order {
            if self.scope[node] != scope || is_exit(node) {
                continue;
            }
            let attributes = &self.nodes[node]["attributes"];
            match text(&self.nodes[node], "type") {
                "Tasklet" => {
                    let code = code(&attributes["code"]);
                    runner.counted.work += most(code, operations);
                    runner.counted.opaque += i128::from(code.contains("foreign("));
                    let chooses = i128::from(code.contains(" if "));
                    runner.counted.every += chooses + most(code, every_operation);
                    for edge in self.edges.iter().filter(|edge| end(edge, "src") == node) {
                        let memlet = &edge["attributes"]["data"]["attributes"];
                        let combined = text(memlet, "wcr");
                        let body = combined.rsplit_once(':').map_or("", |(_, body)| body);
                        runner.counted.work += operations(&format!("o = {body}"));
                        runner.counted.every += every_operation(&format!("o = {body}"));
                    }
                }
                "MapEntry" => self.iterate(runner, node, 0, symbols, around)?,
                "AccessNode" => {}
                "LibraryNode" => runner.counted.has_library = true,
                "NestedSDFG" => self.nested(runner, node, symbols, around)?,
                other => return Err(format!("a node {other}")),
            }
        }
        for (place, edge) in self.edges.iter().enumerate() {
            let source = end(edge, "src");
            let kind = text(&self.nodes[source], "type");
            let own = if kind.ends_with("Entry") {
                Some(source)
            } else if kind.ends_with("Exit") {
                self.scope[source].and_then(|entry| self.scope[entry])
            } else {
                self.scope[source]
            };
            if own == scope {
                self.edge(runner, place, symbols, around)?;
            }
        }
        Ok(())
    }

    fn iterate(
        &self,
        runner: &mut Runner,
        entry: usize,
        place: usize,
        symbols: &Bindings,
        around: &Arguments,
    ) -> Result<()> {
        let attributes = &self.nodes[entry]["attributes"];
        let Some(name) = list(attributes, "params").get(place) else {
            return self.inside(runner, Some(entry), symbols, around);
        };
        let range = &list(&attributes["range"], "ranges")[place];
        let mut symbols = symbols.clone();
        for value in dimension(range, &symbols)? {
            runner.step()?;
            symbols.insert(name.as_str().unwrap_or("").to_owned(), value);
            self.iterate(runner, entry, place + 1, &symbols, around)?;
        }
        Ok(())
    }

    fn nested(
        &self,
        runner: &mut Runner,
        node: usize,
        symbols: &Bindings,
        around: &Arguments,
    ) -> Result<()> {
        let attributes = &self.nodes[node]["attributes"];
        let mut inner = Bindings::new();
        for (name, value) in attributes["symbol_mapping"].as_object().into_iter().flatten() {
            inner.insert(name.clone(), whole(value, symbols)?);
        }
        let graph = &attributes["sdfg"];
        let mut names = BTreeMap::new();
        for edge in self.edges {
            let data = text(&edge["attributes"]["data"]["attributes"], "data");
            let subset = &edge["attributes"]["data"]["attributes"]["subset"];
            let part = |connector: &str| -> Result<Option<Base>> {
                let Some(base) = self.root(data, symbols, around)? else { return Ok(None) };
                let layout = |graph: &Value, name: &str| {
                    let own = &graph["attributes"]["_arrays"][name]["attributes"];
                    (own["shape"].clone(), own["strides"].clone())
                };
                let connector = text(edge, connector);
                if runner.hands_on_whole && layout(self.graph, data) == layout(graph, connector) {
                    return Ok(Some(base));
                }
                within(&base, subset, symbols).map(Some)
            };
            if end(edge, "dst") == node {
                names.insert(text(edge, "dst_connector").to_owned(), part("dst_connector")?);
            }
            if end(edge, "src") == node {
                names.insert(text(edge, "src_connector").to_owned(), part("src_connector")?);
            }
        }
        let is_in_scope = around.is_in_scope || self.scope[node].is_some();
        runner.graph(graph, &mut inner, &Arguments { names, is_in_scope })
    }

    /// The container with the memory; nothing where each iteration has its own.
    fn root(&self, data: &str, symbols: &Bindings, around: &Arguments) -> Result<Option<Base>> {
        if let Some((viewed, subset)) = self.views.get(data) {
            let Some(base) = self.root(viewed, symbols, around)? else { return Ok(None) };
            return within(&base, subset, symbols).map(Some);
        }
        if let Some(outer) = around.names.get(data) {
            return Ok(outer.clone());
        }
        if around.is_in_scope || !self.used_outside(data) {
            return Ok(None);
        }
        let container = &self.graph["attributes"]["_arrays"][data.split('.').next().unwrap_or("")];
        let rank = list(&container["attributes"], "shape").len().max(1);
        Ok(Some(Base {
            root: format!("{}.{data}", text(&self.graph["attributes"], "name")),
            bytes: size_of(&container["attributes"]["dtype"])?,
            dimensions: (0..rank)
                .map(|place| Dimension { first: 0, step: 1, own: Some(place) })
                .collect(),
        }))
    }

    /// Whether a container is accessed outside of scopes in any state of the graph.
    fn used_outside(&self, data: &str) -> bool {
        let found = || {
            let mut found = BTreeSet::new();
            for state in all_states(self.graph) {
                let Ok(state) = State::new(state, self.graph, "") else { continue };
                let kind = |node: usize| text(&state.nodes[node], "type");
                for node in 0..state.nodes.len() {
                    if state.scope[node].is_none() && kind(node) == "AccessNode" {
                        found.insert(text(&state.nodes[node]["attributes"], "data").to_owned());
                    }
                }
                for edge in state.edges {
                    let (source, target) = (end(edge, "src"), end(edge, "dst"));
                    let is_code = |node: usize| matches!(kind(node), "Tasklet" | "LibraryNode");
                    if is_code(source) && is_code(target) && state.scope[source].is_none() {
                        let memlet = &edge["attributes"]["data"]["attributes"];
                        found.insert(text(memlet, "data").to_owned());
                    }
                }
            }
            found
        };
        let graph = std::ptr::from_ref(self.graph) as usize;
        KNOWN.with_borrow_mut(|known| known.entry(graph).or_insert_with(found).contains(data))
    }

    fn edge(
        &self,
        runner: &mut Runner,
        place: usize,
        symbols: &Bindings,
        around: &Arguments,
    ) -> Result<()> {
        let edge = &self.edges[place];
        let memlet = &edge["attributes"]["data"]["attributes"];
        let (source, target) = (end(edge, "src"), end(edge, "dst"));
        let kind = |node: usize| text(&self.nodes[node], "type");
        let is_seam = [text(edge, "src_connector"), text(edge, "dst_connector")].contains(&"views");
        let is_inside = |node: usize, connector: &str| {
            kind(node) == "NestedSDFG" && {
                let graph = &self.nodes[node]["attributes"]["sdfg"];
                let name = text(edge, connector);
                all_states(graph).into_iter().any(|state| {
                    list(state, "nodes").iter().any(|node| {
                        text(node, "type") == "AccessNode"
                            && text(&node["attributes"], "data") == name
                    })
                })
            }
        };
        let is_nested = is_inside(source, "src_connector") || is_inside(target, "dst_connector");
        let is_around = kind(source).ends_with("Exit")
            || kind(target).ends_with("Entry") && text(edge, "dst_connector").starts_with("IN_");
        if memlet["data"].is_null() || is_seam || is_nested || is_around {
            return Ok(());
        }
        if memlet["dynamic"].as_bool().unwrap_or(false) {
            return Err("a dynamic memlet".to_owned());
        }
        let data = text(memlet, "data");
        let own = indices(&memlet["subset"], symbols)?;
        let is_nothing = own.iter().any(Vec::is_empty);
        let elements = if is_nothing { 0 } else { whole(&memlet["volume"], symbols)?.max(0) };
        let container = &self.graph["attributes"]["_arrays"][data.split('.').next().unwrap_or("")];
        let bytes = size_of(&container["attributes"]["dtype"])?;
        let id = format!("{}/{place}", self.id);
        runner.counted.innermost.insert(id.clone());
        *runner.counted.edges.entry(id).or_default() += elements;
        let ends = [(source, "src"), (target, "dst")];
        let at_ends = ends
            .iter()
            .filter(|&&(node, _)| kind(node) == "AccessNode")
            .map(|&(node, _)| text(&self.nodes[node]["attributes"], "data"));
        let far = self.far(edge);
        let far: Vec<&str> = far.into_iter().chain(at_ends).collect();
        let mut is_lasting = false;
        for name in std::iter::once(data).chain(far.iter().copied()) {
            is_lasting |= self.root(name, symbols, around)?.is_some();
        }
        if is_lasting {
            runner.counted.moved += elements * bytes;
        }
        runner.touch(self.root(data, symbols, around)?, &own)?;
        if let Some(other) = far.iter().find(|name| **name != data) {
            let subset = match memlet.get("other_subset") {
                Some(subset) if !subset.is_null() => indices(subset, symbols)?,
                _ => own.iter().map(|span| (0..span.len() as i128).collect()).collect(),
            };
            runner.touch(self.root(other, symbols, around)?, &subset)?;
        }
        Ok(())
    }

    /// Containers at the ends of the ways out of scopes.
    fn far(&self, edge: &'v Value) -> Vec<&'v str> {
        let mut found = vec![];
        for is_source in [true, false] {
            let mut one = edge;
            for _ in 0..self.nodes.len() {
                let (own, own_connector, back, back_connector, from, to) = if is_source {
                    ("src", "src_connector", "dst", "dst_connector", "OUT_", "IN_")
                } else {
                    ("dst", "dst_connector", "src", "src_connector", "IN_", "OUT_")
                };
                let node = &self.nodes[end(one, own)];
                if text(node, "type") == "AccessNode" {
                    found.push(text(&node["attributes"], "data"));
                    break;
                }
                let Some(name) = text(one, own_connector).strip_prefix(from) else { break };
                let wanted = format!("{to}{name}");
                let next = self.edges.iter().find(|next| {
                    end(next, back) == end(one, own) && text(next, back_connector) == wanted
                });
                let Some(next) = next else { break };
                one = next;
            }
        }
        found
    }
}

fn all_states(region: &Value) -> Vec<&Value> {
    let mut found = vec![];
    for block in list(region, "nodes") {
        if text(block, "type") == "SDFGState" {
            found.push(block);
        } else {
            found.extend(all_states(block));
            for branch in list(block, "branches") {
                found.extend(all_states(&branch[1]));
            }
        }
    }
    found
}

/// The indices of each dimension of a subset.
fn indices(subset: &Value, symbols: &Bindings) -> Result<Vec<Vec<i128>>> {
    if text(subset, "type") != "Range" {
        return Err(format!("a subset {}", text(subset, "type")));
    }
    list(subset, "ranges").iter().map(|range| dimension(range, symbols)).collect()
}

/// A part of a container as one of its own: dimensions of one index are left out, unless all are.
fn within(base: &Base, subset: &Value, symbols: &Bindings) -> Result<Base> {
    if text(subset, "type") != "Range" {
        return Err(format!("a subset {}", text(subset, "type")));
    }
    let ranges = list(subset, "ranges");
    let is_kept = |range: &Value| range["start"] != range["end"];
    let are_all = !ranges.iter().any(is_kept);
    let mut own = 0;
    let mut spans = vec![];
    for range in ranges {
        let step = range.get("step").map_or(Ok(1), |step| whole(step, symbols))?;
        let place = (is_kept(range) || are_all).then(|| {
            own += 1;
            own - 1
        });
        spans.push(Dimension { first: whole(&range["start"], symbols)?, step, own: place });
    }
    let none = Dimension { first: 0, step: 1, own: None };
    let dimensions = base.dimensions.iter().map(|outer| match outer.own {
        Some(place) => {
            let inner = spans.get(place).copied().unwrap_or(none);
            Dimension {
                first: outer.first + outer.step * inner.first,
                step: outer.step * inner.step,
                own: inner.own,
            }
        }
        None => *outer,
    });
    Ok(Base { dimensions: dimensions.collect(), ..base.clone() })
}

/// The values of a range.
fn dimension(range: &Value, symbols: &Bindings) -> Result<Vec<i128>> {
    let (first, last) = (whole(&range["start"], symbols)?, whole(&range["end"], symbols)?);
    let step = range.get("step").map_or(Ok(1), |step| whole(step, symbols))?;
    let tile = range.get("tile").map_or(Ok(1), |tile| whole(tile, symbols))?;
    if tile != 1 || step == 0 {
        return Err("a tile or a step of 0".to_owned());
    }
    let mut values = vec![];
    let mut value = first;
    while if step > 0 { value <= last } else { value >= last } {
        values.push(value);
        value += step;
        if values.len() > 100_000 {
            return Err("too many values".to_owned());
        }
    }
    Ok(values)
}

fn size_of(dtype: &Value) -> Result<i128> {
    match dtype.as_str() {
        None if dtype.is_null() => Ok(4),
        Some("bool" | "int8" | "uint8") => Ok(1),
        Some("int16" | "uint16" | "float16") => Ok(2),
        Some("int32" | "uint32" | "float32") => Ok(4),
        Some("int64" | "uint64" | "float64" | "complex64") => Ok(8),
        Some("complex128") => Ok(16),
        _ => Err(format!("the type {dtype}")),
    }
}

/// Binary operators of simple code: `b = a * 2 + c`.
fn operations(code: &str) -> i128 {
    let mut count = 0;
    for line in code.lines() {
        let Some((_, value)) = line.split_once('=') else { continue };
        let mut previous = '=';
        for c in value.chars().filter(|c| !c.is_whitespace()) {
            if "+-*/".contains(c) && !"+-*/(=".contains(previous) {
                count += 1;
            }
            previous = c;
        }
    }
    count
}

/// The most that a run of code of one line counts: of `a if c else b` the condition and the larger of
/// the others.
fn most(code: &str, count: impl Fn(&str) -> i128) -> i128 {
    let branches = code.split_once(" = ").and_then(|(_, value)| {
        let (body, rest) = value.split_once(" if ")?;
        let (condition, other) = rest.split_once(" else ")?;
        Some([body, condition, other].map(|part| count(&format!("o = {part}"))))
    });
    branches.map_or_else(|| count(code), |[body, condition, other]| condition + body.max(other))
}

/// Every operation of code of one line, with spaces around its operators: `b = max(a, 2) if a < c else a`.
fn every_operation(code: &str) -> i128 {
    let mut count = operations(code);
    let words: Vec<&str> = code.split_whitespace().collect();
    let choices = ["<", ">", "<=", ">=", "==", "!=", "and", "or", "if"];
    count += words.iter().filter(|word| choices.contains(word)).count() as i128;
    let mut names = vec![];
    let (mut name, mut commas) = (String::new(), vec![]);
    for c in code.chars() {
        match c {
            '(' => {
                names.push(std::mem::take(&mut name));
                commas.push(0);
            }
            ',' => commas.iter_mut().last().into_iter().for_each(|count| *count += 1),
            ')' => {
                let separators = commas.pop().unwrap_or(0);
                count += match &*names.pop().unwrap_or_default() {
                    "" | "dace.float64" => 0,
                    "min" | "max" => separators,
                    _ => 1,
                };
            }
            _ => {}
        }
        if c.is_alphanumeric() || c == '.' || c == '_' {
            name.push(c);
        } else {
            name.clear();
        }
    }
    count
}
