//! What the notes of a profile and rules of advice say of it, for every host.

use std::borrow::Cow;
use std::sync::Arc;

use analysis::advice::{self, AdviceRule, Noted, Noticed};
use analysis::{FrameKey, FrameKeys, Granularity, GroupPlace};
use profile::{ContextId, FrameId, MetricId, NoteOf, Profile, base_name, is_link, visible};
use protocol::ProtocolError;

use super::convert;
use crate::kept::Question;
use crate::kinds::profile::source::index::source_index;
use crate::kinds::profile::trees::views::{filtered_by, frame_keys};
use crate::{ProfileDocument, Unit, ViewOptions};

/// Advice on a function, a line or the whole program.
#[derive(Debug, Clone, PartialEq)]
pub struct Advised {
    /// A few words: what kind of thing it is.
    pub title: String,
    /// What is said, as plain text.
    pub text: String,
    /// Where more is said; may be empty.
    pub link: String,
    /// Who says so: where the rule stands, or that it is a note of the profile.
    pub origin: String,
    /// The function, as functions are told apart; none of the whole program and of what was not measured.
    pub key: Option<FrameKey>,
    /// Its name.
    pub name: String,
    /// Its file; may be empty.
    pub file: String,
    /// Its line, or the one that a note is about; 0 if unknown.
    pub line: u32,
    /// The functions around it, outermost first, where it is about one call path.
    pub path: String,
    /// Its value where the rule fits, with what it is of; why there is none; or empty.
    pub value: String,
    /// What that is of the whole program, from 0 to 1; none where there is no value.
    pub share: Option<f64>,
    /// Whether it is an estimate, as call paths by which it was chosen are.
    pub is_estimated: bool,
}

/// What is said.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AllAdvised {
    /// The profile's notes, then what rules say: of both the largest share first.
    pub found: Vec<Advised>,
    /// Rules that ask for what the profile does not have, each a sentence.
    pub left_out: Vec<String>,
}

/// Who says what stands in notes.
const OF_PROFILE: &str = "a note of the profile";

/// Functions of a path that are named: the innermost ones.
const MOST_OF_PATH: usize = 8;

/// Advice over all of a profile.
#[derive(PartialEq, Eq, Hash)]
struct AdviceIn {
    metric: MetricId,
    /// All that the rules say.
    rules: String,
}

impl Question for AdviceIn {
    type Answer = AllAdvised;
    const KEPT: usize = 4;
}

/// What the profile's notes say, then what the rules that come along and `more` say of the functions of a
/// view, in its metric or in those that they name; nothing of comparisons, whose values are two things.
pub fn advice(
    document: &ProfileDocument,
    options: &ViewOptions,
    more: &[AdviceRule],
) -> Result<AllAdvised, ProtocolError> {
    // Where nothing was measured there is nothing to advise.
    if document.comparison().is_some() || document.profile().metrics.is_empty() {
        return Ok(AllAdvised::default());
    }
    let filtered = filtered_by(document, options).map_err(convert::filter_error)?;
    let keys = frame_keys(document, Granularity::Function);
    let rules = [advice::shipped(), more.to_vec()].concat();
    let all = advice::advice(&filtered, &keys, options.metric, &rules);
    let profile: &Profile = document.profile();
    let told = |found: advice::Advice| {
        let place = keys.place(profile, found.key);
        let rule = &rules[found.rule];
        Advised {
            title: rule.title.clone(),
            text: rule.text.clone(),
            link: rule.link.clone(),
            origin: rule.origin.clone(),
            key: Some(found.key),
            name: keys.name(profile, found.key).into_owned(),
            file: place.file.to_owned(),
            line: place.line,
            path: String::new(),
            value: value_of(profile, found.metric, found.value),
            share: Some(found.share),
            is_estimated: found.is_estimated,
        }
    };
    let metric = filtered.base_metric(options.metric);
    let notes = advice::noted(&filtered, &keys, metric);
    let notes = notes.into_iter().map(|noted| note_to_advice(profile, &keys, metric, noted));
    // What comes along fits many profiles and not all: silence about that is not news.
    let is_told = |one: &advice::LeftOutRule| !rules[one.rule].is_shipped();
    let left_out = all.left_out.iter().filter(|one| is_told(one)).map(|one| {
        let rule = &rules[one.rule];
        format!("{} ({}): {}.", visible(&rule.title), rule.origin, one.why)
    });
    Ok(AllAdvised {
        left_out: left_out.collect(),
        found: notes.chain(all.found.into_iter().map(told)).collect(),
    })
}

/// The same of one function of the index of `metric`, over all of the profile.
pub fn source_advice(
    document: &ProfileDocument,
    metric: MetricId,
    function: u32,
    more: &[AdviceRule],
) -> Result<Vec<Advised>, ProtocolError> {
    if document.is_derived(metric) || document.comparison().is_some() {
        return Ok(vec![]);
    }
    let index = source_index(document, metric)?;
    let key = frame_keys(document, Granularity::Function).key(index.frame_of(function));
    let all = known_advice(document, metric, more)?;
    Ok(all.found.iter().filter(|one| one.key == Some(key)).cloned().collect())
}

/// The advice over all of the profile in a metric, worked out once.
fn known_advice(
    document: &ProfileDocument,
    metric: MetricId,
    more: &[AdviceRule],
) -> Result<Arc<AllAdvised>, ProtocolError> {
    let rules = format!("{more:?}");
    document.kept().answer(AdviceIn { metric, rules }, || {
        let options = ViewOptions { metric, ..ViewOptions::default() };
        advice(document, &options, more)
    })
}

fn value_of(profile: &Profile, metric: MetricId, value: i64) -> String {
    let metric = profile.metric(metric);
    format!("{} of {}", Unit::new(&metric.unit, metric.decimals).text(value), metric.name)
}

/// A note of the profile, with what was measured of what it is about.
fn note_to_advice(profile: &Profile, keys: &FrameKeys, metric: MetricId, noted: Noted) -> Advised {
    let Noted { note, key, value, share, is_estimated } = noted;
    let note = &profile.notes[note];
    let text = |id| profile.text(id).to_owned();
    let mut name = match key {
        Some(key) => keys.name(profile, key).into_owned(),
        None => "the whole program".to_owned(),
    };
    let place = key.map_or_else(GroupPlace::default, |key| keys.place(profile, key));
    let (mut file, mut line) = (place.file, place.line);
    let mut path = String::new();
    match note.about {
        NoteOf::Context(context) => {
            path = path_to(profile, context);
            let frame = profile.frames_of(context).next_back().map(FrameId);
            if let Some(frame) = frame.filter(|_| key.is_none()) {
                name = profile.frame_name(frame).into_owned();
                file = profile.frame_file(frame);
                line = profile.place_line(frame);
            }
        }
        NoteOf::Function(function) if key.is_none() => {
            name =
                profile.function_name(function).unwrap_or("a function without a name").to_owned();
            file = profile.text(profile.functions.file[function.index()]);
            line = profile.functions.start_line[function.index()];
        }
        NoteOf::Function(_) => {}
        NoteOf::Line(of, number) => {
            (file, line) = (profile.text(of), number);
            if key.is_none() {
                name = format!("{}:{number}", base_name(file));
            }
        }
    }
    // Who wrote the file may have written anything.
    let link = Some(profile.text(note.link)).filter(|link| is_link(link)).unwrap_or_default();
    Advised {
        title: text(note.title),
        text: text(note.text),
        link: link.to_owned(),
        origin: OF_PROFILE.to_owned(),
        key,
        name,
        file: file.to_owned(),
        line,
        path,
        value: match value {
            Noticed::Value(value) => value_of(profile, metric, value),
            Noticed::NotMeasured => "not measured".to_owned(),
            Noticed::DoesNotAddUp => String::new(),
        },
        share,
        is_estimated,
    }
}

/// The functions around the innermost one of a context, outermost first.
fn path_to(profile: &Profile, context: ContextId) -> String {
    let mut names: Vec<Cow<'_, str>> = vec![];
    let mut at = Some(context);
    let mut left_out = 0;
    while let Some(context) = at {
        for frame in profile.frames_of(context).rev() {
            if names.len() <= MOST_OF_PATH {
                names.push(profile.frame_name(FrameId(frame)));
            } else {
                left_out += 1;
            }
        }
        at = profile.contexts.parent(context);
    }
    if left_out > 0 {
        names.push(format!("({left_out} more)").into());
    }
    names.into_iter().skip(1).rev().collect::<Vec<_>>().join(" › ")
}
