//! Profiles: what was measured.

mod advised;
mod aligned;
mod answers;
mod appearance;
mod built;
mod charts;
mod chosen;
mod collect;
mod colours;
mod compare_matches;
mod compare_report;
mod comparing;
mod convert;
mod correlate;
mod csv;
mod demangle;
mod derived;
mod document;
mod events;
mod experiment;
mod failed_runs;
mod frames_of;
mod lists;
mod methods;
mod metrics;
mod report;
mod shared_machine;
mod sided;
mod source_changes;
mod source_index;
mod source_instructions;
mod source_places;
mod svg;
mod switched_off;
mod symbolise;
mod time_changes;
mod timeline_svg;
mod titles;
mod track_titles;

use std::sync::Arc;

use ::profile::NamedFormula;
use analysis::advice::AdviceRule;
use protocol::ProtocolError;

pub use advised::{Advised, AllAdvised};
pub use chosen::ChosenSide;
pub use collect::{Collector, ReadingAs};
pub use compare_report::{ChangeOrder, ChangeRow, CompareOptions, Compared};
pub use comparing::Comparing;
pub use correlate::{ChosenRole, PairRow, PairsReport, RoleOptions};
pub use demangle::Demangle;
pub use document::{ProfileDocument, ViewOptions};
pub use events::{
    Better, BinsAsked, Division, EventCell, EventChange, EventChanges, EventReport, EventRow,
    EventTimeline, FrameLimits, MOST_BINS, MigrationsOfSet, SetsBy, compare_events, events_of_both,
    level_name,
};
pub use experiment::{
    BELIEVED, DifferenceReport, DifferenceRow, EffectReport, HistoryLine, HistoryReport,
    HistoryStep, Matrix, MatrixCell, Measured, OnlyRow, Quantity, Trouble, TroubledRun,
    ratio_interval, ratio_text,
};
pub use failed_runs::WithoutFailed;
pub use lists::{PathHead, critical_path_head, list};
pub use report::{
    CallReport, Called, Exactness, Pruning, ReportPlace, ReportRow, ReportShape, TreeLeftOut,
};
pub use source_changes::{FunctionChange, SourceChanges};
pub use source_index::{SourceCalls, SourceFunction, SourceIndex, SourceLine};
pub use source_instructions::SourceInstruction;
pub use svg::SvgOptions;
pub use time_changes::{StretchChange, StretchChanges};
pub use titles::{merged_title, short_names, side_titles};

pub(crate) use answers::rule_info;
pub(crate) use comparing::MadeOf;
pub(crate) use convert::normalise_told;
pub(crate) use methods::Asked;
pub use methods::is_older;
pub(crate) use svg::escape;
pub(crate) use titles::numbered;

use super::{Kind, KindOf, OpenDocument};
use crate::Input;
use crate::opening::{Opening, Recipe};

/// What was measured: everything that is nothing else.
pub(crate) const KIND: Kind =
    Kind { name: "profile", noun: "profile", recognises: |_, _| true, read };

/// What is made of every profile that a session reads.
#[derive(Debug, Clone, Default)]
pub(crate) struct ProfileSettings {
    /// Metrics for the profiles whose own they are worked out from.
    pub(crate) formulas: Vec<NamedFormula>,
    pub(crate) reading_as: ReadingAs,
    /// Rules of advice of a user or a team, besides those that come along.
    pub(crate) rules: Arc<[AdviceRule]>,
}

impl OpenDocument for ProfileDocument {
    fn kind(&self) -> &'static Kind {
        &KIND
    }

    fn title(&self) -> &str {
        self.title()
    }

    fn source_files(&self) -> Vec<String> {
        let profile = self.profile();
        let texts = source_places::distinct(profile.functions.file.iter().copied());
        let named = texts.into_iter().map(|file| profile.text(file));
        named.filter(|file| !file.is_empty()).map(str::to_owned).collect()
    }

    fn made_s(&self) -> Option<f64> {
        Some(self.measured_at()? as f64 / 1e9)
    }
}

impl KindOf for ProfileDocument {
    const KIND: Kind = KIND;
}

fn read(input: Input, opening: &Opening<'_>) -> Result<Arc<dyn OpenDocument>, ProtocolError> {
    let mut collector = collector(opening);
    collector.add(input, opening.watch(), opening.title())?;
    Ok(opened(collector.finish(opening.title()), opening))
}

/// What the host has under several names as one profile.
pub(crate) fn merged(names: Vec<String>) -> Recipe {
    Arc::new(move |opening| Ok(opened(read_all(&names, opening.title(), opening)?, opening)))
}

/// The comparison of what the host has under two lists of names; several are runs.
pub(crate) fn compared(base: Vec<String>, new: Vec<String>, how: CompareOptions) -> Recipe {
    Arc::new(move |opening| {
        let titles = side_titles(&base, &new);
        let read = [read_all(&base, &titles[0], opening)?, read_all(&new, &titles[1], opening)?];
        let compared = Compared::new(&read[0], &read[1], &how)?;
        let made_of = MadeOf::Files([base.clone(), new.clone()]);
        Ok(opened(compared.document.made_of(made_of), opening))
    })
}

fn collector<'a>(opening: &'a Opening<'_>) -> Collector<'a> {
    Collector::new(opening.options()).reading_as(opening.reading.profiles.reading_as.clone())
}

fn read_all(
    names: &[String],
    title: &str,
    opening: &Opening<'_>,
) -> Result<ProfileDocument, ProtocolError> {
    let mut collector = collector(opening);
    for (name, told) in names.iter().zip(short_names(names)) {
        collector.add(opening.open(name, told)?, opening.watch(), told)?;
    }
    Ok(collector.finish(title))
}

fn opened(mut document: ProfileDocument, opening: &Opening<'_>) -> Arc<dyn OpenDocument> {
    document.define_fitting(&opening.reading.profiles.formulas);
    Arc::new(document)
}
