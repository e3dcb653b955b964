//! What accesses depend on, and at which sizes they are looked at first.

use std::sync::Arc;

use protocol::{
    AccessesRamp, AccessesSizesResult, AccessesSymbol, GraphColours, ProtocolError, Reply,
};
use scop::Size;
use sdfg::expr::Bindings;
use sdfg::lower::LowerError;
use sdfg::outline::Element;

use super::part::{Source, Whereabouts, refused};
use super::{Loops, LoopsError, Setting};
use crate::kept::Question;
use crate::kinds::graph::{label_of, ramp_texts, suggested_sizes};

/// So many accesses are looked at one by one without being asked for.
const MOST_AT_FIRST: u128 = 1 << 14;

/// Sizes are halved no further than this: stencils have an inside still.
const LEAST: i128 = 4;

/// A size that is neither trivial nor slow to think about.
const USUAL: i128 = 256;

/// More symbols are not a program that somebody sets by hand.
const MOST_SYMBOLS: usize = 256;

/// Values of all that a part depends on.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sizes {
    pub(super) small: Bindings,
    pub(super) whole: Bindings,
}

/// Sizes of a part, which take lowering it many times.
#[derive(PartialEq, Eq, Hash)]
struct SizesOf(Option<Element>);

impl Question for SizesOf {
    type Answer = Sizes;
    const KEPT: usize = 1 << 10;
}

/// The answer to [`protocol::AccessesRequest::AccessesSizes`].
pub(super) fn sizes_result(
    source: &Source,
    element: Option<u32>,
) -> Result<Reply<AccessesSizesResult>, ProtocolError> {
    let title = source.title().to_owned();
    let ramps = [GraphColours::Heat, GraphColours::Viridis, GraphColours::Cividis]
        .map(|colours| AccessesRamp { colours, ramp: ramp_texts(colours) });
    if let Source::Recorded(_) = source {
        return Ok(AccessesSizesResult {
            title,
            part: "all recorded accesses".to_owned(),
            element: None,
            symbols: vec![],
            ramps: ramps.into(),
            is_recorded: true,
        }
        .into());
    }
    let whereabouts = source.part(element)?;
    let found = sizes(source, &whereabouts)?;
    let Sizes { small, whole } = &*found;
    let symbol = |(name, value): (&String, &i128)| AccessesSymbol {
        name: name.clone(),
        small: small[name] as f64,
        whole: *value as f64,
    };
    let mut symbols: Vec<AccessesSymbol> = whole.iter().map(symbol).collect();
    symbols.sort_by(|one, other| one.name.cmp(&other.name));
    let (part, element) = match (source, whereabouts.element) {
        (Source::Graph(document), Some(element)) => {
            (label_of(document, element), Some(document.number(element)))
        }
        (Source::Graph(_), None) => ("the whole program".to_owned(), None),
        _ => ("all loops".to_owned(), None),
    };
    let ramps = ramps.into();
    Ok(AccessesSizesResult { title, part, element, symbols, ramps, is_recorded: false }.into())
}

/// What a part depends on, as it is suggested, and halved until all accesses can be looked at.
pub(super) fn sizes(
    source: &Source,
    whereabouts: &Whereabouts<'_>,
) -> Result<Arc<Sizes>, ProtocolError> {
    let known = match source {
        Source::Graph(document) => document.kept(),
        Source::Loops(document) => &document.kept,
        Source::Recorded(_) => return Ok(Arc::default()),
    };
    known.answer(SizesOf(whereabouts.element), || found(source, whereabouts))
}

fn found(source: &Source, whereabouts: &Whereabouts<'_>) -> Result<Sizes, ProtocolError> {
    let whole = match (source, whereabouts.loops) {
        (Source::Graph(document), _) => {
            let suggested = suggested_sizes(document);
            needed(whereabouts, &suggested)?
        }
        (Source::Loops(document), _) => {
            let of_sizes =
                document.loops.arrays.iter().flat_map(|array| &array.sizes).flat_map(|size| {
                    let terms = if let Size::Sum { terms, .. } = size { &terms[..] } else { &[] };
                    terms.iter().map(|(name, _)| name)
                });
            let names = document.loops.parameters.iter().chain(of_sizes);
            names.map(|name| (name.clone(), USUAL)).collect()
        }
        (Source::Recorded(_), _) => Bindings::default(),
    };
    // Where even the smallest have more, those are still nearer to what can be looked at than all of it.
    let mut small = whole.clone();
    for halvings in 0..40 {
        let less = |value: i128| if value > LEAST { (value >> halvings).max(LEAST) } else { value };
        let at: Bindings = whole.iter().map(|(name, &value)| (name.clone(), less(value))).collect();
        if halvings > 0 && at == small {
            break;
        }
        let own = whereabouts.loops.plain(&Setting { at: at.clone(), ..Setting::default() });
        let Ok(own) = own else { continue };
        small = at;
        if own.program.nest.accesses() <= MOST_AT_FIRST {
            break;
        }
    }
    Ok(Sizes { small, whole })
}

/// Symbols that a part of a graph cannot do without, one after the other. Those that nothing is suggested for
/// are parameters of what is around the part: one of the first iterations.
fn needed(whereabouts: &Whereabouts<'_>, suggested: &Bindings) -> Result<Bindings, ProtocolError> {
    const AROUND: i128 = 1;
    let mut at = Bindings::default();
    // What is not needed at sizes so small that control flow is short is not needed.
    let mut tried = Bindings::default();
    let Loops::Graph(..) = whereabouts.loops else { return Ok(at) };
    loop {
        let setting = Setting { at: tried.clone(), ..Setting::default() };
        match whereabouts.loops.plain(&setting) {
            Err(LoopsError::Lower(LowerError::Unset(name))) if at.len() < MOST_SYMBOLS => {
                let value = suggested.get(&name).copied().unwrap_or(AROUND);
                if at.insert(name.clone(), value).is_some() {
                    return Ok(at);
                }
                tried.insert(name, value.min(LEAST));
            }
            Err(error) => return Err(refused(error)),
            Ok(_) => return Ok(at),
        }
    }
}
