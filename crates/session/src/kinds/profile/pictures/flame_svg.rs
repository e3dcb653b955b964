//! Flame graphs as static SVG, as the page draws them: text stays text, names show on hover, nothing
//! is loaded.

use std::borrow::Cow;
use std::fmt::Write as _;

use analysis::{
    GroupPlace, NO_VALUE, NodeId, Pattern, Shape, Tree, matching_frames, matching_keys,
};
use layout::{FlameBox, FlameLayout, FlameView};
use profile::shortened_label;
use protocol::{ColourBy, LabelBy, ProtocolError, ThemeName};

use crate::kinds::pattern_error;
use crate::kinds::profile::compare::tests_of_runs::compared_sides;
use crate::kinds::profile::convert;
use crate::kinds::profile::pictures::appearance::{Painter, Shown, label_of};
use crate::kinds::profile::pictures::colours::{
    Finish, Look, Rgb, Theme, bytes, finished, hex, of_sign,
};
use crate::kinds::profile::trees::views::{Tests, tree_of};
use crate::{ProfileDocument, Unit, share_text};

/// How the picture looks.
#[derive(Debug, Clone)]
pub struct SvgOptions {
    /// Width in pixels.
    pub width: f64,
    /// Its colours.
    pub theme: ThemeName,
    /// What decides the colour.
    pub colour: ColourBy,
    /// Regular expression to highlight; empty for none.
    pub search: String,
    /// What frames are called.
    pub labels: LabelBy,
}

impl Default for SvgOptions {
    fn default() -> Self {
        SvgOptions {
            width: 1400.0,
            theme: ThemeName::Light,
            colour: ColourBy::Module,
            search: String::new(),
            labels: LabelBy::Function,
        }
    }
}

/// Lines from the lower left to the upper right, in a tile of 6 by 6.
const DIAGONALS: &str = "M-7 7L1 -1M-1 7L7 -1M5 7L13 -1";

// The page's measures, `canvas/paint.ts`.
const ROW_HEIGHT: f64 = 20.0;
const PADDING: f64 = 10.0;
const FONT: &str = "ui-monospace, 'JetBrains Mono', Menlo, 'DejaVu Sans Mono', monospace";
const FONT_SIZE: f64 = 11.5;
/// Width of a character of that font: Menlo's and DejaVu's share of the size.
const CHARACTER_WIDTH: f64 = FONT_SIZE * 0.602;
const TEXT_MARGIN: f64 = 6.0;
/// Narrower boxes get no text.
const NARROWEST_TEXT: f64 = 30.0;
/// An outline around narrower boxes would only be a dark line.
const NARROWEST_OUTLINE: f64 = 4.0;
/// Narrower boxes get square corners.
const NARROWEST_ROUND: f64 = 6.0;

const HEADER_HEIGHT: f64 = 34.0;
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
    let view = FlameView {
        root,
        from: 0.0,
        to: 1.0,
        width: width - 2.0 * PADDING,
        first_row: 0,
        rows: MOST_ROWS,
        most_boxes: MOST_BOXES,
    };
    let layout = layout::flame(tree, &view);
    let matching = match options.search.as_str() {
        "" => None,
        text => {
            let pattern = Pattern::search(text).map_err(pattern_error)?;
            Some(matching_keys(tree.keys(), &matching_frames(tree.filtered(), &pattern)))
        }
    };
    let metric = &document.metrics()[tree.metric().index()];
    let theme = Theme::new(options.theme);
    let mut picture = Picture {
        painter: Painter::new(document, tree.metric(), tests),
        matching,
        colour: options.colour,
        labels: options.labels,
        fills: theme.fills(),
        theme,
        unit: Unit::new(&metric.unit, metric.decimals),
        whole: (!tree.is_derived()).then(|| tree.node(NodeId::ROOT).total),
        inner: view.width,
        rows: layout.total_rows.min(MOST_ROWS),
        is_inverted: matches!(tree.shape(), Shape::Callers(_)),
        out: String::new(),
    };
    picture.begin(document, tree, &layout, width);
    for entry in &layout.boxes {
        picture.draw(document, tree, entry);
    }
    picture.out.push_str("</svg>\n");
    Ok(picture.out)
}

/// A picture as it is written.
struct Picture<'a> {
    painter: Painter<'a>,
    /// Whether frames match the search, by key; none without a search.
    matching: Option<Vec<bool>>,
    colour: ColourBy,
    labels: LabelBy,
    theme: Theme,
    fills: Vec<Rgb>,
    unit: Unit,
    /// The total that shares are of; none where values do not add up.
    whole: Option<i64>,
    /// Width of the boxes of the first row.
    inner: f64,
    rows: u32,
    is_inverted: bool,
    out: String,
}

// Writing to a string cannot fail.
impl Picture<'_> {
    /// What stands above and behind the boxes.
    fn begin(&mut self, document: &ProfileDocument, tree: &Tree, layout: &FlameLayout, width: f64) {
        let metric = &document.metrics()[tree.metric().index()];
        let height = HEADER_HEIGHT + f64::from(self.rows) * ROW_HEIGHT + PADDING;
        let Theme { background, ink, mute, frames, .. } = self.theme;
        let [ink, mute, background] = [ink, mute, background].map(|colour| hex(bytes(colour)));
        let [frame_ink, muted, faded] = frames.inks.map(|colour| hex(bytes(colour)));
        let [merged, hatch] = [frames.merged, frames.hatch].map(|colour| hex(bytes(colour)));
        let left_out = match layout.total_rows - self.rows {
            0 => String::new(),
            rows => format!(", {rows} deeper rows left out"),
        };
        let whole = self.unit.text(tree.node(NodeId::ROOT).total);
        // The sandwich's trees are of one function.
        let (of_function, in_all) = match tree.shape() {
            Shape::Callers(_) => (format!(", callers of {}", tree.label(NodeId::ROOT)), ""),
            Shape::Callees(_) => (format!(", callees of {}", tree.label(NodeId::ROOT)), ""),
            _ => (String::new(), " in all"),
        };
        let of = document.comparison().map_or_else(String::new, |comparing| {
            let [base, new] = &comparing.sides;
            format!(": {new} against {base}")
        });
        let _ = write!(
            self.out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"{FONT}\" font-size=\"{FONT_SIZE}\">\n\
             <style>text{{fill:{frame_ink}}}.t{{fill:{ink}}}.s{{fill:{mute}}}\
             .p{{fill:{muted};font-style:italic}}.f{{fill:{faded}}}\
             g:hover>rect{{stroke:{ink}}}</style>\n\
             <pattern id=\"several\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">\
             <rect width=\"6\" height=\"6\" fill=\"{merged}\"/>\
             <path d=\"{DIAGONALS}\" stroke=\"{hatch}\"/></pattern>\n\
             <pattern id=\"unsure\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">\
             <path d=\"{DIAGONALS}\" stroke=\"{background}\"/></pattern>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"{background}\"/>\n\
             <text class=\"t\" x=\"{PADDING}\" y=\"20\" font-size=\"13\" font-weight=\"600\">{}</text>\n\
             <text class=\"s\" x=\"{}\" y=\"20\" text-anchor=\"end\">{}{}</text>\n",
            escape(&format!("{}{of}{of_function}", document.title())),
            width - PADDING,
            self.legend(),
            escape(&format!("{}: {whole}{in_all}{left_out}", metric.name)),
        );
    }

    /// What the colours of changes say.
    fn legend(&self) -> String {
        if self.colour != ColourBy::Change || !self.painter.tells_changes() {
            return String::new();
        }
        let [more, less] = [1, -1].map(|sign| {
            let (tag, change) = of_sign(sign);
            self.fill(Look::of_change(tag, change).class(ColourBy::Change), Finish::Full)
        });
        format!(
            "<tspan fill=\"{more}\">■</tspan> [+] more \
             <tspan fill=\"{less}\">■</tspan> [-] less{} · ",
            if self.painter.is_tested() { " · [+?] unknown" } else { "" }
        )
    }

    fn draw(&mut self, document: &ProfileDocument, tree: &mut Tree, entry: &FlameBox) {
        let shown = self.painter.show(tree, entry.node, entry.self_value, entry.total_value);
        let row = if self.is_inverted { self.rows - 1 - entry.row } else { entry.row };
        let x = PADDING + entry.x * self.inner + 0.5;
        let y = HEADER_HEIGHT + f64::from(row) * ROW_HEIGHT + 0.5;
        let width = entry.width * self.inner;
        let drawn = (width - 1.0).max(0.6);
        let round = if drawn < NARROWEST_ROUND { 0 } else { 2 };
        let place = format!("x=\"{x:.2}\" y=\"{y}\" width=\"{drawn:.2}\" height=\"18.5\"");
        if entry.merged > 0 {
            return self.draw_merged(entry, &format!("{place} rx=\"{round}\""));
        }
        let key = tree.node(entry.node).key.index();
        let is_match = self
            .matching
            .as_ref()
            .map(|keys| tree.is_frame(entry.node) && keys.get(key).copied().unwrap_or(false));
        let finish = match is_match {
            Some(false) => Finish::Faded,
            _ if shown.is_pale => Finish::Pale,
            _ => Finish::Full,
        };
        let is_program = entry.node == NodeId::ROOT
            && self.colour != ColourBy::Change
            && !matches!(tree.shape(), Shape::Callers(_) | Shape::Callees(_));
        let class = if is_program { Look::PROGRAM } else { shown.look.class(self.colour) };
        let frames = &self.theme.frames;
        let is_narrow = drawn < NARROWEST_OUTLINE;
        let stroke = match (is_match, frames.border) {
            (Some(true), _) if !is_narrow => Some((frames.outline, 1.25)),
            (_, Some(border)) if drawn >= NARROWEST_OUTLINE => Some((border, 1.0)),
            _ => None,
        };
        let stroke = stroke.map_or_else(String::new, |(colour, width)| {
            format!(" stroke=\"{}\" stroke-width=\"{width}\"", hex(bytes(colour)))
        });
        // An outline around next to nothing would only be a dark line.
        let fill = match is_match {
            Some(true) if is_narrow => hex(bytes(self.theme.accent)),
            _ => self.fill(class, finish),
        };
        let title = self.title(document, tree, entry, &shown);
        let _ = write!(
            self.out,
            "<g><title>{}</title><rect {place} rx=\"{round}\" fill=\"{}\"{stroke}/>",
            escape(&title),
            fill,
        );
        if shown.is_unsure && self.colour == ColourBy::Change {
            let _ = write!(self.out, "<rect {place} rx=\"{round}\" fill=\"url(#unsure)\"/>");
        }
        let text = if drawn < NARROWEST_TEXT {
            String::new()
        } else {
            self.text(tree, entry, &shown, drawn)
        };
        if !text.is_empty() {
            let class = match finish {
                Finish::Full => "",
                Finish::Pale => " class=\"p\"",
                Finish::Faded => " class=\"f\"",
            };
            let (x, y) = (x + TEXT_MARGIN, y + ROW_HEIGHT / 2.0 + 3.5);
            let text = escape(&text);
            let _ = write!(self.out, "<text{class} x=\"{x:.2}\" y=\"{y}\">{text}</text>");
        }
        self.out.push_str("</g>\n");
    }

    /// Draws a box of frames that are narrower than a pixel, at attributes of a rectangle.
    fn draw_merged(&mut self, entry: &FlameBox, place: &str) {
        let total = match entry.total_value {
            NO_VALUE => String::new(),
            total => format!(": {}{}", self.unit.text(total), self.share(total)),
        };
        let frames = match entry.merged {
            1 => "1 frame,".to_owned(),
            merged => format!("{merged} frames, each"),
        };
        let _ = writeln!(
            self.out,
            "<g><title>{frames} narrower than a pixel{}</title>\
             <rect {place} fill=\"url(#several)\"/></g>",
            escape(&total),
        );
    }

    /// The tooltip of a box.
    fn title(
        &self,
        document: &ProfileDocument,
        tree: &Tree,
        entry: &FlameBox,
        shown: &Shown,
    ) -> String {
        let GroupPlace { file, line, .. } = tree.place(entry.node);
        let place = match (file, line) {
            ("", _) => String::new(),
            (file, 0) => format!("\n{file}"),
            (file, line) => format!("\n{file}:{line}"),
        };
        let change = shown.change.filter(|_| document.comparison().is_some()).map(|(_, change)| {
            // What is shown may be a formula of both, in another unit.
            let sides = compared_sides(document, tree.metric());
            let metric = &document.metrics()[sides.base.index()];
            let unit = Unit::new(&metric.unit, metric.decimals);
            let [base, new] = [change.base, change.new].map(|value| unit.text(value));
            format!("\n{} {base} to {new}", shown.sign())
        });
        let change = change.unwrap_or_default();
        let amount = |value: i64| format!("{}{}", self.unit.text(value), self.share(value));
        let values = [("total", entry.total_value), ("self", entry.self_value)];
        let [total, own] = values.map(|(name, value)| format!("\n{name} {}", amount(value)));
        format!("{}{place}{change}{total}{own}", tree.label(entry.node))
    }

    /// ` (12 %)` where there is a whole.
    fn share(&self, value: i64) -> String {
        match self.whole {
            Some(whole) if whole != 0 && value != NO_VALUE => {
                format!(" ({})", share_text(value as f64 / whole as f64))
            }
            _ => String::new(),
        }
    }

    fn fill(&self, class: u32, finish: Finish) -> String {
        hex(self.fills[finished(class, finish)])
    }

    /// What stands on a box: the sign of its change, and its name as far as there is room.
    fn text(&self, tree: &Tree, entry: &FlameBox, shown: &Shown, width: f64) -> String {
        let room = ((width - TEXT_MARGIN - 4.0) / CHARACTER_WIDTH).floor().max(0.0) as usize;
        let (name, label) = (tree.name(entry.node), label_of(tree, entry.node, self.labels));
        let sign = shown.sign();
        if sign.is_empty() {
            return shortened_label(&name, &label, room);
        }
        match shortened_label(&name, &label, room.saturating_sub(sign.len() + 1)) {
            name if !name.is_empty() => format!("{sign} {name}"),
            _ if room >= sign.len() => sign.to_owned(),
            _ => String::new(),
        }
    }
}

/// Text as XML can hold it: what is not a character there becomes the replacement character.
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

/// The flame graph of a shape as SVG.
pub fn flame_svg(
    document: &ProfileDocument,
    shape: crate::ReportShape,
    view: &crate::ViewOptions,
    options: &SvgOptions,
) -> Result<String, ProtocolError> {
    let mut tree = tree_of(document, shape.into(), view).map_err(convert::filter_error)?;
    let tests = document.comparison().and_then(|one| {
        one.groups.significance(&mut tree, compared_sides(document, view.metric).compared?)
    });
    svg(document, &mut tree, NodeId::ROOT, tests.as_ref(), options)
}
