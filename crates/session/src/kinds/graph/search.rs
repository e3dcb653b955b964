//! Elements that match a text.

use analysis::{Pattern, PatternError, words};
use protocol::{GraphKind, GraphMatch, GraphSearchParams, GraphSearchResult, ProtocolError, Reply};
use sdfg::outline::Element;

use super::{GraphDocument, wording};
use crate::kinds::pattern_error;

/// What is looked for: words that all have to be found, each as [`Pattern::typed`] has it.
struct Query {
    /// In labels, data and kinds.
    words: Vec<Pattern>,
    kinds: Vec<Pattern>,
    data: Vec<Pattern>,
}

/// Makes case count, in front of the first word for all of them.
const MATCH_CASE: &str = "(?-i)";

impl Query {
    fn new(text: &str) -> Result<Query, PatternError> {
        let mut query = Query { words: vec![], kinds: vec![], data: vec![] };
        let (case, text) = match text.strip_prefix(MATCH_CASE) {
            Some(text) => (MATCH_CASE, text),
            None => ("", text),
        };
        for word in words(text) {
            let typed = |text: &str| Pattern::typed(&format!("{case}{text}"));
            match word.split_once(':') {
                // As the page calls them.
                Some(("kind", "data")) => query.kinds.push(Pattern::typed("access")?),
                Some(("kind", "unknown")) => query.kinds.push(Pattern::typed("opaque")?),
                Some(("kind", kind)) => query.kinds.push(Pattern::typed(&kind.to_lowercase())?),
                Some(("data", data)) => query.data.push(typed(data)?),
                _ => query.words.push(typed(word)?),
            }
        }
        Ok(query)
    }

    fn is_empty(&self) -> bool {
        self.words.is_empty() && self.kinds.is_empty() && self.data.is_empty()
    }

    fn matches(&self, label: &str, kind: &str, data: &str) -> bool {
        let kind_words = kind.replace('_', " ");
        self.kinds.iter().all(|wanted| wanted.is_match(kind))
            && self.data.iter().all(|wanted| wanted.is_match(data))
            && self.words.iter().all(|word| {
                word.is_match(label) || word.is_match(data) || word.is_match(&kind_words)
            })
    }
}

/// Elements that match, in the order of the program. Edges are found by `data:` alone, as they have
/// the name of what they carry.
pub(crate) fn search(
    document: &GraphDocument,
    params: &GraphSearchParams,
) -> Result<Reply<GraphSearchResult>, ProtocolError> {
    let query = Query::new(&params.text).map_err(pattern_error)?;
    let mut found = GraphSearchResult { matches: vec![], total: 0.0 };
    if !query.is_empty() {
        let program = &document.program;
        for element in (0..document.outline.count()).filter_map(|n| document.outline.element(n)) {
            let (label, kind, data) = match element {
                // Regions that are a block or a nested graph are found as these.
                Element::Region(region) if program.element_of_region(region) != element => continue,
                Element::Edge(..) | Element::Transition(..) => {
                    if query.data.is_empty() {
                        continue;
                    }
                    (String::new(), "edge", wording::edge_label(document, element))
                }
                _ => {
                    let label = wording::label(program, element);
                    let kind = wording::kind(program, element);
                    let is_data = matches!(kind, GraphKind::Access | GraphKind::Stream);
                    let data = if is_data { label.clone() } else { String::new() };
                    (label, kind_name(kind), data)
                }
            };
            if query.matches(&label, kind, &data) {
                found.total += 1.0;
                if found.matches.len() < params.limit as usize {
                    found.matches.push(described(document, element));
                }
            }
        }
    }
    Ok(found.into())
}

/// An element by its name and place.
pub(super) fn described(document: &GraphDocument, element: Element) -> GraphMatch {
    let program = &document.program;
    let is_edge = matches!(element, Element::Edge(..) | Element::Transition(..));
    let around = program.containers_of(element).into_iter();
    GraphMatch {
        element: document.outline.number(element),
        id: program.id_of(element).to_string(),
        kind: (!is_edge).then(|| wording::kind(program, element)),
        label: if is_edge {
            wording::edge_label(document, element)
        } else {
            wording::label(program, element)
        },
        path: around.map(|around| document.outline.number(around)).collect(),
    }
}

fn kind_name(kind: GraphKind) -> &'static str {
    match kind {
        GraphKind::Graph => "graph",
        GraphKind::State => "state",
        GraphKind::Region => "region",
        GraphKind::Loop => "loop",
        GraphKind::Conditional => "conditional",
        GraphKind::Branch => "branch",
        GraphKind::Jump => "jump",
        GraphKind::Access => "access",
        GraphKind::Stream => "stream",
        GraphKind::Tasklet => "tasklet",
        GraphKind::Map => "map",
        GraphKind::MapExit => "map_exit",
        GraphKind::Consume => "consume",
        GraphKind::ConsumeExit => "consume_exit",
        GraphKind::Nested => "nested",
        GraphKind::Library => "library",
        GraphKind::Opaque => "opaque",
    }
}
