//! `hotframe show`.

mod calls;
mod functions;
mod head;
mod pairs;
mod timeline;

use std::io::{BufWriter, Write};

use anyhow::{Result, bail};
use session::{ListKind, Order, ProfileDocument, Pruning, ReportShape, ViewOptions};

pub(super) use functions::{Files, estimated, exactness, place_fields, report as functions};
pub(super) use pairs::one_role;
pub(super) use timeline::check_times;

use crate::arguments::{ReportFormat, ReportView, Show, Sort};
use crate::reading;
use crate::report::Report;

/// What a report is made from.
pub(super) struct ReportRequest<'a> {
    pub(super) document: &'a ProfileDocument,
    pub(super) options: &'a ViewOptions,
    pub(super) format: ReportFormat,
    /// Most rows.
    pub(super) limit: usize,
    /// What of trees is cut off.
    pub(super) pruning: Pruning,
    /// The row of the span whose critical path is wanted.
    pub(super) span: Option<u32>,
}

/// Prints a report.
pub(crate) fn show(arguments: &Show) -> Result<()> {
    let document = reading::read(&arguments.files, &arguments.limits)?;
    super::notes::tell_warnings(&document)?;
    let mut options = reading::view_options(&document, &arguments.view_options)?;
    options.order = order(arguments)?;
    let is_pairs = arguments.view == ReportView::Pairs && arguments.peek.is_none();
    if !is_pairs {
        options.role = pairs::one_role(&document, &arguments.role)?;
    }
    super::filters::check_filters(&document, &options)?;
    let format = arguments.format;
    let limit = format.limit(arguments.limit);
    let pruning = pruning(arguments)?;
    let span = span(arguments)?;
    let asked =
        ReportRequest { document: &document, options: &options, format, limit, pruning, span };
    let mut out = BufWriter::new(crate::text::stdout());
    if is_pairs {
        let roles = pairs::two_roles(&document, &arguments.role)?;
        pairs::write(&asked, roles, &mut out)?;
    } else {
        report(arguments, &asked)?.write(format, &mut out)?;
    }
    Ok(out.flush()?)
}

fn report<'a>(arguments: &'a Show, asked: &'a ReportRequest<'a>) -> Result<Report<'a>> {
    if arguments.peek.is_some() {
        return calls::report(asked, arguments.peek.as_deref());
    }
    match arguments.view {
        ReportView::CallGraph | ReportView::Pairs => calls::report(asked, None),
        ReportView::TopDown => functions::report(asked, ReportShape::TopDown),
        ReportView::BottomUp => functions::report(asked, ReportShape::BottomUp),
        ReportView::AllCallers => functions::report(asked, ReportShape::AllCallers),
        ReportView::Flat => functions::report(asked, ReportShape::Flat),
        ReportView::List(kind) => timeline::report(asked, kind),
    }
}

/// The span whose critical path is wanted.
fn span(arguments: &Show) -> Result<Option<u32>> {
    let is_path =
        arguments.view == ReportView::List(ListKind::CriticalPath) && arguments.peek.is_none();
    if !is_path && arguments.span.is_some() {
        bail!("--span works only with --view critical-path");
    }
    Ok(arguments.span)
}

/// What of a tree is cut off.
fn pruning(arguments: &Show) -> Result<Pruning> {
    let Show { prune, depth, view, peek, .. } = arguments;
    use ReportView::{AllCallers, BottomUp, TopDown};
    let is_tree = matches!(view, TopDown | BottomUp | AllCallers) && peek.is_none();
    if !is_tree && (prune.is_some() || depth.is_some()) {
        bail!("--prune and --depth cut trees: --view top-down, bottom-up and all-callers");
    }
    Ok(Pruning {
        least: prune.map_or(0.0, |share| share.0 / 100.0),
        depth: depth.unwrap_or(u32::MAX),
    })
}

/// What rows are ordered by.
fn order(arguments: &Show) -> Result<Order> {
    use ReportView::{AllCallers, BottomUp, Flat, TopDown};
    let is_ordered = matches!(arguments.view, Flat | TopDown | BottomUp | AllCallers)
        && arguments.peek.is_none();
    match arguments.sort {
        None => Ok(Order::Value),
        Some(_) if !is_ordered => bail!(
            "--sort orders --view flat, top-down, bottom-up and all-callers; a call graph, spans and gaps are \
             ordered by total, pairs by value, marks by how often they are, concurrency by the most \
             at once, states and paths by time, and tracks as they stand"
        ),
        Some(Sort::OwnValue) => Ok(Order::Own),
        Some(Sort::Total) => Ok(Order::Total),
        Some(Sort::Name) => Ok(Order::Name),
    }
}
