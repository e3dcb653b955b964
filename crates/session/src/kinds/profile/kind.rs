//! Profiles as a kind of documents: how they are read, merged and compared.

use std::sync::Arc;

use protocol::ProtocolError;

use super::compare::report::Compared;
use super::document::comparing::{CompareOptions, MadeOf};
use super::document::profile_document::ProfileDocument;
use super::document::titles::{short_names, side_titles};
use super::reading::collect::Collector;
use super::source::places;
use crate::Input;
use crate::kinds::{Kind, KindOf, OpenDocument};
use crate::opening::{Opening, Recipe};

/// What was measured: everything that is nothing else.
pub(crate) const KIND: Kind =
    Kind { name: "profile", noun: "profile", recognises: |_, _| true, read };

impl OpenDocument for ProfileDocument {
    fn kind(&self) -> &'static Kind {
        &KIND
    }

    fn title(&self) -> &str {
        self.title()
    }

    fn source_files(&self) -> Vec<String> {
        let profile = self.profile();
        let texts = places::distinct(profile.functions.file.iter().copied());
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
