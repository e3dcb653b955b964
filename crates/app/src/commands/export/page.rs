//! Reports: the page that needs no server, with the documents behind its end.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use protocol::{
    CompareParams, DocumentInfo, DocumentParams, DocumentState, MergeParams, Normalise,
    ProfileRequest, Request, SessionRequest, UploadParams,
};
use serde::Serialize;
use session::{Anonymiser, Profile, ProfileDocument, Session, Silent, visible};

use super::super::write_output;
use super::embedded::{Embedded, is_read_anywhere, write_part};
use super::engine;
use super::hash;
use crate::arguments::{Anonymized, Export};
use crate::host::{self, FileHost, document_name};
use crate::python_parts;
use crate::settings;
use crate::viewer;

/// What the page finds behind its end; `web/ui/src/host/report.ts` reads it.
#[derive(Serialize)]
struct Report {
    view: String,
    steps: Vec<Step>,
}

/// A request that opens a document.
#[derive(Serialize)]
struct Step {
    request: Request,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files: Vec<Part>,
}

#[derive(Serialize)]
struct Part {
    part: String,
    gzip: bool,
}

/// Writes a report.
pub(super) fn export(arguments: &Export) -> Result<()> {
    let page = viewer::page().context(
        "this Hotframe was built without the viewer that reports have inside: build it with \
         `cargo xtask page` and then again",
    )?;
    let all = [&arguments.base[..], &arguments.files[..]].concat();
    host::check(&all)?;
    let python = if arguments.with_python { python_parts::all()? } else { vec![] };
    let (embedded, profile) = documents(&all, arguments)?;
    let mut steps: Vec<Step> =
        (0..).zip(&embedded).map(|(number, one)| opening(number, one)).collect();
    let count = embedded.len() as u32;
    // Scripts ask for what the first engine leaves out.
    let takes_whole = arguments.with_python || embedded.iter().any(|one| one.takes_whole);
    let base = arguments.base.len() as u32;
    let mut shown = 0;
    if base > 0 || (count > 1 && profile.is_some()) {
        shown = count;
        let documents = (0..count).collect::<Vec<u32>>();
        let together = if base > 0 {
            let (base, new) = documents.split_at(base as usize);
            ProfileRequest::Compare(CompareParams {
                base: base.to_vec(),
                new: new.to_vec(),
                by_age: false,
                normalise: Normalise::Absolute {},
                noise: 0.0,
                filters: None,
            })
        } else {
            ProfileRequest::Merge(MergeParams { documents })
        };
        steps.push(Step { request: together.into(), files: vec![] });
    }
    let view = match &arguments.address {
        Some(address) => address.rsplit_once('#').map_or(&**address, |(_, hash)| hash).to_owned(),
        None => hash::of(arguments, profile.as_deref(), shown)?,
    };
    // What would end the element, or begin another, is written as JSON may.
    let report = serde_json::to_string(&Report { view, steps })?.replace('<', "\\u003c");
    write_output(&arguments.output, |out| {
        for part in engine::chosen(&page, takes_whole)? {
            out.write_all(part)?;
        }
        for (number, one) in embedded.iter().enumerate() {
            one.write(&part(number), out)?;
        }
        for (name, packed) in &python {
            write_part(&format!("hotframe-python-{name}"), packed, out)?;
        }
        writeln!(
            out,
            "<script type=\"application/json\" id=\"hotframe-report\">{report}</script>"
        )?;
        Ok(())
    })
}

/// The bytes of all documents, and the first of them if it is a profile.
fn documents(
    all: &[PathBuf],
    arguments: &Export,
) -> Result<(Vec<Embedded>, Option<Arc<ProfileDocument>>)> {
    let options = arguments.limits.read_options();
    let host = FileHost::new(all, options.max_size);
    let session = Session::new(Box::new(host), options)
        .with_formulas(settings::formulas()?)
        .reading_as(arguments.limits.reading_as());
    let names: Vec<String> = all.iter().map(|path| document_name(path)).collect();
    let told = session::short_names(&names);
    let mut embedded = vec![];
    let mut first = None;
    let what = arguments.anonymize.unwrap_or(Anonymized::Paths);
    let mut anonymiser = Anonymiser::new(what.into());
    for ((path, name), told) in all.iter().zip(&names).zip(told) {
        let document = session.add(name);
        let answer =
            session.answer(SessionRequest::Wait(DocumentParams { document }), vec![], &Silent)?;
        let info: DocumentInfo = answer.into_result()?;
        let is_profile =
            matches!(&info.state, DocumentState::Ready { shows } if shows == "profile");
        if !is_profile {
            if arguments.anonymize.is_some() {
                bail!("{} is no profile: only profiles can be anonymized", visible(name));
            }
            if all.len() > 1 {
                bail!("{} is no profile: a report has one graph, or profiles", visible(name));
            }
            embedded.push(Embedded::file(path, told, true, None)?);
            continue;
        }
        let profile = session.ready::<ProfileDocument>(document, &Silent)?;
        super::super::tell_warnings(&profile)?;
        embedded.push(match arguments.anonymize {
            Some(_) => anonymized(&profile, &mut anonymiser, embedded.len() + 1)?,
            None => one(path, told, &profile, arguments)?,
        });
        first.get_or_insert(profile);
    }
    Ok((embedded, first))
}

/// A profile as its file has it, or as it was read here where a page would read something else.
fn one(path: &Path, name: &str, profile: &ProfileDocument, arguments: &Export) -> Result<Embedded> {
    if arguments.limits.is_plain() && is_read_anywhere(path, profile) {
        Embedded::file(path, name, false, Some(&profile.profile().origin.format))
    } else {
        Embedded::profile(profile.profile(), name)
    }
}

/// A profile without what tells whose it is; nothing of the file as it was is in the report.
fn anonymized(
    profile: &ProfileDocument,
    anonymiser: &mut Anonymiser,
    number: usize,
) -> Result<Embedded> {
    let mut anonymous = Profile::clone(profile.profile());
    anonymiser.anonymise(&mut anonymous);
    Embedded::profile(&anonymous, &format!("profile-{number}"))
}

fn opening(number: u32, embedded: &Embedded) -> Step {
    let upload = UploadParams {
        upload: number,
        name: embedded.name.clone(),
        offset: 0.0,
        last: true,
        format: None,
    };
    Step {
        request: SessionRequest::Upload(upload).into(),
        files: vec![Part { part: part(number as usize), gzip: embedded.unpack }],
    }
}

fn part(number: usize) -> String {
    format!("hotframe-data-{number}")
}
