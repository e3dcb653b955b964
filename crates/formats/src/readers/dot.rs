//! Call graphs drawn in Graphviz' DOT language, as gprof2dot and pprof (see `pprof`) write
//! them.
//!
//! A node's label has a line for the module (perhaps) and the name, then the share of the total,
//! the own share in brackets and the number of calls; an edge's label has share and calls. All
//! else of the drawing is ignored. Call paths are estimated (see `call_graph`).

use hashbrown::HashMap;
use profile::{
    Combine, Combining, LocationId, MemberId, Metric, Place as CodePlace, Point, Profile,
    ProfileBuilder,
};

mod pprof;

use crate::graph::call_graph::{CallGraph, Node, Totals};
use crate::input::stream::Stream;
use crate::numbers::combining::SHARE;
use crate::numbers::decimal::Decimal;
use crate::{About, Format, Place, ReadError, ReadOptions, Reader, Sniff, Warnings};

pub(crate) const FORMAT: Format = Format {
    name: "gprof2dot",
    title: "gprof2dot or pprof call graph (.dot)",
    extensions: &["dot", "gv"],
    about: About {
        carries: "own and total shares in percent, calls, functions, modules, files",
        estimates: "call paths, from callers and callees; own and total shares of functions are \
                    those of the drawing",
        skips: "the drawing",
        checked_against: "the formats that gprof2dot made the graphs from, pprof -top",
    },
    reader: Some(Reader { sniff, read }),
    folder: None,
    writer: None,
};

fn sniff(head: &[u8], _: &str) -> Sniff {
    let text = String::from_utf8_lossy(head);
    let mut start = text.trim_start();
    if let Some((_, rest)) = start.strip_prefix("/*").and_then(|comment| comment.split_once("*/")) {
        start = rest.trim_start();
    }
    let start = start.trim_start_matches("strict").trim_start();
    let is_digraph = start
        .strip_prefix("digraph")
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_whitespace() || c == '{'));
    let is_pprof = text.contains("id=\"node") && text.contains("%)\"");
    if is_digraph && text.contains("label=") && (text.contains("%\\n(") || is_pprof) {
        Sniff::Yes
    } else {
        Sniff::No
    }
}

fn read(
    mut stream: Stream,
    options: &ReadOptions,
    warnings: &mut Warnings,
) -> Result<Profile, ReadError> {
    let bytes = stream.read_to_end(options)?;
    let text = String::from_utf8_lossy(&bytes);
    let mut tokens = Tokens { text: &text, at: 0 };
    let mut drawing = Drawing {
        builder: ProfileBuilder::new(vec![
            Metric {
                name: "share".to_owned(),
                unit: "percent".to_owned(),
                decimals: 2,
                // A drawing has one time.
                combining: Combining { time: Combine::Sum, ..SHARE },
                ..Metric::default()
            },
            Metric {
                name: "calls".to_owned(),
                unit: "count".to_owned(),
                decimals: 0,
                ..Metric::default()
            },
        ]),
        graph: CallGraph::new(1),
        nodes: HashMap::new(),
        edges: vec![],
        amounts: pprof::Amounts::default(),
    };
    // Statements are `id -> id -> … [attributes]`; `{`, `}`, `;` and new words part them.
    while let Some(token) = tokens.next()? {
        let Token::Word(first) = token else { continue };
        let mut ends = vec![first];
        let mut attributes = Attributes::default();
        loop {
            let before = tokens.at;
            match tokens.next()? {
                Some(Token::Arrow) => {
                    if let Some(Token::Word(next)) = tokens.next()? {
                        ends.push(next);
                    }
                }
                Some(Token::Sign('[')) => attributes = tokens.attributes()?,
                Some(Token::Sign('=')) => {
                    // `tooltip=" "` of the graph itself.
                    tokens.next()?;
                    ends.clear();
                }
                _ => {
                    tokens.at = before;
                    break;
                }
            }
        }
        drawing.statement(&ends, &attributes, warnings);
        let held = drawing.builder.heap_bytes() + drawing.graph.heap_bytes();
        options.check_memory(bytes.len() + held)?;
    }
    drawing.finish(warnings)
}

/// What a node or edge says of itself.
#[derive(Default)]
struct Attributes {
    label: String,
    tooltip: String,
}

struct Drawing {
    builder: ProfileBuilder,
    graph: CallGraph,
    nodes: HashMap<String, (Node, LocationId)>,
    /// Edges, which may come before their nodes.
    edges: Vec<(String, String, Label)>,
    /// What amounts are of the total, in pprof's drawings.
    amounts: pprof::Amounts,
}

impl Drawing {
    fn statement(&mut self, ends: &[String], attributes: &Attributes, warnings: &mut Warnings) {
        let label = Label::new(&attributes.label);
        let pprof = pprof::Node::new(attributes);
        match ends {
            [] => {}
            [word]
                if ["digraph", "graph", "node", "edge", "subgraph", "strict"]
                    .contains(&&**word) => {}
            [_] if attributes.label.is_empty() => {}
            [id] if pprof.is_some() && !self.nodes.contains_key(id) => {
                let Some(node) = pprof else { return };
                self.amounts.learn(&node);
                let place = CodePlace { function: &node.name, ..CodePlace::default() };
                let at = self.builder.place(&place);
                let to = self.graph.function(at);
                self.graph.add_self(to, at, &[node.own]);
                self.graph.set_total(to, &[node.total]);
                self.nodes.insert(id.clone(), (to, at));
            }
            [id] => {
                let Some(own) = label.own else {
                    warnings.add("node", || {
                        format!("nodes without shares in their labels are skipped, as {id:?}")
                    });
                    return;
                };
                if self.nodes.contains_key(id) {
                    warnings.add("again", || format!("the node {id:?} is drawn twice"));
                    return;
                }
                let at = label.place(&mut self.builder, &attributes.tooltip);
                let node = self.graph.function(at);
                self.graph.add_self(node, at, &[own]);
                if let Some(total) = label.total {
                    self.graph.set_total(node, &[total]);
                }
                self.graph.add_calls_from_outside(node, label.calls);
                self.nodes.insert(id.clone(), (node, at));
            }
            _ => {
                for pair in ends.windows(2) {
                    let label = Label { amount: pprof::amount(&attributes.label), ..label.clone() };
                    self.edges.push((pair[0].clone(), pair[1].clone(), label));
                }
            }
        }
    }

    fn finish(mut self, warnings: &mut Warnings) -> Result<Profile, ReadError> {
        FORMAT.name.clone_into(&mut self.builder.origin.format);
        if self.nodes.is_empty() {
            let reason = "no node has a share in its label: it is not a call graph".to_owned();
            return Err(ReadError::Malformed { format: FORMAT.name, place: Place(0), reason });
        }
        for (from, to, label) in &self.edges {
            let (Some(&(from, site)), Some(&(to, _))) = (self.nodes.get(from), self.nodes.get(to))
            else {
                warnings.add("edge", || format!("the edge {from:?} -> {to:?} leads nowhere"));
                continue;
            };
            let total = label.total.or_else(|| self.amounts.share(label.amount?));
            self.graph.add_calls(from, site, to, label.calls, &[total.unwrap_or(0)]);
            self.graph.add_calls_from_outside(to, label.calls.saturating_neg());
        }
        let mut totals = Totals::default();
        totals.take_stored(&mut self.graph, MemberId(0), &self.builder, warnings);
        totals.finish(1, &mut self.builder);
        self.graph.estimate(&mut self.builder, Point::default(), warnings);
        Ok(self.builder.finish())
    }
}

/// The lines of a label, told apart.
#[derive(Debug, Clone, Default)]
struct Label {
    names: Vec<String>,
    /// Shares in hundredths of a percent.
    total: Option<i64>,
    own: Option<i64>,
    calls: i64,
    /// What an edge of pprof has, without its unit.
    amount: Option<f64>,
}

impl Label {
    fn new(text: &str) -> Label {
        let mut label = Label::default();
        for line in text.split('\n') {
            let share = |text: &str| Decimal::parse_local(text.strip_suffix('%')?)?.to_scaled(2);
            let inner = line.strip_prefix('(').and_then(|line| line.strip_suffix(')'));
            if let Some(total) = share(line) {
                label.total = Some(total);
            } else if let (Some(own), Some(_)) = (inner.and_then(share), label.total) {
                label.own = Some(own);
            } else if let Some(Ok(calls)) = line.strip_suffix('×').map(str::parse) {
                label.calls = calls;
            } else if label.total.is_none() {
                label.names.push(line.to_owned());
            }
        }
        // The module stands alone on the first line; long names are broken over several.
        label
    }

    /// The place of a node. Python's functions are called `module:line:function`, and the tooltip
    /// is their file.
    fn place(&self, builder: &mut ProfileBuilder, tooltip: &str) -> LocationId {
        let (module, name) = match &self.names[..] {
            [module, rest @ ..] if !rest.is_empty() => (module.as_str(), rest.join(" ")),
            names => ("", names.concat()),
        };
        let by_line = || {
            let (file, rest) = name.split_once(':')?;
            let (line, function) = rest.split_once(':')?;
            let is_file = tooltip == file || profile::base_name(tooltip).starts_with(file);
            let line: u32 = line.parse().ok()?;
            is_file.then_some((line, function))
        };
        match by_line() {
            Some((start_line, function)) => builder.place(&CodePlace {
                function,
                file: if tooltip == "~" { "" } else { tooltip },
                start_line,
                module,
                ..CodePlace::default()
            }),
            // Some tools give the source file in the module's stead.
            None if module.ends_with(".py") || module.starts_with('<') => {
                builder.place(&CodePlace { function: &name, file: module, ..CodePlace::default() })
            }
            None => builder.place(&CodePlace { function: &name, module, ..CodePlace::default() }),
        }
    }
}

enum Token {
    /// A name, a number or a quoted text.
    Word(String),
    Arrow,
    Sign(char),
}

struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

impl Tokens<'_> {
    fn next(&mut self) -> Result<Option<Token>, ReadError> {
        loop {
            let rest = &self.text[self.at..];
            let Some(first) = rest.chars().next() else { return Ok(None) };
            let comment = match () {
                () if rest.starts_with("//") || rest.starts_with('#') => Some("\n"),
                () if rest.starts_with("/*") => Some("*/"),
                () => None,
            };
            if let Some(end) = comment {
                self.at += rest.find(end).map_or(rest.len(), |at| at + end.len());
            } else if first.is_whitespace() || first == ';' {
                self.at += first.len_utf8();
            } else if rest.starts_with("->") || rest.starts_with("--") {
                self.at += 2;
                return Ok(Some(Token::Arrow));
            } else if first == '"' {
                return self.quoted().map(|text| Some(Token::Word(text)));
            } else if first.is_alphanumeric() || matches!(first, '_' | '.' | '-') {
                let is_end = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'));
                let end = rest[first.len_utf8()..].find(is_end);
                let end = end.map_or(rest.len(), |end| end + first.len_utf8());
                self.at += end;
                return Ok(Some(Token::Word(rest[..end].to_owned())));
            } else {
                self.at += first.len_utf8();
                return Ok(Some(Token::Sign(first)));
            }
        }
    }

    /// `"…"` with `\n` for a line break, and `\` before any other character for itself.
    fn quoted(&mut self) -> Result<String, ReadError> {
        let start = self.at;
        let mut text = String::new();
        let mut chars = self.text[start + 1..].char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.at = start + 1 + at + 1;
                    return Ok(text);
                }
                '\\' => match chars.next() {
                    Some((_, 'n' | 'l' | 'r')) => text.push('\n'),
                    Some((_, '\n')) | None => {}
                    Some((_, c)) => text.push(c),
                },
                c => text.push(c),
            }
        }
        Err(ReadError::Truncated {
            format: FORMAT.name,
            place: Place(self.text.len() as u64),
            reason: format!("in the text that starts at {}", Place(start as u64)),
        })
    }

    /// `key=value, …]`
    fn attributes(&mut self) -> Result<Attributes, ReadError> {
        let mut attributes = Attributes::default();
        let mut key = String::new();
        let mut is_value = false;
        while let Some(token) = self.next()? {
            match token {
                Token::Sign(']') => break,
                Token::Sign('=') => is_value = true,
                Token::Word(word) if is_value => {
                    match key.as_str() {
                        "label" => attributes.label = word,
                        "tooltip" => attributes.tooltip = word,
                        _ => {}
                    }
                    is_value = false;
                }
                Token::Word(word) => key = word,
                _ => {}
            }
        }
        Ok(attributes)
    }
}
