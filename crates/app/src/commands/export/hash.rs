//! The address of a view, as the page writes it (`web/ui/src/state/url.ts`).

use anyhow::{Result, bail};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use session::{
    Collapse, FilterKind, Granularity, ListKind, ProfileDocument, both_sides_named, list_in,
};

use crate::arguments::{Colour, Export, ReportView};
use crate::commands::show;
use crate::reading;

/// What stands in an address as it is.
const WRITTEN: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b':').remove(b'/').remove(b',');

/// The view of an address, of the document of the report that is `shown`, which has the last number.
///
/// # Errors
/// The address shows another document, which the report may not have.
pub(super) fn given(address: &str, shown: u32) -> Result<String> {
    let hash = address.rsplit_once('#').map_or(address, |(_, hash)| hash);
    let document = hash.split('&').find_map(|field| field.strip_prefix("d="));
    match document.map(str::parse::<u32>) {
        None => Ok(format!("d={shown}&{hash}")),
        Some(Ok(document)) if document <= shown => Ok(hash.to_owned()),
        Some(_) => bail!(
            "the address shows document {}, and the report has 0 to {shown}: those of the command line in \
             their order, then what is made of them",
            session::visible(document.unwrap_or_default())
        ),
    }
}

/// The view that the arguments ask for, of a document of the report.
pub(super) fn of(
    arguments: &Export,
    profile: Option<&ProfileDocument>,
    document: u32,
) -> Result<String> {
    let mut fields = vec![("d", document.to_string())];
    let Some(profile) = profile else { return Ok(joined(&fields)) };
    let both = arguments.view_options.metric.first();
    let both = both.and_then(|named| both_sides_named(profile, named));
    let options = reading::view_options_but(profile, &arguments.view_options, both.is_some())?;
    if let Some(named) = arguments.view_options.metric.first() {
        let metric = both.map_or_else(|| reading::metric(profile, Some(named)), Ok)?;
        fields.push(("m", metric.0.to_string()));
    }
    fields.extend(view(arguments.view, profile)?);
    if options.granularity != Granularity::Function {
        fields.push(("by", granularity(options.granularity).to_owned()));
    }
    match options.collapse {
        Collapse::None => {}
        Collapse::Direct => fields.push(("collapse", "1".to_owned())),
        Collapse::All => fields.push(("collapse", "all".to_owned())),
    }
    for filter in &options.filters {
        fields.push(("f", format!("{}:{}", filter_kind(filter.kind), filter.pattern)));
    }
    if !arguments.search.is_empty() {
        fields.push(("q", arguments.search.clone()));
    }
    if let Some(colour) = arguments.colour.and_then(colour) {
        fields.push(("colour", colour.to_owned()));
    }
    Ok(joined(&fields))
}

fn joined(fields: &[(&str, String)]) -> String {
    let fields =
        fields.iter().map(|(key, value)| format!("{key}={}", utf8_percent_encode(value, WRITTEN)));
    fields.collect::<Vec<_>>().join("&")
}

/// The fields of an address that choose a view.
fn view(view: ReportView, profile: &ProfileDocument) -> Result<Vec<(&'static str, String)>> {
    if matches!(view, ReportView::List(_)) {
        show::check_times(profile)?;
    }
    let fields: &[_] = match view {
        ReportView::TopDown => &[],
        ReportView::BottomUp => &[("shape", "bottom_up")],
        ReportView::AllCallers => &[("shape", "all_callers")],
        ReportView::Flat => &[("view", "table"), ("shape", "flat")],
        ReportView::CallGraph => &[("view", "sandwich")],
        ReportView::Pairs => &[("view", "linked")],
        ReportView::List(ListKind::Tracks) => &[("view", "timeline")],
        ReportView::List(kind) => {
            // The page names lists as the protocol does.
            let list = serde_json::to_value(list_in(profile, kind))?;
            let list = list.as_str().unwrap_or_default().to_owned();
            return Ok(vec![("view", "timeline".to_owned()), ("tb", list)]);
        }
    };
    Ok(fields.iter().map(|&(key, value)| (key, value.to_owned())).collect())
}

fn granularity(granularity: Granularity) -> &'static str {
    match granularity {
        Granularity::Function => "function",
        Granularity::Name => "name",
        Granularity::File => "file",
        Granularity::Line => "line",
        Granularity::Module => "module",
        Granularity::Address => "address",
    }
}

fn filter_kind(kind: FilterKind) -> &'static str {
    match kind {
        FilterKind::Focus => "focus",
        FilterKind::Search => "search",
        FilterKind::Ignore => "ignore",
        FilterKind::Hide => "hide",
        FilterKind::Show => "show",
        FilterKind::ShowFrom => "show_from",
        FilterKind::LabelFocus => "label_focus",
        FilterKind::LabelIgnore => "label_ignore",
        FilterKind::Time => "time",
        FilterKind::During => "during",
        FilterKind::Around => "around",
    }
}

fn colour(colour: Colour) -> Option<&'static str> {
    match colour {
        // What suits the document.
        Colour::Module => None,
        Colour::File => Some("file"),
        Colour::Function => Some("function"),
        Colour::SelfShare => Some("self_share"),
        Colour::Change => Some("change"),
    }
}
