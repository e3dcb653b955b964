//! From JSON to the model.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::scopes::find_scopes;
use super::{ReadError, raw};
use crate::expr::{Expr, parse};
use crate::model::{
    Block, BlockIndex, BlockKind, Code, Consume, Dimension, Edge, Graph, GraphIndex,
    InterstateEdge, Language, Library, Loop, Map, Memlet, Node, NodeIndex, NodeKind, Program,
    Region, RegionIndex, RegionKind, SourcePlace, State, StateIndex, Subset,
};

/// Makes a program of a file's outermost object.
pub(super) fn lower(root: raw::Element) -> Result<Program, ReadError> {
    let mut lowering = Lowering::default();
    let files = root.source_files.iter().flatten();
    lowering.program.source_files = files.map(|file| file.text.to_string()).collect();
    lowering.program.dace_version = root.dace_version.as_ref().map(|version| version.to_string());
    lowering.graph(root, None, 0)?;
    while let Some((region, raw, texts)) = lowering.open.pop() {
        lowering.fill(region, raw, texts)?;
    }
    Ok(lowering.program)
}

#[derive(Default)]
pub(super) struct Lowering {
    program: Program,
    /// Regions without content yet, with how many texts they are in.
    open: Vec<(RegionIndex, raw::Element, usize)>,
    names: HashMap<Box<str>, Arc<str>>,
    expressions: HashMap<Box<str>, Arc<Expr>>,
    files: HashMap<Box<str>, u32>,
}

impl Lowering {
    pub(super) fn name(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.names.get(text) {
            return known.clone();
        }
        let name: Arc<str> = text.into();
        self.names.insert(text.into(), name.clone());
        name
    }

    pub(super) fn number(&mut self, number: i128) -> Arc<Expr> {
        Arc::new(Expr::integer(number))
    }

    /// What cannot be read becomes an unknown that is named by its text.
    pub(super) fn expression(&mut self, text: &str) -> Arc<Expr> {
        /// Enough to recognise it.
        const SHOWN: usize = 60;
        if let Some(known) = self.expressions.get(text) {
            return known.clone();
        }
        let made = parse(text).unwrap_or_else(|_| {
            self.warn("an expression that cannot be read stays an unknown".to_owned());
            let shown: String = text.chars().take(SHOWN).collect();
            Expr::symbol(&format!("[{shown}]"))
        });
        let made = Arc::new(made);
        self.expressions.insert(text.into(), made.clone());
        made
    }

    pub(super) fn expressions(&mut self, all: Option<Vec<raw::Text>>) -> Vec<Arc<Expr>> {
        all.into_iter().flatten().map(|one| self.expression(&one.text)).collect()
    }

    fn warn(&mut self, message: String) {
        *self.program.warnings.entry(message).or_default() += 1;
    }

    pub(super) fn warn_of_kind(&mut self, what: &str, kind: &str) {
        /// More are told as one.
        const MOST_KINDS: usize = 50;
        /// Longer ones are cut.
        const SHOWN: usize = 80;
        let shown: String = kind.chars().take(SHOWN).collect();
        if self.program.warnings.len() < MOST_KINDS {
            self.warn(format!("unknown {what}: {shown}"))
        } else {
            self.warn(format!("unknown {what}: others"))
        }
    }

    fn graph(
        &mut self,
        mut raw: raw::Element,
        holder: Option<(StateIndex, NodeIndex)>,
        texts: usize,
    ) -> Result<GraphIndex, ReadError> {
        if &*raw.kind != "SDFG" {
            let within = holder.map(|(state, _)| self.program.state(state).label.to_string());
            return Err(ReadError::NotAGraph { found: raw.kind.into(), within });
        }
        let index = GraphIndex(count(self.program.graphs.len())?);
        let attributes = raw.attributes.take().map(|all| *all).unwrap_or_default();
        let name = attributes.name.or(raw.label.take()).map_or("".into(), |name| name.text);
        let name = self.name(&name);
        let mut containers = BTreeMap::new();
        for (name, container) in attributes.arrays.unwrap_or_default() {
            if let Some(container) = container {
                let container = self.container(container);
                containers.insert(self.name(&name), container);
            }
        }
        let mut symbols = BTreeMap::new();
        for (name, dtype) in attributes.symbols.unwrap_or_default() {
            let dtype = self.element_type(&dtype);
            symbols.insert(self.name(&name), dtype);
        }
        let mut constants = BTreeMap::new();
        for (name, (_, value)) in attributes.constants_prop.unwrap_or_default() {
            if let Some(value) = value.0 {
                let value = self.expression(&value);
                constants.insert(self.name(&name), value);
            }
        }
        let arguments = attributes.arg_names.unwrap_or_default();
        let arguments = arguments.iter().map(|name| self.name(name)).collect();
        let hash = attributes.hash.map(|hash| hash.text.into());
        let list_id = raw.cfg_list_id.unwrap_or(index.0.into());
        let region = Region {
            kind: RegionKind::Graph,
            label: name.clone(),
            graph: index,
            holder: None,
            list_id,
            blocks: vec![],
            edges: vec![],
            start: None,
        };
        let region = self.region(region, raw, texts)?;
        self.program.graphs.push(Graph {
            name,
            region,
            holder,
            containers,
            symbols,
            constants,
            arguments,
            hash,
        });
        Ok(index)
    }

    /// Numbers a region whose content follows later.
    fn region(
        &mut self,
        region: Region,
        raw: raw::Element,
        texts: usize,
    ) -> Result<RegionIndex, ReadError> {
        let index = RegionIndex(count(self.program.regions.len())?);
        self.program.regions.push(region);
        self.open.push((index, raw, texts));
        Ok(index)
    }

    fn fill(
        &mut self,
        index: RegionIndex,
        raw: raw::Element,
        texts: usize,
    ) -> Result<(), ReadError> {
        let nodes = raw.nodes.unwrap_or_default();
        count(nodes.len())?;
        let mut blocks = Vec::with_capacity(nodes.len());
        for (place, node) in nodes.into_iter().enumerate() {
            blocks.push(self.block(index, BlockIndex(place as u32), node, texts)?);
        }
        let label = self.program.region(index).label.clone();
        let mut edges = vec![];
        for (place, edge) in raw.edges.unwrap_or_default().into_iter().enumerate() {
            let (source, target) = ends(&edge, place, &label, blocks.len())?;
            let content = content(edge);
            let assignments = content.assignments.unwrap_or_default().into_iter();
            let assignments = assignments
                .map(|(name, value)| (self.name(&name), self.expression(&value.text)))
                .collect();
            let condition = content.condition.filter(|code| !is_always(&code.text));
            let condition = condition.map(|code| self.expression(&code.text));
            let (source, target) = (BlockIndex(source), BlockIndex(target));
            edges.push(InterstateEdge { source, target, condition, assignments });
        }
        let told = raw.start_block.and_then(|start| start.text.parse::<u32>().ok());
        let told = told.filter(|&start| (start as usize) < blocks.len()).map(BlockIndex);
        let mut is_target = vec![false; blocks.len()];
        for edge in &edges {
            is_target[edge.target.place()] = true;
        }
        let first = is_target.iter().position(|is_target| !is_target).or(match blocks.len() {
            0 => None,
            _ => Some(0),
        });
        let region = &mut self.program.regions[index.place()];
        region.start = told.or(first.map(|first| BlockIndex(first as u32)));
        region.blocks = blocks;
        region.edges = edges;
        Ok(())
    }

    fn block(
        &mut self,
        region: RegionIndex,
        place: BlockIndex,
        mut raw: raw::Element,
        texts: usize,
    ) -> Result<Block, ReadError> {
        let label = self.label(&raw);
        let kind = match &*raw.kind {
            "SDFGState" => BlockKind::State(self.state(region, place, &label, raw, texts)?),
            "BreakBlock" => BlockKind::Break,
            "ContinueBlock" => BlockKind::Continue,
            "ReturnBlock" => BlockKind::Return,
            "ConditionalBlock" => {
                let list_id = raw.cfg_list_id.unwrap_or(-1);
                let mut branches = vec![];
                for (condition, branch) in raw.branches.take().unwrap_or_default() {
                    let label = self.label(&branch);
                    let inner = self.inner_region(region, place, &label, branch, texts)?;
                    branches.push((condition.map(code), inner));
                }
                BlockKind::Conditional { list_id, branches }
            }
            "LoopRegion"
            | "ControlFlowRegion"
            | "NamedRegion"
            | "FunctionCallRegion"
            | "UnstructuredControlFlow" => {
                BlockKind::Region(self.inner_region(region, place, &label, raw, texts)?)
            }
            other => {
                self.warn_of_kind("block", other);
                BlockKind::Opaque(other.to_owned())
            }
        };
        Ok(Block { label, kind })
    }

    fn inner_region(
        &mut self,
        region: RegionIndex,
        place: BlockIndex,
        label: &Arc<str>,
        mut raw: raw::Element,
        texts: usize,
    ) -> Result<RegionIndex, ReadError> {
        let attributes = raw.attributes.take().map(|all| *all).unwrap_or_default();
        let kind = match &*raw.kind {
            "LoopRegion" => RegionKind::Loop(Box::new(Loop {
                variable: self.name(attributes.loop_variable.as_deref().unwrap_or("")),
                init: attributes.init_statement.map(code),
                condition: attributes.loop_condition.map(code),
                update: attributes.update_statement.map(code),
                is_inverted: attributes.inverted.unwrap_or(false),
                updates_before_condition: attributes.update_before_condition.unwrap_or(true),
            })),
            _ => RegionKind::Plain,
        };
        let inner = Region {
            kind,
            label: label.clone(),
            graph: self.program.region(region).graph,
            holder: Some((region, place)),
            list_id: raw.cfg_list_id.unwrap_or(-1),
            blocks: vec![],
            edges: vec![],
            start: None,
        };
        self.region(inner, raw, texts)
    }

    fn state(
        &mut self,
        region: RegionIndex,
        block: BlockIndex,
        label: &Arc<str>,
        raw: raw::Element,
        texts: usize,
    ) -> Result<StateIndex, ReadError> {
        let index = StateIndex(count(self.program.states.len())?);
        let raw_nodes = raw.nodes.unwrap_or_default();
        count(raw_nodes.len())?;
        let label = label.clone();
        let state = State { region, block, label: label.clone(), nodes: vec![], edges: vec![] };
        self.program.states.push(state);
        let mut nodes = Vec::with_capacity(raw_nodes.len());
        for (place, node) in raw_nodes.into_iter().enumerate() {
            nodes.push(self.node((index, NodeIndex(place as u32)), node, texts)?);
        }
        let raw_edges = raw.edges.unwrap_or_default();
        count(raw_edges.len())?;
        let mut edges = Vec::with_capacity(raw_edges.len());
        for (place, edge) in raw_edges.into_iter().enumerate() {
            let (source, target) = ends(&edge, place, &label, nodes.len())?;
            let connector = |lowering: &mut Lowering, name: &Option<Box<str>>| {
                name.as_ref().map(|name| lowering.name(name))
            };
            edges.push(Edge {
                source: NodeIndex(source),
                target: NodeIndex(target),
                source_connector: connector(self, &edge.src_connector),
                target_connector: connector(self, &edge.dst_connector),
                memlet: self.memlet(content(edge)),
            });
        }
        if find_scopes(&mut nodes, &edges) > 0 {
            self.warn("a state with a cycle: costs on the cycle are left out".to_owned());
        }
        let state = &mut self.program.states[index.place()];
        (state.nodes, state.edges) = (nodes, edges);
        Ok(index)
    }

    fn node(
        &mut self,
        place: (StateIndex, NodeIndex),
        mut raw: raw::Element,
        texts: usize,
    ) -> Result<Node, ReadError> {
        let label = self.label(&raw);
        let mut attributes = raw.attributes.take().map(|all| *all).unwrap_or_default();
        let source = attributes.debuginfo.take().and_then(|info| self.source(info));
        let guid = attributes.guid.take();
        let kind = match &*raw.kind {
            "AccessNode" => {
                let data = attributes.data.as_deref().unwrap_or(&label);
                NodeKind::Access { data: self.name(data) }
            }
            "Tasklet" | "RTLTasklet" => NodeKind::Tasklet(
                attributes
                    .code
                    .map_or_else(|| Code { text: String::new(), language: Language::Python }, code),
            ),
            "MapEntry" | "PipelineEntry" => NodeKind::MapEntry(Box::new(Map {
                parameters: self.names(attributes.params),
                range: attributes.range.map_or_else(Vec::new, |range| self.dimensions(range)),
                schedule: attributes.schedule.map(|schedule| self.name(&schedule.text)),
            })),
            "MapExit" | "PipelineExit" => NodeKind::MapExit,
            "ConsumeEntry" => NodeKind::ConsumeEntry(Box::new(Consume {
                element: self.name(attributes.pe_index.as_deref().unwrap_or("")),
                element_count: match attributes.num_pes {
                    Some(count) => self.expression(&count.text),
                    None => self.number(1),
                },
            })),
            "ConsumeExit" => NodeKind::ConsumeExit,
            "NestedSDFG" => {
                let mapping = attributes.symbol_mapping.unwrap_or_default().into_iter();
                let symbol_mapping = mapping
                    .map(|(name, value)| (self.name(&name), self.expression(&value.text)))
                    .collect();
                let graph = attributes.sdfg.map(|nested| self.nested(nested, place, &label, texts));
                NodeKind::Nested { graph: graph.transpose()?, symbol_mapping }
            }
            "LibraryNode" | "Reduce" => {
                let factor = |lowering: &mut Lowering, text: raw::Loose, default: i128| match text.0
                {
                    Some(text) => lowering.expression(&text),
                    None => lowering.number(default),
                };
                NodeKind::Library(Box::new(Library {
                    class_path: raw.classpath.take().unwrap_or(raw.kind).into(),
                    alpha: factor(self, attributes.alpha, 1),
                    beta: factor(self, attributes.beta, 0),
                    is_transposed: attributes.transposed.0.as_deref() == Some("True"),
                    wcr: attributes.wcr.0.map(String::from),
                }))
            }
            other => {
                self.warn_of_kind("node", other);
                NodeKind::Opaque(other.to_owned())
            }
        };
        Ok(Node { kind, label, scope: None, source, guid })
    }

    fn nested(
        &mut self,
        nested: raw::Nested,
        place: (StateIndex, NodeIndex),
        label: &str,
        texts: usize,
    ) -> Result<GraphIndex, ReadError> {
        /// Each level doubles the marks before a text's quotes.
        const MOST_TEXTS: usize = 8;
        match nested {
            raw::Nested::Graph(graph) => self.graph(*graph, Some(place), texts),
            raw::Nested::Text(_) if texts == MOST_TEXTS => {
                Err(ReadError::TooDeep { limit: MOST_TEXTS })
            }
            raw::Nested::Text(text) => {
                let graph = serde_json::from_str(&text).map_err(|error| {
                    let within = Some(label.to_owned());
                    ReadError::Json { error, within }
                })?;
                self.graph(graph, Some(place), texts + 1)
            }
        }
    }

    fn memlet(&mut self, raw: raw::EdgeContent) -> Option<Box<Memlet>> {
        let data = self.name(raw.data.as_deref()?);
        let legacy = raw.num_accesses.filter(|count| &*count.text != "-1");
        Some(Box::new(Memlet {
            data,
            subset: raw.subset.map(|subset| self.subset(subset)),
            other_subset: raw.other_subset.map(|subset| self.subset(subset)),
            volume: match raw.volume.or(legacy) {
                Some(volume) => self.expression(&volume.text),
                None => self.number(0),
            },
            is_dynamic: raw.dynamic.unwrap_or(false),
            wcr: raw.wcr.0.map(|wcr| self.name(&wcr)),
        }))
    }

    fn subset(&mut self, mut raw: raw::Subset) -> Subset {
        let mut several = raw.subset_list.take().unwrap_or_default();
        let is_union = several.len() > 1;
        if !several.is_empty() {
            raw = several.swap_remove(0);
        }
        Subset { dimensions: self.dimensions(raw), is_union }
    }

    fn dimensions(&mut self, raw: raw::Subset) -> Vec<Dimension> {
        let one = self.expression("1");
        let indices = raw.indices.into_iter().flatten();
        let mut all: Vec<Dimension> = vec![];
        for index in indices {
            let start = self.expression(&index.text);
            all.push(Dimension {
                end: start.clone(),
                start,
                step: one.clone(),
                tile: one.clone(),
                approximate_end: None,
            });
        }
        for range in raw.ranges.into_iter().flatten() {
            let approximate_end = match range.end.approximate.as_deref() {
                Some(text) => Some(self.expression(text)),
                None => second_of_pair(&range.end.text).map(|text| self.expression(text)),
            };
            let mut or_one = |text: Option<raw::Text>| match text {
                Some(text) => self.expression(&text.text),
                None => one.clone(),
            };
            all.push(Dimension {
                step: or_one(range.step),
                tile: or_one(range.tile),
                start: or_one(Some(range.start)),
                end: or_one(Some(range.end)),
                approximate_end,
            });
        }
        all
    }

    fn source(&mut self, info: raw::DebugInfo) -> Option<SourcePlace> {
        let line = info.start_line?;
        if let Some(file) = info.file_index {
            let is_known = (file as usize) < self.program.source_files.len();
            return is_known.then_some(SourcePlace { file, line });
        }
        let name = info.filename?;
        if let Some(&file) = self.files.get(&name) {
            return Some(SourcePlace { file, line });
        }
        let file = u32::try_from(self.program.source_files.len()).ok()?;
        self.program.source_files.push(name.to_string());
        self.files.insert(name, file);
        Some(SourcePlace { file, line })
    }

    fn names(&mut self, all: Option<Vec<Box<str>>>) -> Vec<Arc<str>> {
        all.into_iter().flatten().map(|name| self.name(&name)).collect()
    }

    fn label(&mut self, raw: &raw::Element) -> Arc<str> {
        self.name(raw.label.as_ref().map_or("", |label| &label.text))
    }
}

fn count(all: usize) -> Result<u32, ReadError> {
    u32::try_from(all).map_err(|_| ReadError::TooMany)
}

fn code(raw: raw::Code) -> Code {
    let language = match raw.language.as_deref() {
        None | Some("Python") => Language::Python,
        Some("CPP") => Language::Cpp,
        Some(other) => Language::Other(other.to_owned()),
    };
    Code { text: raw.text.into(), language }
}

/// What DaCe writes on an edge without a condition.
fn is_always(condition: &str) -> bool {
    matches!(condition.trim(), "" | "1" | "True" | "(1)")
}

fn content(edge: raw::Edge) -> raw::EdgeContent {
    let data = edge.attributes.and_then(|attributes| attributes.data);
    data.and_then(|data| data.attributes).unwrap_or_default()
}

/// The nodes that an edge says it joins.
fn ends(edge: &raw::Edge, place: usize, of: &str, count: usize) -> Result<(u32, u32), ReadError> {
    let end = |text: &raw::Text, end: &'static str| {
        let node = text.text.parse::<u32>().ok().filter(|&node| (node as usize) < count);
        node.ok_or_else(|| {
            let found = text.text.chars().take(40).collect();
            ReadError::NoSuchNode { edge: place, of: of.to_owned(), end, found, count }
        })
    };
    Ok((end(&edge.src, "comes from")?, end(&edge.dst, "goes to")?))
}

/// The bound in `SymExpr(value, bound)`, as 2.x writes what 1.x has as an object.
fn second_of_pair(text: &str) -> Option<&str> {
    let inner = text.trim().strip_prefix("SymExpr(")?.strip_suffix(')')?;
    let mut open = 0usize;
    for (place, c) in inner.char_indices() {
        match c {
            '(' | '[' => open += 1,
            ')' | ']' => open = open.checked_sub(1)?,
            ',' if open == 0 => return Some(&inner[place + 1..]),
            _ => {}
        }
    }
    None
}
