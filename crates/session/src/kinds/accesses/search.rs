//! Variants that miss less, and text to write them with.

use locality::{Change, Language, Placement, Schedule, Searching, search, written};
use protocol::*;

use super::part::{Source, bad, refused, setting};
use super::run::{caches, goes_on};
use super::sizes::sizes;
use crate::Call;

/// More variants are not simulated in one go.
const MOST_VARIANTS: u32 = 2000;

/// So many variants are told.
const TOLD: usize = 50;

/// The answer to [`protocol::AccessesRequest::AccessesSearch`].
pub(super) fn searched(
    source: &Source,
    params: &AccessesSearchParams,
    call: &dyn Call,
) -> Result<Reply<AccessesSearchResult>, ProtocolError> {
    let whereabouts = source.part(params.program.element)?;
    let setting = setting(&*sizes(source, &whereabouts)?, &params.program)?;
    if setting.schedule != Schedule::Sequential {
        let why = "variants are simulated on one thread: search without a schedule";
        return Err(bad(why));
    }
    let own = whereabouts.loops.accesses(&setting).map_err(refused)?;
    let most = params.most.clamp(1, MOST_VARIANTS);
    let caches = caches(&params.caches)?;
    // Changes have made other loops than smaller sizes have.
    let smaller = |most| {
        if setting.changes.is_empty() { whereabouts.loops.smaller(&setting, most) } else { None }
    };
    let searching = Searching {
        caches: &caches,
        placement: if params.program.packed { Placement::Packed } else { Placement::OwnLines },
        line: params.program.line.into(),
        most: most as usize,
        goes_on: &|done| goes_on(call, done as u128, most.into()),
    };
    let found = search(&own.program, &smaller, &searching).map_err(bad)?;
    let numbers = |misses: &[u64]| misses.iter().map(|&misses| misses as f64).collect();
    let variants = found.variants.iter().take(TOLD).map(|variant| AccessesVariant {
        changes: variant.changes.iter().map(Change::to_string).collect(),
        misses: numbers(&variant.misses),
    });
    let result = AccessesSearchResult {
        plain: numbers(&found.plain.misses),
        variants: variants.collect(),
        simulated: found.variants.len() as f64,
        refused: found.refused as f64,
        has_ended: found.has_ended,
    };
    Ok(result.into())
}

/// The answer to [`protocol::AccessesRequest::AccessesText`].
pub(super) fn text(
    source: &Source,
    params: &AccessesTextParams,
) -> Result<Reply<TextResult>, ProtocolError> {
    // Which thread does what is said where loops are run, and not by how they are written.
    let program = AccessesProgram { schedule: String::new(), ..params.program.clone() };
    let (own, _) = source.accesses(&program, 0)?;
    let changes: Vec<Change> = params
        .program
        .changes
        .iter()
        .map(|change| change.parse())
        .collect::<Result<_, locality::ChangeError>>()
        .map_err(bad)?;
    let (language, ending) = match params.language {
        AccessesText::C => (Language::C, "c"),
        AccessesText::Numpy => (Language::Numpy, "py"),
        AccessesText::Dace => (Language::Dace, "dace.py"),
    };
    let stem = source.title().split('.').next().unwrap_or_default();
    let text = written(&own.program, &changes, language);
    Ok(TextResult { text, file_name: format!("{stem}.{ending}") }.into())
}
