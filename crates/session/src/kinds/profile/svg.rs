//! Flame graphs as static SVG: text stays text, names show on hover, nothing is loaded.

use std::borrow::Cow;
use std::fmt::Write as _;

use analysis::{NO_VALUE, NodeId, Pattern, Tree, matching_frames, matching_keys};
use layout::FlameView;
use profile::{FrameId, shortened};
use protocol::{ColourBy, ProtocolError};

use crate::kinds::pattern_error;
use crate::kinds::profile::comparing::change_of;
use crate::kinds::profile::convert;
use crate::kinds::profile::derived::Tests;
use crate::kinds::profile::palette::{Palette, Subject};
use crate::{ProfileDocument, Unit, share_text};

/// How the picture looks.
#[derive(Debug, Clone)]
pub struct SvgOptions {
    /// Width in pixels.
    pub width: f64,
    /// Dark colours.
    pub dark: bool,
    /// What decides the colour.
    pub colour: ColourBy,
    /// Regular expression to highlight; empty for none.
    pub search: String,
}

impl Default for SvgOptions {
    fn default() -> Self {
        SvgOptions { width: 1400.0, dark: false, colour: ColourBy::Module, search: String::new() }
    }
}

const ROW_HEIGHT: f64 = 18.0;
const MARGIN: f64 = 12.0;
const HEADER_HEIGHT: f64 = 34.0;
/// Width of a character of the 11-pixel monospaced font.
const CHARACTER_WIDTH: f64 = 6.65;
/// Space between a box's edges and its text.
const TEXT_MARGIN: f64 = 5.0;
const MOST_BOXES: usize = 100_000;
/// Rows that a picture shows; a deeper stack alone would need more boxes than there may be.
const MOST_ROWS: u32 = 5_000;

/// Draws the part of a tree below `root`; `tests` are those of a comparison's runs.
pub(crate) fn svg(
    document: &ProfileDocument,
    tree: &mut Tree,
    root: NodeId,
    tests: Option<&Tests>,
    options: &SvgOptions,
) -> Result<String, ProtocolError> {
    let width =
        if options.width.is_finite() { options.width.clamp(200.0, 20_000.0) } else { 1400.0 };
    let inner = width - 2.0 * MARGIN;
    let view = FlameView {
        root,
        from: 0.0,
        to: 1.0,
        width: inner,
        first_row: 0,
        rows: MOST_ROWS,
        most_boxes: MOST_BOXES,
    };
    let layout = layout::flame(tree, &view);
    let matching = match options.search.as_str() {
        "" => None,
        text => {
            let pattern = Pattern::typed(text).map_err(pattern_error)?;
            Some(matching_keys(tree.keys(), &matching_frames(tree.filtered(), &pattern)))
        }
    };
    let profile = document.profile();
    let palette =
        Palette { by: options.colour, dark: options.dark, one_module: profile.modules.len() <= 1 };
    let metric = &document.metrics()[tree.metric().index()];
    let (back, ink, mute) = if options.dark {
        ("#17191d", "#e6e8ec", "#949ba8")
    } else {
        ("#fbfbfa", "#1d2129", "#5c6470")
    };
    let drawn_rows = layout.total_rows.min(MOST_ROWS);
    let height = HEADER_HEIGHT + f64::from(drawn_rows) * ROW_HEIGHT + MARGIN;
    let left_out = match layout.total_rows - drawn_rows {
        0 => String::new(),
        rows => format!(", {rows} deeper rows left out"),
    };
    let mut out = String::new();
    let whole = tree.node(NodeId::ROOT).total;
    let is_derived = tree.is_derived();
    let unit = Unit::of(&metric.unit, metric.decimals);
    let amount = |value: i64| unit.text(value);
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"ui-monospace, Menlo, Consolas, monospace\" \
         font-size=\"11\">\n<style>text{{fill:{ink}}}g:hover>rect{{stroke:{ink}}}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"{back}\"/>\n\
         <text x=\"{MARGIN}\" y=\"20\" font-size=\"13\" font-weight=\"600\">{}</text>\n\
         <text x=\"{}\" y=\"20\" text-anchor=\"end\" style=\"fill:{mute}\">{}</text>\n",
        escape(document.title()),
        width - MARGIN,
        escape(&format!("{}: {} in all{left_out}", metric.name, amount(whole))),
    );
    for entry in &layout.boxes {
        let x = MARGIN + entry.x * inner;
        let y = HEADER_HEIGHT + f64::from(entry.row) * ROW_HEIGHT;
        let w = entry.width * inner;
        // Values of formulas have no shares.
        let share = |value: i64| match whole {
            _ if is_derived || value == NO_VALUE => String::new(),
            0 => String::new(),
            whole => format!(" ({})", share_text(value as f64 / whole as f64)),
        };
        if entry.merged > 0 {
            let _ = writeln!(
                out,
                "<g><title>{} frames, each narrower than a pixel: {}{}</title>\
                 <rect x=\"{x:.2}\" y=\"{y}\" width=\"{:.2}\" height=\"{}\" fill=\"{mute}\" \
                 fill-opacity=\"0.35\"/></g>",
                entry.merged,
                escape(&amount(entry.total_value)),
                share(entry.total_value),
                w.max(0.4),
                ROW_HEIGHT - 1.0,
            );
            continue;
        }
        let name = tree.label(entry.node).into_owned();
        let change = document.comparison().map(|comparing| {
            let metric = document.compared_metric(tree.metric());
            let change = change_of(tree, entry.node, metric);
            let test = tests.and_then(|tests| tests.get(&entry.node));
            (comparing.tag(change, test), change)
        });
        let node = tree.node(entry.node);
        let frame = node.frame.map(FrameId);
        let (file, module) = match frame {
            Some(frame) => (profile.frame_file(frame), profile.frame_module(frame)),
            None => ("", ""),
        };
        let self_share = match entry.total_value {
            0 | NO_VALUE => 0.0,
            _ if entry.self_value == NO_VALUE => 0.0,
            total => entry.self_value as f64 / total as f64,
        };
        let subject = Subject { name: &name, module, file, self_share, change };
        let fill = match frame {
            Some(_) => palette.fill(&subject),
            None => palette.fill(&Subject {
                name: "",
                module: "",
                file: "",
                self_share: 0.0,
                change: None,
            }),
        };
        let is_match = matching.as_ref().map(|keys| {
            tree.is_frame(entry.node) && keys.get(node.key.index()).copied().unwrap_or(false)
        });
        let marks = match is_match {
            Some(true) => format!(" stroke=\"{ink}\" stroke-width=\"1.5\""),
            Some(false) => " fill-opacity=\"0.35\"".to_owned(),
            None => String::new(),
        };
        let line = frame.map_or(0, |frame| profile.place_line(frame));
        let place = match (file, line) {
            ("", _) => String::new(),
            (file, 0) => format!("\n{file}"),
            (file, line) => format!("\n{file}:{line}"),
        };
        let _ = write!(
            out,
            "<g><title>{}{}\ntotal {}{}\nself {}{}</title>\
             <rect x=\"{x:.2}\" y=\"{y}\" width=\"{:.2}\" height=\"{}\" rx=\"2\" fill=\"{fill}\"{marks}/>",
            escape(&name),
            escape(&place),
            escape(&amount(entry.total_value)),
            share(entry.total_value),
            escape(&amount(entry.self_value)),
            share(entry.self_value),
            (w - 0.6).max(0.4),
            ROW_HEIGHT - 1.0,
        );
        let room = ((w - 2.0 * TEXT_MARGIN) / CHARACTER_WIDTH).floor();
        // A character or two say nothing.
        let text = shortened(&name, room.max(0.0) as usize);
        // A character or two of a name say nothing.
        let text = if room < 4.0 && text.contains('…') { String::new() } else { text };
        if !text.is_empty() {
            let (x, y) = (x + TEXT_MARGIN, y + ROW_HEIGHT - 6.0);
            let _ = write!(out, "<text x=\"{x:.2}\" y=\"{y}\">{}</text>", escape(&text));
        }
        out.push_str("</g>\n");
    }
    out.push_str("</svg>\n");
    Ok(out)
}

/// Text as XML can hold it: what is no character there becomes the replacement character.
pub(crate) fn escape(text: &str) -> String {
    let is_none =
        |c: char| c < ' ' && !matches!(c, '\n' | '\t') || matches!(c, '\u{fffe}' | '\u{ffff}');
    let text = if text.contains(is_none) {
        Cow::Owned(text.replace(is_none, "\u{fffd}"))
    } else {
        Cow::Borrowed(text)
    };
    quick_xml::escape::escape(&*text).into_owned()
}

impl ProfileDocument {
    /// The flame graph of a shape as SVG.
    pub fn svg(
        &self,
        shape: crate::ReportShape,
        view: &crate::ViewOptions,
        options: &SvgOptions,
    ) -> Result<String, ProtocolError> {
        let mut tree = self.tree(shape.into(), view).map_err(convert::filter_error)?;
        let metric = self.compared_metric(view.metric);
        let tests = self.comparison().map(|one| one.groups.significance(&mut tree, metric));
        svg(self, &mut tree, NodeId::ROOT, tests.as_ref(), options)
    }
}
