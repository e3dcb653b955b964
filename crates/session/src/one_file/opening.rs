//! Which documents a report has inside, and how a page opens them.

use std::collections::HashMap;
use std::sync::Arc;

use analysis::{Anonymise, Anonymiser, Rules};
use formats::format_named;
use profile::{Profile, visible};
use protocol::{
    CompareParams, DefineMetricParams, ErrorCode, GraphMeasureParams, GraphRequest, MadeBy,
    MergeParams, ProfileRequest, ProtocolError, ReportAnonymize, ReportParams, Request,
    SessionRequest, UploadParams,
};
use serde::Serialize;

use super::packed::{OfFile, Packed};
use crate::kinds::profile::{Comparing, MadeOf, ProfileDocument, normalise_to_proto};
use crate::kinds::{OpenDocument, downcast};
use crate::opening::Bytes;
use crate::slot::Slot;
use crate::{Call, GraphDocument, Input, Session};

/// Formats whose reading needs more than a page has: files of this machine, or libraries.
const READ_HERE: [&str; 3] = ["perf-data", "parquet", "memray"];

/// A request that opens a document.
#[derive(Debug, Serialize)]
pub(super) struct Step {
    request: Request,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files: Vec<Part>,
}

#[derive(Debug, Serialize)]
struct Part {
    part: String,
    gzip: bool,
}

/// What goes into a report.
pub(super) struct Gathered {
    pub(super) parts: Vec<Packed>,
    /// What opens the documents, in the order of their numbers.
    pub(super) steps: Vec<Step>,
    /// Numbers of documents here, and those that they have in the report.
    pub(super) numbers: Vec<(u32, u32)>,
    /// What is in it, each a sentence.
    pub(super) contains: Vec<String>,
}

/// The id of the element that has a part.
pub(super) fn part_name(number: usize) -> String {
    format!("hotframe-data-{number}")
}

/// Brings together what the wanted documents are made of.
pub(super) fn gather(
    session: &Session,
    asked: &ReportParams,
    call: &dyn Call,
) -> Result<Gathered, ProtocolError> {
    if asked.documents.is_empty() {
        return Err(ProtocolError::new(ErrorCode::BadRequest, "a report shows a document"));
    }
    let titles = session.titles();
    let anonymiser = asked.anonymize.map(|what| {
        Anonymiser::new(match what {
            ReportAnonymize::Paths => Anonymise::Paths,
            ReportAnonymize::Names => Anonymise::Names,
        })
    });
    let gathered = Gathered { parts: vec![], steps: vec![], numbers: vec![], contains: vec![] };
    let mut gathering = Gathering {
        session,
        call,
        titles,
        anonymiser,
        what: asked.anonymize,
        files: HashMap::new(),
        documents: 0,
        gathered,
    };
    for &document in &asked.documents {
        gathering.document(document)?;
    }
    Ok(gathering.gathered)
}

struct Gathering<'a> {
    session: &'a Session,
    call: &'a dyn Call,
    titles: HashMap<u32, String>,
    anonymiser: Option<Anonymiser>,
    what: Option<ReportAnonymize>,
    /// Files of comparisons that were opened as such, by name, with their numbers in the report.
    files: HashMap<String, u32>,
    /// How many documents the steps open.
    documents: u32,
    gathered: Gathered,
}

impl Gathering<'_> {
    /// Brings in an open document, once; gives its number in the report.
    fn document(&mut self, number: u32) -> Result<u32, ProtocolError> {
        if let Some(&(_, known)) = self.gathered.numbers.iter().find(|&&(here, _)| here == number) {
            return Ok(known);
        }
        let slot = self.session.slot(number)?;
        let document = slot.wait(&self.session.reading(), self.call)?;
        let there = match (slot.split_of(), slot.made_by()) {
            // The view names what it is of and its members.
            (Some((whole, _)), _) => self.document(whole)?,
            (None, Some(MadeBy::Merge(MergeParams { documents }))) => {
                let documents =
                    documents.iter().map(|&part| self.document(part)).collect::<Result<_, _>>()?;
                self.made(ProfileRequest::Merge(MergeParams { documents }))
            }
            (None, _) => {
                let profile: Option<Arc<ProfileDocument>> = downcast(document.clone());
                match profile.as_ref().and_then(|profile| profile.comparison()) {
                    Some(comparing) => self.compared(comparing, &slot)?,
                    None => {
                        let title = self.titles.get(&number);
                        let title = title.map_or_else(|| slot.title().to_owned(), String::clone);
                        self.leaf(&slot, &document, profile.as_deref(), title)?
                    }
                }
            }
        };
        self.gathered.numbers.push((number, there));
        if let Some(graph) = downcast::<GraphDocument>(document.clone()) {
            self.measure(&graph, there)?;
        }
        if let Some(profile) = downcast::<ProfileDocument>(document) {
            self.define(&profile, there);
        }
        Ok(there)
    }

    /// Brings in what measured a graph, and has the page lay it over.
    fn measure(&mut self, graph: &GraphDocument, document: u32) -> Result<(), ProtocolError> {
        for (number, title) in graph.measured_by() {
            // What was closed may have been anything.
            if self.session.slot(number).is_err() {
                let title = visible(&title);
                self.gathered
                    .contains
                    .push(format!("Not {title}, which measured it: it is closed."));
                continue;
            }
            let measured = self.document(number)?;
            let request = GraphRequest::GraphMeasure(GraphMeasureParams { document, measured });
            self.gathered.steps.push(Step { request: request.into(), files: vec![] });
        }
        Ok(())
    }

    /// Has the page define the metrics by formula that a profile has here, so that they have the same
    /// numbers.
    fn define(&mut self, profile: &ProfileDocument, document: u32) {
        let metrics = profile.metrics();
        for (metric, formula) in metrics.iter().zip(profile.formulas()).skip(profile.made_metrics())
        {
            if let Some(formula) = formula {
                let name = metric.name.clone();
                let define = DefineMetricParams { document, name, formula };
                let request = ProfileRequest::DefineMetric(define).into();
                self.gathered.steps.push(Step { request, files: vec![] });
            }
        }
    }

    /// Brings in a comparison's sides, and makes it of them.
    fn compared(&mut self, of: &Comparing, slot: &Slot) -> Result<u32, ProtocolError> {
        let bad = |what: &str| {
            let message = format!("{} cannot be put into a report: {what}", visible(slot.title()));
            ProtocolError::new(ErrorCode::BadRequest, message)
        };
        if of.rules != Rules::default() || of.align.is_some() {
            let what = "it is compared by rules, or on a time axis, that a page does not have";
            return Err(bad(what).with_hint("Compare the profiles in the page."));
        }
        let (sides, filters) = match &of.made_of {
            Some(MadeOf::Documents(sides, filters)) => {
                let side = |side: &Vec<u32>| side.clone().into_iter();
                let [base, new] = sides.each_ref().map(side);
                let base = base.map(|part| self.document(part)).collect::<Result<_, _>>()?;
                let new = new.map(|part| self.document(part)).collect::<Result<_, _>>()?;
                ([base, new], filters.clone())
            }
            Some(MadeOf::Files([base, new])) => {
                let base = base.iter().map(|name| self.file(name)).collect::<Result<_, _>>()?;
                let new = new.iter().map(|name| self.file(name)).collect::<Result<_, _>>()?;
                ([base, new], None)
            }
            None => return Err(bad("it is not known what it was made of")),
        };
        let [base, new]: [Vec<u32>; 2] = sides;
        let normalise = normalise_to_proto(&of.normalise);
        let noise = of.noise;
        let compare = CompareParams { base, new, by_age: false, normalise, noise, filters };
        Ok(self.made(ProfileRequest::Compare(compare)))
    }

    /// Brings in what the host has under a name.
    fn file(&mut self, name: &str) -> Result<u32, ProtocolError> {
        if let Some(&known) = self.files.get(name) {
            return Ok(known);
        }
        let slot = Slot::file(name.to_owned(), Bytes::Host(name.to_owned()));
        let document = slot.wait(&self.session.reading(), self.call)?;
        let profile: Option<Arc<ProfileDocument>> = downcast(document.clone());
        let title = slot.title().to_owned();
        let number = self.leaf(&slot, &document, profile.as_deref(), title)?;
        self.files.insert(name.to_owned(), number);
        Ok(number)
    }

    /// Brings in what was made of no other document.
    fn leaf(
        &mut self,
        slot: &Slot,
        document: &Arc<dyn OpenDocument>,
        profile: Option<&ProfileDocument>,
        name: String,
    ) -> Result<u32, ProtocolError> {
        let Some(profile) = profile else {
            let noun = document.kind().noun;
            if self.what.is_some() {
                let message =
                    format!("{} is a {noun}: only profiles can be anonymized", visible(&name));
                return Err(ProtocolError::new(ErrorCode::BadRequest, message));
            }
            let contains = format!("{}: the {noun} as it is in its file.", visible(&name));
            let Some(Input::File(bytes, size)) = self.again(slot) else {
                let message = format!("{} cannot be read again for a report", visible(&name));
                return Err(ProtocolError::new(ErrorCode::Unreadable, message));
            };
            let of = OfFile { name, size, format: None, is_told: false };
            let packed = Packed::file(bytes, of, self.call)?;
            return Ok(self.add(packed, contains));
        };
        if let Some(anonymiser) = &mut self.anonymiser {
            let mut anonymous = Profile::clone(profile.profile());
            anonymiser.anonymise(&mut anonymous);
            let name = format!("profile-{}", self.gathered.parts.len() + 1);
            let what = match self.what {
                Some(ReportAnonymize::Names) => {
                    "names of functions, files, modules, threads, processes and members, folders, \
                     machines, commands, comments and texts of labels"
                }
                _ => {
                    "folders, machines, comments, what programs wrote, and of commands all but the program"
                }
            };
            let contains =
                format!("{name}: a profile; {what} are replaced by numbers or left out.");
            let packed = Packed::profile(&anonymous, name)?;
            return Ok(self.add(packed, contains));
        }
        let origin = &profile.profile().origin.format;
        let format = format_named(origin).filter(|_| !READ_HERE.contains(&origin.as_str()));
        let is_plain = self.session.profiles().reading_as.is_plain();
        if let (Some(format), true) = (format, is_plain)
            && let Some(Input::File(bytes, size @ Some(_))) = self.again(slot)
        {
            let contains = format!("{}: the file as it is ({}).", visible(&name), format.title);
            let is_told = slot.chosen_format().or(self.session.options.from).is_some();
            let of = OfFile { name, size, format: Some(format), is_told };
            return Ok(self.add(Packed::file(bytes, of, self.call)?, contains));
        }
        let contains = format!("{}: the profile as it was read, of all its files.", visible(&name));
        Ok(self.add(Packed::profile(profile.profile(), name)?, contains))
    }

    /// The bytes of a document once more, where that is possible.
    fn again(&self, slot: &Slot) -> Option<Input> {
        slot.opened_again(&self.session.reading())
    }

    fn add(&mut self, packed: Packed, contains: String) -> u32 {
        let Gathered { parts, steps, contains: told, .. } = &mut self.gathered;
        let upload = UploadParams {
            upload: parts.len() as u32,
            name: packed.name.clone(),
            offset: 0.0,
            last: true,
            format: packed.from.map(str::to_owned),
        };
        let files = vec![Part { part: part_name(parts.len()), gzip: packed.unpack }];
        steps.push(Step { request: SessionRequest::Upload(upload).into(), files });
        parts.push(packed);
        told.push(contains);
        self.next()
    }

    /// The number of the document that the last step opens.
    fn next(&mut self) -> u32 {
        self.documents += 1;
        self.documents - 1
    }

    fn made(&mut self, request: ProfileRequest) -> u32 {
        let steps = &mut self.gathered.steps;
        steps.push(Step { request: request.into(), files: vec![] });
        self.next()
    }
}
