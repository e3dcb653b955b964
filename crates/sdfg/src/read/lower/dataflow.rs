//! States: their nodes and edges.

use std::sync::Arc;

use super::Lowering;
use super::lowering::{count, ends};
use crate::model::{
    BlockIndex, Code, Consume, Edge, GraphIndex, Language, Library, Map, Node, NodeIndex, NodeKind,
    RegionIndex, SourcePlace, State, StateIndex,
};
use crate::read::scopes::find_scopes;
use crate::read::{ReadError, raw};

impl Lowering {
    pub(super) fn state(
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
        let connectors = [attributes.in_connectors.take(), attributes.out_connectors.take()];
        let lanes = connectors.iter().flatten().map(lanes).max().unwrap_or(1);
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
                    is_second_transposed: attributes.second_transposed.0.as_deref() == Some("True"),
                    axes: attributes.axes.and_then(|axes| self.axes(&axes)),
                    wcr: attributes.wcr.0.map(String::from),
                    identity: attributes
                        .identity
                        .0
                        .filter(|text| &**text != "None")
                        .map(String::from),
                }))
            }
            other => {
                self.warn_of_kind("node", other);
                NodeKind::Opaque(other.to_owned())
            }
        };
        Ok(Node { kind, label, scope: None, lanes, source, guid })
    }

    /// Nothing where they are not a list of numbers, which is told unless there are none.
    fn axes(&mut self, axes: &serde_json::Value) -> Option<Vec<i64>> {
        let number = |one: &serde_json::Value| match one {
            serde_json::Value::String(text) => text.parse().ok(),
            other => other.as_i64(),
        };
        let found = axes.as_array().and_then(|all| all.iter().map(number).collect());
        if found.is_none() && !axes.is_null() {
            self.warn(
                "axes of a library node that are not numbers: they count as missing".to_owned(),
            );
        }
        found
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
                let graph = crate::read::file::from_json(text.as_bytes()).map_err(|error| {
                    let within = Some(label.to_owned());
                    ReadError::Json { error, within }
                })?;
                self.graph(graph, Some(place), texts + 1)
            }
        }
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
}

/// The most elements that a vector of a connector has.
fn lanes(connectors: &serde_json::Value) -> u32 {
    let types = connectors.as_object().into_iter().flat_map(serde_json::Map::values);
    let vectors = types.filter(|of| of.get("type").is_some_and(|kind| kind == "vector"));
    let elements = vectors.filter_map(|of| {
        let elements = of.get("elements")?;
        let text = elements.as_str().map_or_else(|| elements.to_string(), str::to_owned);
        text.parse::<u32>().ok()
    });
    elements.max().unwrap_or(1).max(1)
}

pub(super) fn code(raw: raw::Code) -> Code {
    let language = match raw.language.as_deref() {
        None | Some("Python") => Language::Python,
        Some("CPP") => Language::Cpp,
        Some(other) => Language::Other(other.to_owned()),
    };
    Code { text: raw.text.into(), language }
}

pub(super) fn content(edge: raw::Edge) -> raw::EdgeContent {
    let data = edge.attributes.and_then(|attributes| attributes.data);
    data.and_then(|data| data.attributes).unwrap_or_default()
}
