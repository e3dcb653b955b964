//! Elements that match a text.

use protocol::{GraphKind, GraphMatch, GraphSearchParams, GraphSearchResult, ProtocolError, Reply};
use sdfg::outline::Element;

use super::{GraphDocument, wording};

/// What is looked for: words that all have to be found.
struct Query {
    /// In labels, data and kinds.
    words: Vec<String>,
    kinds: Vec<String>,
    data: Vec<String>,
}

impl Query {
    fn of(text: &str) -> Query {
        let mut query = Query { words: vec![], kinds: vec![], data: vec![] };
        for word in text.to_lowercase().split_whitespace() {
            match word.split_once(':') {
                // As the page calls them.
                Some(("kind", "data")) => query.kinds.push("access".to_owned()),
                Some(("kind", "unknown")) => query.kinds.push("opaque".to_owned()),
                Some(("kind", kind)) => query.kinds.push(kind.to_owned()),
                Some(("data", data)) => query.data.push(data.to_owned()),
                _ => query.words.push(word.to_owned()),
            }
        }
        query
    }

    fn is_empty(&self) -> bool {
        self.words.is_empty() && self.kinds.is_empty() && self.data.is_empty()
    }

    fn matches(&self, label: &str, kind: &str, data: &str) -> bool {
        let (label, data) = (label.to_lowercase(), data.to_lowercase());
        let kind_words = kind.replace('_', " ");
        self.kinds.iter().all(|wanted| kind.contains(&**wanted))
            && self.data.iter().all(|wanted| data.contains(&**wanted))
            && self.words.iter().all(|word| {
                label.contains(&**word) || data.contains(&**word) || kind_words.contains(&**word)
            })
    }
}

/// Elements that match, in the order of the program. Edges are found by `data:` alone, as they have
/// the name of what they carry.
pub(crate) fn search(
    document: &GraphDocument,
    params: &GraphSearchParams,
) -> Result<Reply<GraphSearchResult>, ProtocolError> {
    let query = Query::of(&params.text);
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
        label: match is_edge {
            true => wording::edge_label(document, element),
            false => wording::label(program, element),
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
