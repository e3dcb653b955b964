//! Tracks as static SVG, as the page draws them.

use std::fmt::Write as _;

use profile::shortened_label;
use protocol::{
    ExportTimelineSvgParams, FlameFlag, LanesColumns, LanesResult, Reply, TrackInfo, TracksResult,
};

use crate::Unit;
use crate::kinds::profile::pictures::colours::{Finish, Look, Rgb, Theme, bytes, finished, hex};
use crate::kinds::profile::pictures::flame_svg::escape;
use crate::kinds::profile::pictures::measures::timeline::{
    FOLDED, FONT_SIZE, GAP, HEADING, MARKS, NARROWEST_TEXT, ROW, RULER, SERIES,
};
use crate::kinds::profile::pictures::measures::{CHARACTER, FONT};

/// Width of the names of tracks.
const GUTTER: f64 = 176.0;
const TITLE: f64 = 30.0;
const PADDING: f64 = 10.0;
const CHARACTER_WIDTH: f64 = FONT_SIZE * CHARACTER;
/// Between two times of the ruler.
const TICK_ROOM: f64 = 90.0;

/// Draws what was asked for of some tracks.
pub(crate) fn timeline_svg(
    title: &str,
    tracks: &TracksResult,
    lanes: &Reply<LanesResult, LanesColumns>,
    params: &ExportTimelineSvgParams,
) -> String {
    let theme = Theme::new(params.theme);
    let mut picture =
        Picture { tracks, lanes, params, fills: theme.fills(), theme, out: String::new() };
    picture.all(title);
    picture.out
}

struct Picture<'a> {
    tracks: &'a TracksResult,
    lanes: &'a Reply<LanesResult, LanesColumns>,
    params: &'a ExportTimelineSvgParams,
    theme: Theme,
    fills: Vec<Rgb>,
    out: String,
}

/// Where a track stands.
struct Place {
    top: f64,
    /// Of its chart.
    chart: f64,
    rows: u32,
    height: f64,
}

// Writing to a string cannot fail.
impl Picture<'_> {
    fn all(&mut self, title: &str) {
        let asked = &self.params.lanes;
        let places = self.places();
        let height = places.last().map_or(TITLE + RULER, |last| last.top + last.height) + PADDING;
        let width = GUTTER + asked.width + PADDING;
        let Theme { background, ink, mute, frames, .. } = self.theme;
        let [ink, mute, background] = [ink, mute, background].map(|colour| hex(bytes(colour)));
        let [frame_ink, muted, faded] = frames.inks.map(|colour| hex(bytes(colour)));
        let line = hex(bytes(frames.merged));
        let [from, to] = [asked.from, asked.to].map(|time| self.time_text(time));
        let _ = write!(
            self.out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"{FONT}\" font-size=\"{FONT_SIZE}\">\n\
             <style>text{{fill:{frame_ink}}}.t{{fill:{ink}}}.s{{fill:{mute}}}\
             .p{{fill:{muted};font-style:italic}}.f{{fill:{faded}}}.l{{fill:{line}}}</style>\n\
             <clipPath id=\"plot\"><rect x=\"{GUTTER}\" width=\"{}\" height=\"{height}\"/></clipPath>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"{background}\"/>\n\
             <text class=\"t\" x=\"{PADDING}\" y=\"20\" font-size=\"13\" font-weight=\"600\">{}</text>\n\
             <text class=\"s\" x=\"{}\" y=\"20\" text-anchor=\"end\">{from} to {to}</text>\n",
            asked.width,
            escape(title),
            width - PADDING,
        );
        self.ruler(height);
        self.out.push_str("<g clip-path=\"url(#plot)\">\n");
        self.bars(&places);
        self.activity(&places);
        self.marks(&places);
        self.series(&places);
        self.out.push_str("</g>\n");
        for (place, wanted) in places.iter().zip(&asked.tracks) {
            let y = place.top + place.height - 3.0;
            let _ =
                writeln!(self.out, "<rect class=\"l\" y=\"{y}\" width=\"{width}\" height=\"1\"/>");
            let Some(track) = self.track(wanted.track) else { continue };
            let indent = 8.0 + f64::from(track.depth.min(4)) * 12.0;
            let room = ((GUTTER - indent - 8.0) / CHARACTER_WIDTH) as usize;
            let title = match track.recording.as_str() {
                "" => track.name.clone(),
                of => format!("{} of {of}", track.name),
            };
            let name = shortened_label(&title, &title, room);
            let _ = writeln!(
                self.out,
                "<text class=\"t\" x=\"{indent}\" y=\"{}\"><title>{}</title>{}</text>",
                place.top + 15.0,
                escape(&title),
                escape(&name),
            );
        }
        self.out.push_str("</svg>\n");
    }

    fn track(&self, number: u32) -> Option<&TrackInfo> {
        self.tracks.tracks.iter().find(|track| track.track == number)
    }

    fn places(&self) -> Vec<Place> {
        let mut top = TITLE + RULER;
        let asked = self.params.lanes.tracks.iter().zip(&self.lanes.result.rows);
        asked
            .map(|(wanted, &rows)| {
                let track = self.track(wanted.track);
                let has_chart = track.is_some_and(|one| one.spans + one.samples > 0.0);
                let marks = track.is_some_and(|one| one.marks > 0.0);
                let rows = if has_chart { rows.min(wanted.rows) } else { 0 };
                let chart = if marks { MARKS } else { 0.0 };
                let mut height = chart;
                if rows > 0 {
                    height += f64::from(rows) * ROW;
                } else if has_chart || wanted.group {
                    height += FOLDED - GAP;
                }
                height += self.counters_of(wanted.track).count() as f64 * SERIES;
                let place = Place {
                    top,
                    chart: top + chart,
                    rows,
                    height: height.max(HEADING - GAP) + GAP,
                };
                top += place.height;
                place
            })
            .collect()
    }

    fn counters_of(&self, track: u32) -> impl Iterator<Item = usize> + '_ {
        let all = self.tracks.counters.iter().enumerate();
        all.filter(move |(_, one)| one.track == track).map(|(number, _)| number)
    }

    /// The place of a time, after the first of all.
    fn x(&self, time: f64) -> f64 {
        let asked = &self.params.lanes;
        let x = (time - asked.from) / (asked.to - asked.from) * asked.width;
        GUTTER + x.clamp(-20.0, asked.width + 20.0)
    }

    fn time_text(&self, time: f64) -> String {
        length_text(self.tracks.origin + time)
    }

    fn ruler(&mut self, height: f64) {
        let asked = &self.params.lanes;
        let least = ((asked.to - asked.from) / asked.width * TICK_ROOM).max(1.0);
        let power = 10f64.powf(least.log10().floor());
        let step = [1.0, 2.0, 5.0].map(|digit| digit * power);
        let step = step.into_iter().find(|&one| one >= least).unwrap_or(10.0 * power);
        let mut time = (asked.from / step).ceil() * step;
        while time <= asked.to {
            let x = self.x(time);
            let text = self.time_text(time);
            let _ = writeln!(
                self.out,
                "<rect class=\"l\" x=\"{x:.2}\" y=\"{TITLE}\" width=\"1\" height=\"{}\"/>\
                 <text class=\"s\" x=\"{:.2}\" y=\"{}\">{text}</text>",
                height - TITLE,
                x + 4.0,
                TITLE + 14.0,
            );
            time += step;
        }
    }

    fn fill(&self, colours: u32, finish: Finish) -> String {
        let class = if colours == 0 { 0 } else { Look(colours).class(self.params.colour) };
        hex(self.fills[finished(class, finish)])
    }

    fn bars(&mut self, places: &[Place]) {
        let columns = &self.lanes.columns;
        let names = &self.lanes.result.names;
        let searches = !self.params.lanes.search.is_empty();
        for bar in 0..columns.bar_of.len() {
            let place = &places[columns.bar_of[bar] as usize];
            let row = columns.bar_row[bar];
            if row >= place.rows {
                continue;
            }
            let row = if self.params.upwards { place.rows - 1 - row } else { row };
            let [left, right] =
                [columns.bar_begin[bar], columns.bar_end[bar]].map(|time| self.x(time));
            let (y, wide) =
                (place.chart + f64::from(row) * ROW + 0.5, (right - left - 0.5).max(0.6));
            let flags = columns.bar_flags[bar];
            let finish = match flags {
                _ if searches && flags & FlameFlag::MATCHES == 0 => Finish::Faded,
                _ if flags & FlameFlag::PALE != 0 => Finish::Pale,
                _ => Finish::Full,
            };
            let name = &names[columns.bar_name[bar] as usize];
            let [begin, length] = [
                self.time_text(columns.bar_begin[bar]),
                length_text(columns.bar_end[bar] - columns.bar_begin[bar]),
            ];
            let at_least =
                if flags & FlameFlag::UNFINISHED != 0 { "unfinished, at least " } else { "" };
            let merged = match columns.bar_merged[bar] {
                0 => String::new(),
                more => format!("\nthe longest of {}", more + 1),
            };
            let fill = self.fill(columns.bar_colours[bar], finish);
            let _ = write!(
                self.out,
                "<g><title>{}\n{at_least}{length} at {begin}{merged}</title><rect x=\"{left:.2}\" y=\"{y}\" \
                 width=\"{wide:.2}\" height=\"16.5\" fill=\"{fill}\"/>",
                escape(name),
            );
            let text_left = left.max(GUTTER);
            let room = right.min(GUTTER + self.params.lanes.width) - text_left;
            if room >= NARROWEST_TEXT {
                let class = match finish {
                    Finish::Full => "",
                    Finish::Pale => " class=\"p\"",
                    Finish::Faded => " class=\"f\"",
                };
                let text = shortened_label(name, name, ((room - 8.0) / CHARACTER_WIDTH) as usize);
                let _ = write!(
                    self.out,
                    "<text{class} x=\"{:.2}\" y=\"{}\">{}</text>",
                    text_left + 4.0,
                    y + 12.5,
                    escape(&text)
                );
            }
            self.out.push_str("</g>\n");
        }
    }

    fn activity(&mut self, places: &[Place]) {
        let columns = &self.lanes.columns;
        for at in 0..columns.busy_of.len() {
            let place = &places[columns.busy_of[at] as usize];
            if place.rows > 0 {
                continue;
            }
            let tall = (columns.busy_share[at] * (FOLDED - GAP - 3.0)).max(1.0);
            let x = GUTTER + f64::from(columns.busy_unit[at]);
            let y = place.chart + FOLDED - GAP - 3.0 - tall;
            let fill = self.fill(columns.busy_colours[at], Finish::Full);
            let _ = writeln!(
                self.out,
                "<rect x=\"{x}\" y=\"{y:.2}\" width=\"1.2\" height=\"{tall:.2}\" fill=\"{fill}\"/>"
            );
        }
    }

    fn marks(&mut self, places: &[Place]) {
        let columns = &self.lanes.columns;
        let ink = hex(bytes(self.theme.frames.outline));
        for mark in 0..columns.mark_of.len() {
            let x = self.x(columns.mark_time[mark]);
            let y = places[columns.mark_of[mark] as usize].chart - MARKS + 2.0;
            let name = &self.lanes.result.names[columns.mark_name[mark] as usize];
            let time = self.time_text(columns.mark_time[mark]);
            let more = match columns.mark_merged[mark] {
                0 => String::new(),
                more => format!(" and {more} more marks"),
            };
            let _ = writeln!(
                self.out,
                "<path d=\"M{x:.2} {y}l3.5 4l-3.5 4l-3.5 -4z\" fill=\"{ink}\"><title>{} at \
                 {time}{more}</title></path>",
                escape(name)
            );
        }
    }

    fn series(&mut self, places: &[Place]) {
        let columns = &self.lanes.columns;
        let accent = hex(bytes(self.theme.accent));
        for (place, wanted) in places.iter().zip(&self.params.lanes.tracks) {
            let counters: Vec<usize> = self.counters_of(wanted.track).collect();
            let first = place.top + place.height - GAP - counters.len() as f64 * SERIES;
            for (at, number) in counters.into_iter().enumerate() {
                let counter = &self.tracks.counters[number];
                let top = first + at as f64 * SERIES + 3.0;
                let least = counter.least.min(0.0);
                let range = (counter.most - least).max(f64::MIN_POSITIVE);
                let room = SERIES - 8.0;
                let y = |value: f64| top + room - (value - least) / range * (room - 12.0);
                let mut path = String::new();
                for one in 0..columns.value_of.len() {
                    if columns.value_of[one] as usize != number {
                        continue;
                    }
                    let x = GUTTER + f64::from(columns.value_unit[one]);
                    let [low, high] = [columns.value_least[one], columns.value_most[one]].map(y);
                    let _ = if path.is_empty() {
                        write!(path, "M{x:.2} {high:.2}V{low:.2}")
                    } else {
                        write!(path, "H{x:.2}V{high:.2}V{low:.2}")
                    };
                }
                if path.is_empty() {
                    continue;
                }
                let _ = writeln!(
                    self.out,
                    "<path d=\"{path}H{}\" fill=\"none\" stroke=\"{accent}\" stroke-width=\"1.25\"/>\
                     <text class=\"s\" x=\"{}\" y=\"{}\">{}</text>",
                    GUTTER + self.params.lanes.width,
                    GUTTER + 6.0,
                    top + 8.0,
                    escape(&format!("{} {}", counter.name, counter.unit)),
                );
            }
        }
    }
}

fn length_text(nanoseconds: f64) -> String {
    Unit::new("nanoseconds", 0).text(nanoseconds.round() as i64)
}
