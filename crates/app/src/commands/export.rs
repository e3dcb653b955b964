//! `hotframe export`.

mod hash;
mod page;

use std::io::Write as _;

use anyhow::{Result, bail};
use protocol::{ColourBy, LabelBy, ThemeName};
use session::{
    ListKind, ProfileDocument, Pruning, ReportShape, SvgOptions, all_tracks_svg, flame_svg,
    spans_csv,
};

use super::diff;
use super::output::write_output;
use super::show::{self, ReportRequest};
use crate::arguments::{Colour, Export, ReportFormat, ReportView};
use crate::reading;

/// Saves a view.
pub(crate) fn export(arguments: &Export) -> Result<()> {
    let name = arguments.output.to_string_lossy().to_lowercase();
    if name.ends_with(".html") {
        if arguments.role.is_some() {
            bail!("a page shows all roles: give --view pairs, or the --address of its view");
        }
        return page::export(arguments);
    }
    let is_svg = name.ends_with(".svg");
    let is_markdown = name.ends_with(".md");
    if !is_svg && !is_markdown && !name.ends_with(".csv") {
        bail!("{} must end in .html, .md, .svg or .csv", arguments.output.display());
    }
    if arguments.page.are_given() {
        bail!(
            "--address, --anonymize, --with-python, --script, --note and --measured are for reports, which \
             end in .html"
        );
    }
    if !arguments.base.is_empty() {
        if !is_markdown && !is_svg {
            bail!("--base is for reports, comments and pictures, which end in .html, .md and .svg");
        }
        if arguments.role.is_some() {
            bail!("a comparison shows no roles");
        }
        let sides = [&arguments.base[..], &arguments.files[..]];
        let shape = shape(arguments.view, is_svg)?;
        let view = diff::between(sides, &arguments.limits, &arguments.view_options, shape)?;
        return write_output(&arguments.output, |out| {
            if is_svg {
                let svg = view.svg(&look(arguments, Colour::Change))?;
                return Ok(out.write_all(svg.as_bytes())?);
            }
            view.report(ReportFormat::Markdown)?.write(ReportFormat::Markdown, out)
        });
    }
    let document = reading::read(&arguments.files, &arguments.limits)?;
    super::notes::tell_warnings(&document)?;
    if (arguments.view == ReportView::List(ListKind::Tracks) && is_svg)
        || (arguments.view == ReportView::List(ListKind::Spans) && !is_svg && !is_markdown)
    {
        return timeline(arguments, &document, is_svg);
    }
    let mut options = reading::view_options(&document, &arguments.view_options)?;
    let roles: Vec<String> = arguments.role.iter().cloned().collect();
    options.role = show::one_role(&document, &roles)?;
    super::filters::check_filters(&document, &options)?;
    let shape = shape(arguments.view, is_svg)?;
    if !is_svg {
        return write_output(&arguments.output, |out| {
            let format = if is_markdown { ReportFormat::Markdown } else { ReportFormat::Csv };
            let limit = format.limit(None);
            let pruning = Pruning::NONE;
            let asked = ReportRequest {
                document: &document,
                options: &options,
                format,
                limit,
                pruning,
                span: None,
            };
            show::functions(&asked, shape)?.write(format, out)
        });
    }
    let svg = flame_svg(&document, shape, &options, &look(arguments, Colour::Module))?;
    write_output(&arguments.output, |out| Ok(out.write_all(svg.as_bytes())?))
}

/// The shape of what is saved.
fn shape(view: ReportView, is_svg: bool) -> Result<ReportShape> {
    Ok(match view {
        ReportView::TopDown => ReportShape::TopDown,
        ReportView::BottomUp => ReportShape::BottomUp,
        ReportView::AllCallers => ReportShape::AllCallers,
        ReportView::Flat => ReportShape::Flat,
        ReportView::CallGraph if is_svg => {
            bail!("a call graph has no picture yet; choose top-down, bottom-up or flat")
        }
        ReportView::CallGraph => ReportShape::Flat,
        ReportView::Pairs => bail!("pairs are printed by `hotframe show --view pairs`"),
        ReportView::List(_) => bail!(
            "spans are saved as .csv, timelines as .svg; `hotframe show` prints all views of time"
        ),
    })
}

/// Saves the tracks as a picture, or all spans as a table.
fn timeline(arguments: &Export, document: &ProfileDocument, is_svg: bool) -> Result<()> {
    let options = reading::view_options(document, &arguments.view_options)?;
    let text = if is_svg {
        let (svg, notes) = all_tracks_svg(document, &options, &look(arguments, Colour::Module))?;
        for note in notes {
            writeln!(crate::text::stderr(), "hotframe: {note}")?;
        }
        svg
    } else {
        spans_csv(document, &options.filters)?
    };
    write_output(&arguments.output, |out| Ok(out.write_all(text.as_bytes())?))
}

fn look(arguments: &Export, colour: Colour) -> SvgOptions {
    SvgOptions {
        width: arguments.width.into(),
        theme: if arguments.dark { ThemeName::Dark } else { ThemeName::Light },
        colour: match arguments.colour.unwrap_or(colour) {
            Colour::Module => ColourBy::Module,
            Colour::File => ColourBy::File,
            Colour::Function => ColourBy::Function,
            Colour::SelfShare => ColourBy::SelfShare,
            Colour::Change => ColourBy::Change,
        },
        search: arguments.search.clone(),
        labels: LabelBy::Function,
    }
}
