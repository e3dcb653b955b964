//! JSON on its way to the model.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::dataflow::{code, content};
use crate::expr::{Expr, parse};
use crate::model::{
    Block, BlockIndex, BlockKind, Graph, GraphIndex, InterstateEdge, Loop, NodeIndex, Program,
    Region, RegionIndex, RegionKind, StateIndex,
};
use crate::read::{ReadError, raw};

/// Makes a program of a file's outermost object.
pub(in crate::read) fn lower(root: raw::Element) -> Result<Program, ReadError> {
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
pub(in crate::read) struct Lowering {
    pub(super) program: Program,
    /// Regions without content yet, with how many texts they are in.
    open: Vec<(RegionIndex, raw::Element, usize)>,
    names: HashMap<Box<str>, Arc<str>>,
    expressions: HashMap<Box<str>, Arc<Expr>>,
    pub(super) files: HashMap<Box<str>, u32>,
}

impl Lowering {
    pub(in crate::read) fn name(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.names.get(text) {
            return known.clone();
        }
        let name: Arc<str> = text.into();
        self.names.insert(text.into(), name.clone());
        name
    }

    pub(in crate::read) fn number(&mut self, number: i128) -> Arc<Expr> {
        Arc::new(Expr::integer(number))
    }

    /// What cannot be read becomes an unknown that is named by its text.
    pub(in crate::read) fn expression(&mut self, text: &str) -> Arc<Expr> {
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

    pub(in crate::read) fn expressions(&mut self, all: Option<Vec<raw::Text>>) -> Vec<Arc<Expr>> {
        all.into_iter().flatten().map(|one| self.expression(&one.text)).collect()
    }

    pub(super) fn warn(&mut self, message: String) {
        *self.program.warnings.entry(message).or_default() += 1;
    }

    pub(in crate::read) fn warn_of_kind(&mut self, what: &str, kind: &str) {
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

    pub(super) fn graph(
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
        // The file's own word may be old: where one block alone has nothing before it, DaCe begins
        // there.
        let sources: Vec<usize> = (0..blocks.len()).filter(|&block| !is_target[block]).collect();
        let only = match sources[..] {
            [only] => Some(BlockIndex(only as u32)),
            _ => None,
        };
        let first = sources.first().copied().unwrap_or(0);
        let first = (!blocks.is_empty()).then_some(BlockIndex(first as u32));
        let region = &mut self.program.regions[index.place()];
        region.start = only.or(told).or(first);
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

    pub(super) fn names(&mut self, all: Option<Vec<Box<str>>>) -> Vec<Arc<str>> {
        all.into_iter().flatten().map(|name| self.name(&name)).collect()
    }

    pub(super) fn label(&mut self, raw: &raw::Element) -> Arc<str> {
        self.name(raw.label.as_ref().map_or("", |label| &label.text))
    }
}

pub(super) fn count(all: usize) -> Result<u32, ReadError> {
    u32::try_from(all).map_err(|_| ReadError::TooMany)
}

/// What DaCe writes on an edge without a condition.
fn is_always(condition: &str) -> bool {
    matches!(condition.trim(), "" | "1" | "True" | "(1)")
}

/// The nodes that an edge says it joins.
pub(super) fn ends(
    edge: &raw::Edge,
    place: usize,
    of: &str,
    count: usize,
) -> Result<(u32, u32), ReadError> {
    let end = |text: &raw::Text, end: &'static str| {
        let node = text.text.parse::<u32>().ok().filter(|&node| (node as usize) < count);
        node.ok_or_else(|| {
            let found = text.text.chars().take(40).collect();
            ReadError::NoSuchNode { edge: place, of: of.to_owned(), end, found, count }
        })
    };
    Ok((end(&edge.src, "comes from")?, end(&edge.dst, "goes to")?))
}
