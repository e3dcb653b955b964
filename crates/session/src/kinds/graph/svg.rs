//! Drawings of graphs as static SVG: text stays text, names show on hover, nothing is loaded.

use std::fmt::Write as _;
use std::sync::Arc;

use protocol::{
    EdgeFlag, GraphKind, GraphLegend, GraphSvgParams, ProtocolError, Reply, SymbolSetting,
    TextResult,
};

use super::colours::{self, Rgb};
use super::drawing::{Drawing, DrawnBox};
use super::labels::Labels;
use super::overlay::{Overlay, lay_over};
use super::{GraphDocument, wording};
use crate::kinds::profile::escape;
use crate::quantity_text;

/// Edges that move nothing of their own, or combine, are dashed.
const DASHED: u32 = EdgeFlag::ORDERS_ONLY | EdgeFlag::COMBINES | EdgeFlag::BINDS_VIEW;

const MARGIN: f64 = 24.0;
/// Room for the title and the legends above the drawing.
const TOP: f64 = 96.0;
/// The same in which a legend's histogram stands.
const LEGEND_WIDTH: f64 = 260.0;
const BAR_HEIGHT: f64 = 26.0;
/// Widths of letters of labels and notes, about.
const LETTER: f64 = 6.8;
const NOTE_LETTER: f64 = 5.8;

/// Colours of what is not an overlay.
struct Theme {
    back: &'static str,
    ink: &'static str,
    mute: &'static str,
    leaf: &'static str,
    line: &'static str,
    /// Grounds of containers, by depth.
    grounds: [&'static str; 2],
}

const LIGHT: Theme = Theme {
    back: "#fbfbfa",
    ink: "#1d2129",
    mute: "#5c6470",
    leaf: "#ffffff",
    line: "#8a93a1",
    grounds: ["#f3f4f6", "#ebedf1"],
};
const DARK: Theme = Theme {
    back: "#17191d",
    ink: "#e6e8ec",
    mute: "#949ba8",
    leaf: "#22262d",
    line: "#6b7484",
    grounds: ["#1c1f25", "#21252c"],
};

/// A drawing with what is laid over it.
pub(crate) fn svg(
    document: &GraphDocument,
    base: Option<&Arc<GraphDocument>>,
    params: &GraphSvgParams,
) -> Result<Reply<TextResult>, ProtocolError> {
    let drawing = document.drawn(&params.view);
    let overlay = lay_over(document, base, &drawing, &params.show);
    let theme = if params.dark { &DARK } else { &LIGHT };
    let title = titled(document, &params.show.symbols);
    let text = Picture { document, drawing: &drawing, overlay: &overlay, theme, title }.draw();
    Ok(Reply::from(TextResult { text, file_name: format!("{}.svg", document.title) }))
}

/// The graph, and the sizes that its numbers are for.
fn titled(document: &GraphDocument, symbols: &[SymbolSetting]) -> String {
    let sizes: Vec<String> =
        symbols.iter().map(|symbol| format!("{} = {}", symbol.name, symbol.value)).collect();
    if sizes.is_empty() {
        return document.title.clone();
    }
    format!("{}, at {}", document.title, sizes.join(", "))
}

struct Picture<'p> {
    document: &'p GraphDocument,
    drawing: &'p Drawing,
    overlay: &'p Overlay,
    theme: &'p Theme,
    title: String,
}

impl Picture<'_> {
    fn draw(&self) -> String {
        let (width, height) = self.drawing.places.sizes.first().copied().unwrap_or_default();
        let legends = [&self.overlay.edges, &self.overlay.nodes];
        let legends: Vec<&GraphLegend> = legends.into_iter().flatten().collect();
        let least = MARGIN + (LEGEND_WIDTH + MARGIN) * legends.len().max(1) as f64;
        let (width, height) = (width.max(least) + 2.0 * MARGIN, height + TOP + 2.0 * MARGIN);
        let Theme { back, ink, mute, .. } = self.theme;
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"system-ui, sans-serif\" \
             font-size=\"12\">\n<style>text{{fill:{ink}}}.n{{fill:{mute};font-size:10.5px}}\
             .e{{font-size:10px;paint-order:stroke;stroke:{back};stroke-width:3px}}</style>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"{back}\"/>\n\
             <text x=\"{MARGIN}\" y=\"26\" font-size=\"14\" font-weight=\"600\">{}</text>\n",
            escape(&self.title),
        );
        for (place, legend) in legends.iter().enumerate() {
            self.legend(&mut out, legend, MARGIN + place as f64 * (LEGEND_WIDTH + MARGIN));
        }
        let _ = writeln!(out, "<g transform=\"translate({MARGIN} {})\">", TOP + MARGIN);
        for place in 0..self.drawing.boxes.len() {
            self.draw_box(&mut out, place);
        }
        let mut labels = Labels::default();
        for place in 0..self.drawing.edges.len() {
            self.edge(&mut out, place, &mut labels);
        }
        out.push_str("</g>\n</svg>\n");
        out
    }

    fn legend(&self, out: &mut String, legend: &GraphLegend, left: f64) {
        let unit =
            if legend.unit.is_empty() { String::new() } else { format!(", {}", legend.unit) };
        let _ = writeln!(
            out,
            "<text x=\"{left}\" y=\"48\" class=\"n\">{}</text>",
            escape(&format!("{}{unit}", legend.title)),
        );
        let mut x = left;
        for category in &legend.categories {
            let text = format!("{} ({})", category.name, category.count);
            let _ = writeln!(
                out,
                "<rect x=\"{x:.1}\" y=\"56\" width=\"10\" height=\"10\" fill=\"{}\"/>\
                 <text x=\"{:.1}\" y=\"65\" class=\"n\">{}</text>",
                category.colour,
                x + 14.0,
                escape(&text),
            );
            x += 24.0 + text.len() as f64 * NOTE_LETTER;
        }
        let most = legend.bins.iter().copied().max().unwrap_or(0).max(1);
        let bar = LEGEND_WIDTH / legend.bins.len().max(1) as f64;
        for (bin, &count) in legend.bins.iter().enumerate() {
            let position = (bin as f64 + 0.5) / legend.bins.len() as f64;
            let colour = colours::hex(colours::at(&self.overlay.ramp, position));
            let height = f64::from(count) / f64::from(most) * BAR_HEIGHT;
            let x = left + bin as f64 * bar;
            let _ = writeln!(
                out,
                "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\" \
                 fill=\"{colour}\"/><rect x=\"{x:.1}\" y=\"82\" width=\"{:.1}\" height=\"5\" \
                 fill=\"{colour}\"/>",
                80.0 - height,
                bar - 0.5,
                bar + 0.2,
            );
        }
        for tick in &legend.ticks {
            let anchor = match tick.position {
                p if p <= 0.0 => "start",
                p if p >= 1.0 => "end",
                _ => "middle",
            };
            let told = format!("{} {}", tick.label, quantity_text(tick.value, &legend.unit));
            let _ = writeln!(
                out,
                "<text x=\"{:.1}\" y=\"98\" class=\"n\" text-anchor=\"{anchor}\">{}</text>",
                left + tick.position * LEGEND_WIDTH,
                escape(told.trim()),
            );
        }
        let beyond =
            [(legend.below, "below"), (legend.above, "above"), (legend.without, "without")];
        let beyond = beyond.into_iter().filter(|(count, _)| *count > 0);
        let beyond = beyond.map(|(count, what)| format!("{count} {what}"));
        let note = Some(legend.note.clone()).filter(|note| !note.is_empty());
        let beyond: Vec<String> = beyond.chain(note).collect();
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"112\" class=\"n\">{}</text>",
            left,
            escape(&beyond.join(", ")),
        );
    }

    fn draw_box(&self, out: &mut String, place: usize) {
        let one = &self.drawing.boxes[place];
        let (x, y) = self.drawing.places.corners[place];
        let (width, height) = self.drawing.places.sizes[place];
        let value = self.overlay.node_value.get(place).copied().unwrap_or(f64::NAN);
        let fill = self.fill(place);
        let plain =
            if one.is_open { self.theme.grounds[one.scopes as usize % 2] } else { self.theme.leaf };
        let colour = fill.map_or(plain.to_owned(), colours::hex);
        let dash = if wording::is_transient(&self.document.program, one.element) {
            " stroke-dasharray=\"4 3\""
        } else {
            ""
        };
        let shape = outline(one, [x, y, width, height]);
        let told = match (value.is_finite(), &self.overlay.nodes) {
            (true, Some(legend)) => quantity_text(value, &legend.unit),
            _ => one.note.clone(),
        };
        let ink = fill.map(ink_on).unwrap_or_default();
        let _ = write!(
            out,
            "<g><title>{}</title><path d=\"{shape}\" fill=\"{colour}\" stroke=\"{}\"{dash}/>",
            escape(&format!("{}: {}", one.label, one.note)),
            self.theme.line,
        );
        let is_end = matches!(one.kind, GraphKind::MapExit | GraphKind::ConsumeExit);
        if one.is_open {
            let label = fitting(&one.label, width * 0.6, LETTER);
            let _ = write!(
                out,
                "<text x=\"{:.1}\" y=\"{:.1}\" font-weight=\"600\">{}</text>\
                 <text x=\"{:.1}\" y=\"{:.1}\" class=\"n\" text-anchor=\"end\">{}</text>",
                x + 10.0,
                y + 17.0,
                escape(&label),
                x + width - 10.0,
                y + 17.0,
                escape(&fitting(&told, width * 0.4 - 20.0, NOTE_LETTER)),
            );
        } else if !is_end {
            let _ = write!(
                out,
                "<text x=\"{0:.1}\" y=\"{1:.1}\" text-anchor=\"middle\"{ink}>{2}</text>\
                 <text x=\"{0:.1}\" y=\"{3:.1}\" class=\"n\" text-anchor=\"middle\"{ink}>{4}</text>",
                x + width / 2.0,
                y + height / 2.0 - 2.0,
                escape(&fitting(&one.label, width - 16.0, LETTER)),
                y + height / 2.0 + 12.0,
                escape(&fitting(&told, width - 16.0, NOTE_LETTER)),
            );
        }
        out.push_str("</g>\n");
    }

    /// The colour of a box, if it has one.
    fn fill(&self, place: usize) -> Option<Rgb> {
        let position = *self.overlay.node_position.get(place)?;
        let is_class = self.overlay.nodes.as_ref().is_some_and(|one| !one.categories.is_empty());
        match (position.is_finite(), is_class) {
            (false, _) => None,
            (true, true) => Some(colours::class(position as usize)),
            (true, false) => Some(colours::at(&self.overlay.ramp, position)),
        }
    }

    fn edge(&self, out: &mut String, place: usize, labels: &mut Labels) {
        let route = &self.drawing.places.routes[place];
        let [first, .., last] = route[..] else { return };
        let edge = &self.drawing.edges[place];
        let mut path = format!("M{:.1} {:.1}", first.0, first.1);
        for pair in route.windows(2) {
            let [(from_x, from_y), (x, y)] = [pair[0], pair[1]];
            let middle = f64::midpoint(from_y, y);
            let _ = if from_x == x {
                write!(path, "V{y:.1}")
            } else if from_y == y {
                write!(path, "H{x:.1}")
            } else {
                write!(path, "C{from_x:.1} {middle:.1} {x:.1} {middle:.1} {x:.1} {y:.1}")
            };
        }
        let position = self.overlay.edge_position.get(place).copied().unwrap_or(f64::NAN);
        let colour = if position.is_finite() {
            colours::hex(colours::at(&self.overlay.ramp, position))
        } else {
            self.theme.line.to_owned()
        };
        let width = if position.is_finite() { 1.2 + 2.4 * position } else { 1.0 };
        let flags = wording::edge_flags(&self.document.program, edge.element);
        let dash = if flags & DASHED != 0 { " stroke-dasharray=\"5 3\"" } else { "" };
        let before = route[route.len() - 2];
        let side = if last.1 >= before.1 { -1.0 } else { 1.0 };
        let label = wording::edge_label(self.document, edge.element);
        let value = self.overlay.edge_value.get(place).copied().unwrap_or(f64::NAN);
        let told = match (value.is_finite(), &self.overlay.edges) {
            (true, Some(legend)) => quantity_text(value, &legend.unit),
            _ if flags & EdgeFlag::INTERSTATE != 0 => label.clone(),
            _ => String::new(),
        };
        let _ = write!(
            out,
            "<g><title>{}</title><path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" \
             stroke-width=\"{width:.1}\"{dash}/><path d=\"M{:.1} {:.1}l-3.5 {}h7z\" \
             fill=\"{colour}\"/>",
            escape(&label),
            last.0,
            last.1,
            side * 7.0,
        );
        if !told.is_empty()
            && let Some((x, y)) = labels.room(route, told.chars().count() as f64 * NOTE_LETTER)
        {
            let _ = write!(
                out,
                "<text class=\"e\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                y + 3.0,
                escape(&told),
            );
        }
        out.push_str("</g>\n");
    }
}

/// The shape of a box, which tells its kind.
fn outline(one: &DrawnBox, [x, y, width, height]: [f64; 4]) -> String {
    let (right, bottom) = (x + width, y + height);
    let rounded = |radius: f64| {
        let (across, down) = (width - 2.0 * radius, height - 2.0 * radius);
        format!(
            "M{:.1} {y:.1}h{across:.1}a{radius} {radius} 0 0 1 {radius} {radius}v{down:.1}\
             a{radius} {radius} 0 0 1 -{radius} {radius}h-{across:.1}\
             a{radius} {radius} 0 0 1 -{radius} -{radius}v-{down:.1}\
             a{radius} {radius} 0 0 1 {radius} -{radius}z",
            x + radius,
        )
    };
    match one.kind {
        _ if one.is_open => rounded(6.0),
        GraphKind::Access | GraphKind::Stream => rounded(height / 2.0),
        GraphKind::Tasklet => {
            let cut = 9.0;
            format!(
                "M{:.1} {y:.1}H{:.1}L{right:.1} {:.1}V{:.1}L{:.1} {bottom:.1}H{:.1}L{x:.1} {:.1}\
                 V{:.1}z",
                x + cut,
                right - cut,
                y + cut,
                bottom - cut,
                right - cut,
                x + cut,
                bottom - cut,
                y + cut,
            )
        }
        GraphKind::Map | GraphKind::Consume => {
            let cut = 12.0;
            let middle = y + height / 2.0;
            format!(
                "M{:.1} {y:.1}H{:.1}L{right:.1} {middle:.1}L{:.1} {bottom:.1}H{:.1}L{x:.1} \
                 {middle:.1}z",
                x + cut,
                right - cut,
                right - cut,
                x + cut,
            )
        }
        GraphKind::Library => {
            let fold = 10.0;
            format!(
                "M{x:.1} {y:.1}H{:.1}L{right:.1} {:.1}V{bottom:.1}H{x:.1}zM{:.1} {y:.1}V{:.1}\
                 H{right:.1}",
                right - fold,
                y + fold,
                right - fold,
                y + fold,
            )
        }
        _ => rounded(3.0),
    }
}

/// A text cut to a width.
fn fitting(text: &str, width: f64, letter: f64) -> String {
    let most = (width / letter).max(0.0) as usize;
    match text.chars().count() <= most {
        true => text.to_owned(),
        false if most < 2 => String::new(),
        false => text.chars().take(most - 1).chain(['…']).collect(),
    }
}

/// Dark or light letters, whichever is easier to read on a colour.
fn ink_on([red, green, blue]: Rgb) -> &'static str {
    let light = 0.299 * f64::from(red) + 0.587 * f64::from(green) + 0.114 * f64::from(blue);
    if light > 140.0 { " style=\"fill:#16181d\"" } else { " style=\"fill:#ffffff\"" }
}
