//! `hotframe export`.

use anyhow::{Result, bail};
use protocol::{ColourBy, LabelBy, ThemeName};
use session::{ReportShape, SvgOptions};

use super::show::{self, Asked};
use super::write_output;
use crate::arguments::{Colour, Export, ReportFormat, ReportView};
use crate::reading;

/// Saves a view.
pub(crate) fn export(arguments: &Export) -> Result<()> {
    let name = arguments.output.to_string_lossy().to_lowercase();
    let is_svg = name.ends_with(".svg");
    if !is_svg && !name.ends_with(".csv") {
        bail!("{} must end in .svg or .csv", arguments.output.display());
    }
    let document = reading::read(&arguments.files, &arguments.limits)?;
    super::tell_warnings(&document)?;
    let options = reading::view_options(&document, &arguments.view_options)?;
    super::tell_filter_notes(&document, &options)?;
    let shape = match arguments.view {
        ReportView::TopDown => ReportShape::TopDown,
        ReportView::BottomUp => ReportShape::BottomUp,
        ReportView::Flat => ReportShape::Flat,
        ReportView::CallGraph if is_svg => {
            bail!("a call graph has no picture yet; choose top-down, bottom-up or flat")
        }
        ReportView::CallGraph => ReportShape::Flat,
        ReportView::Pairs => bail!("pairs are printed by `hotframe show --view pairs`"),
        _ => bail!("views of time are printed by `hotframe show`"),
    };
    if !is_svg {
        return write_output(&arguments.output, |out| {
            let format = ReportFormat::Csv;
            let asked = Asked { document: &document, options: &options, format, limit: usize::MAX };
            show::functions(&asked, shape)?.write(format, out)
        });
    }
    let svg = document.svg(
        shape,
        &options,
        &SvgOptions {
            width: arguments.width.into(),
            theme: if arguments.dark { ThemeName::Dark } else { ThemeName::Light },
            colour: match arguments.colour {
                Colour::Module => ColourBy::Module,
                Colour::File => ColourBy::File,
                Colour::Function => ColourBy::Function,
                Colour::SelfShare => ColourBy::SelfShare,
                Colour::Change => ColourBy::Change,
            },
            search: arguments.search.clone(),
            labels: LabelBy::Function,
        },
    )?;
    write_output(&arguments.output, |out| Ok(out.write_all(svg.as_bytes())?))
}
