//! Flame graphs as static SVG, as the page draws them: text stays text, names show on hover, nothing
//! is loaded.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;

use analysis::{GroupPlace, NO_VALUE, NodeId, Shape, Tree};
use layout::FlameView;
use profile::shortened_label;
use protocol::{ColourBy, FlameColumns, FlameFlag, FlameResult, LabelBy, ProtocolError, ThemeName};

use crate::kinds::profile::compare::tests_of_runs::compared_sides;
use crate::kinds::profile::convert;
use crate::kinds::profile::pictures::appearance::Painter;
use crate::kinds::profile::pictures::boxes::Boxes;
use crate::kinds::profile::pictures::colours::{
    Finish, Look, Rgb, Theme, bytes, finished, hex, of_sign,
};
use crate::kinds::profile::pictures::measures::flame::{
    BOX_HEIGHT, FONT_SIZE, NARROWEST_OUTLINE, NARROWEST_ROUND, NARROWEST_TEXT, PADDING, ROW_HEIGHT,
    TEXT_MARGIN,
};
use crate::kinds::profile::pictures::measures::{CHARACTER, FONT};
use crate::kinds::profile::trees::views::tree_of;
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

const HEADER_HEIGHT: f64 = 34.0;
const MOST_BOXES: usize = 100_000;
/// Rows that a picture shows; a deeper stack alone would need more boxes than there may be.
const MOST_ROWS: u32 = 5_000;

/// Draws the part of a tree below `root`: the boxes that a page gets for it.
pub(crate) fn svg(
    document: &ProfileDocument,
    tree: &mut Tree,
    root: NodeId,
    painter: Painter<'_>,
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
    let changes = painter.tells_changes().then_some(painter.is_tested());
    let mut boxes = Boxes::new(document, tree, painter, &options.search, options.labels)?;
    for entry in &layout.boxes {
        boxes.push(tree, entry);
    }
    let (FlameResult { names, labels, .. }, columns) = boxes.finish(tree, 0, root);
    let metric = &document.metrics()[tree.metric().index()];
    let theme = Theme::new(options.theme);
    let mut picture = Picture {
        document,
        tree,
        labels: labels.into_iter().map(|one| (one.name, one.label)).collect(),
        names,
        columns,
        options,
        fills: theme.fills(),
        theme,
        unit: Unit::new(&metric.unit, metric.decimals),
        inner: view.width,
        rows: layout.total_rows.min(MOST_ROWS),
        out: String::new(),
    };
    picture.begin(layout.total_rows, width, changes);
    (0..layout.boxes.len()).for_each(|at| picture.draw(at));
    picture.out.push_str("</svg>\n");
    Ok(picture.out)
}

/// A picture as it is written.
struct Picture<'a> {
    document: &'a ProfileDocument,
    tree: &'a Tree,
    columns: FlameColumns,
    names: Vec<String>,
    /// What names are shown as, where that is not the name.
    labels: HashMap<u32, String>,
    options: &'a SvgOptions,
    theme: Theme,
    fills: Vec<Rgb>,
    unit: Unit,
    /// Width of the boxes of the first row.
    inner: f64,
    rows: u32,
    out: String,
}

// Writing to a string cannot fail.
impl Picture<'_> {
    /// What stands above and behind the boxes.
    fn begin(&mut self, total_rows: u32, width: f64, changes: Option<bool>) {
        let (document, tree) = (self.document, self.tree);
        let metric = &document.metrics()[tree.metric().index()];
        let height = HEADER_HEIGHT + f64::from(self.rows) * ROW_HEIGHT + PADDING;
        let Theme { background, ink, mute, frames, .. } = self.theme;
        let [ink, mute, background] = [ink, mute, background].map(|colour| hex(bytes(colour)));
        let [frame_ink, muted, faded] = frames.inks.map(|colour| hex(bytes(colour)));
        let [merged, hatch] = [frames.merged, frames.hatch].map(|colour| hex(bytes(colour)));
        let left_out = match total_rows - self.rows {
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
            self.legend(changes),
            escape(&format!("{}: {whole}{in_all}{left_out}", metric.name)),
        );
    }

    /// What the colours of changes say. `changes` is whether runs were tested, where there are changes.
    fn legend(&self, changes: Option<bool>) -> String {
        let Some(is_tested) = changes.filter(|_| self.options.colour == ColourBy::Change) else {
            return String::new();
        };
        let [more, less] = [1, -1].map(|sign| {
            let (tag, change) = of_sign(sign);
            self.fill(Look::of_change(tag, change).class(ColourBy::Change), Finish::Full)
        });
        format!(
            "<tspan fill=\"{more}\">■</tspan> [+] more \
             <tspan fill=\"{less}\">■</tspan> [-] less{} · ",
            if is_tested { " · [+?] unknown" } else { "" }
        )
    }

    fn draw(&mut self, at: usize) {
        let columns = &self.columns;
        let shape = self.tree.shape();
        let is_inverted = matches!(shape, Shape::Callers(_));
        let row = columns.row[at];
        let row = if is_inverted { self.rows - 1 - row } else { row };
        let x = PADDING + columns.x[at] * self.inner + 0.5;
        let y = HEADER_HEIGHT + f64::from(row) * ROW_HEIGHT + 0.5;
        let drawn = (columns.width[at] * self.inner - 1.0).max(0.6);
        let round = if drawn < NARROWEST_ROUND { 0 } else { 2 };
        let place = format!(
            "x=\"{x:.2}\" y=\"{y}\" width=\"{drawn:.2}\" height=\"{BOX_HEIGHT}\" rx=\"{round}\""
        );
        if columns.merged[at] > 0 {
            return self.draw_merged(at, &place);
        }
        let (flags, by) = (columns.flags[at], self.options.colour);
        let searches = !self.options.search.is_empty();
        let is_match = searches && flags & FlameFlag::MATCHES != 0;
        let finish = match flags {
            _ if searches && !is_match => Finish::Faded,
            _ if flags & FlameFlag::PALE != 0 => Finish::Pale,
            _ => Finish::Full,
        };
        let is_program = columns.node[at] == NodeId::ROOT.0
            && by != ColourBy::Change
            && !matches!(shape, Shape::Callers(_) | Shape::Callees(_));
        let class = if is_program { Look::PROGRAM } else { Look(columns.colours[at]).class(by) };
        let frames = &self.theme.frames;
        let is_narrow = drawn < NARROWEST_OUTLINE;
        let stroke = match frames.border {
            _ if is_narrow => String::new(),
            _ if is_match => stroke_of(frames.outline, 1.25),
            Some(border) => stroke_of(border, 1.0),
            None => String::new(),
        };
        let fill = if is_match && is_narrow {
            hex(bytes(self.theme.accent))
        } else {
            self.fill(class, finish)
        };
        let title = escape(&self.title(at));
        let is_unsure = flags & FlameFlag::UNSURE != 0 && by == ColourBy::Change;
        let text = if drawn < NARROWEST_TEXT { String::new() } else { self.text(at, drawn) };
        let _ =
            write!(self.out, "<g><title>{title}</title><rect {place} fill=\"{fill}\"{stroke}/>",);
        if is_unsure {
            let _ = write!(self.out, "<rect {place} fill=\"url(#unsure)\"/>");
        }
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
    fn draw_merged(&mut self, at: usize, place: &str) {
        let total = match self.columns.total_value[at] {
            NO_VALUE => String::new(),
            total => format!(": {}", self.amount(total)),
        };
        let frames = match self.columns.merged[at] {
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
    fn title(&self, at: usize) -> String {
        let (columns, tree) = (&self.columns, self.tree);
        let node = NodeId(columns.node[at]);
        let GroupPlace { file, line, .. } = tree.place(node);
        let place = match (file, line) {
            ("", _) => String::new(),
            (file, 0) => format!("\n{file}"),
            (file, line) => format!("\n{file}:{line}"),
        };
        let change = match (columns.base_value.get(at), columns.new_value.get(at)) {
            (Some(&base), Some(&new)) => {
                // What is shown may be a formula of both, in another unit.
                let sides = compared_sides(self.document, tree.metric());
                let metric = &self.document.metrics()[sides.base.index()];
                let unit = Unit::new(&metric.unit, metric.decimals);
                let [base, new] = [base, new].map(|value| unit.text(value));
                format!("\n{} {base} to {new}", self.sign(at))
            }
            _ => String::new(),
        };
        let [total, own] = [columns.total_value[at], columns.self_value[at]];
        let [total, own] = [total, own].map(|value| self.amount(value));
        format!("{}{place}{change}\ntotal {total}\nself {own}", tree.label(node))
    }

    /// A value, with its share of the whole where values add up.
    fn amount(&self, value: i64) -> String {
        let text = self.unit.text(value);
        match self.columns.scale[0] {
            whole if whole != 0 && value != NO_VALUE && !self.tree.is_derived() => {
                format!("{text} ({})", share_text(value as f64 / whole as f64))
            }
            _ => text,
        }
    }

    fn fill(&self, class: u32, finish: Finish) -> String {
        hex(self.fills[finished(class, finish)])
    }

    /// What stands before the name of a box that changed.
    fn sign(&self, at: usize) -> &'static str {
        let tag = self.columns.tag.get(at).and_then(|tag| convert::tag_at(tag.checked_sub(1)?));
        match tag {
            Some(tag) if self.columns.flags[at] & FlameFlag::UNSURE != 0 => tag.unsure_sign(),
            Some(tag) => tag.sign(),
            None => "",
        }
    }

    /// What stands on a box: the sign of its change, and its name as far as there is room.
    fn text(&self, at: usize, width: f64) -> String {
        let character = FONT_SIZE * CHARACTER;
        let room = ((width - TEXT_MARGIN - 4.0) / character).floor().max(0.0) as usize;
        let place = self.columns.name[at];
        let name = &self.names[place as usize];
        let label = self.labels.get(&place).unwrap_or(name);
        let sign = self.sign(at);
        if sign.is_empty() {
            return shortened_label(name, label, room);
        }
        match shortened_label(name, label, room.saturating_sub(sign.len() + 1)) {
            name if !name.is_empty() => format!("{sign} {name}"),
            _ if room >= sign.len() => sign.to_owned(),
            _ => String::new(),
        }
    }
}

fn stroke_of(colour: u32, width: f64) -> String {
    format!(" stroke=\"{}\" stroke-width=\"{width}\"", hex(bytes(colour)))
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
    let painter = Painter::new(document, tree.metric(), tests.as_ref());
    svg(document, &mut tree, NodeId::ROOT, painter, options)
}
