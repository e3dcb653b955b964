//! The facade: what is open, and one answer per protocol method.
//!
//! A [`Session`] holds [`Document`]s and answers [`protocol::Request`]s. It touches nothing by
//! itself: bytes come from its [`Host`] or from the page. The command line uses [`Document`]
//! directly.

mod answers;
mod collect;
mod compare_matches;
mod compare_report;
mod convert;
mod correlate;
mod csv;
mod demangle;
mod document;
mod graph;
mod load;
mod palette;
mod report;
mod source_index;
mod source_instructions;
mod svg;
mod uploads;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use protocol::{
    Column, Columns, DocumentInfo, DocumentState, DocumentsResult, ErrorCode, FormatInfo,
    FormatsResult, Frame, GraphShow, Header, Progress, ProtocolError, Request,
};

pub use analysis::notes::{Note, escaped};
pub use analysis::{
    Change, Filter, FilterKind, Granularity, LinkedRole, Match, MembersBy, MergeNote, NO_VALUE,
    Normalise, Order, Rule, Rules, Significance, Tag, member_totals,
};
pub use collect::{Collector, ReadingAs, merged_title, short_names};
pub use compare_report::{ChangeRow, CompareOptions, Compared};
pub use correlate::{ChosenRole, PairRow, PairsReport, RoleOptions};
pub use csv::field as csv_field;
pub use demangle::Demangle;
pub use document::{Comparing, Document, ViewOptions};
pub use formats::{
    FORMATS, Feature, Folder, FolderFile, Format, ReadOptions, format_for_file_name, format_named,
    is_folder_part, part_siblings,
};
pub use graph::GraphDocument;
pub use load::{Host, Input, Watch};
pub use profile::{Metric, NamedFormula, Profile, base_name, decimal_text, shortened, visible};
pub use report::{CallReport, Called, ReportRow, ReportShape};
pub use sdfg;
pub use source_index::{SourceCalls, SourceFunction, SourceIndex, SourceLine};
pub use source_instructions::SourceInstruction;
pub use svg::SvgOptions;

use load::{Bytes, Opened, Reading, Slot};
use uploads::Uploads;

/// What a request may use while it runs.
pub trait Call: Sync {
    /// Tells the caller how far the request is.
    fn progress(&self, progress: Progress);
    /// Whether the caller has lost interest.
    fn is_cancelled(&self) -> bool;
    /// A number of the page that calls, for what belongs to one page; see
    /// [`Session::forget_caller`].
    fn caller(&self) -> u64 {
        0
    }
}

/// A call that nobody watches.
pub struct Silent;

impl Call for Silent {
    fn progress(&self, _: Progress) {}

    fn is_cancelled(&self) -> bool {
        false
    }
}

/// An answer: the method's result and its columns.
#[derive(Debug)]
pub struct Answer {
    result: serde_json::Value,
    columns: Vec<Column>,
}

impl Answer {
    pub(crate) fn new(result: impl serde::Serialize) -> Answer {
        let result =
            serde_json::to_value(result).expect("results are plain data, which JSON holds");
        Answer { result, columns: vec![] }
    }

    /// The columns, by name.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The result, for a caller in the same process.
    pub fn into_result<R: serde::de::DeserializeOwned>(self) -> Result<R, ProtocolError> {
        serde_json::from_value(self.result).map_err(|error| {
            ProtocolError::new(ErrorCode::BadRequest, format!("another result: {error}"))
        })
    }

    pub(crate) fn with(mut self, columns: impl Columns) -> Answer {
        self.columns = columns.into_columns();
        self
    }
}

/// What is open.
pub struct Session {
    host: Box<dyn Host>,
    options: ReadOptions,
    formulas: Vec<NamedFormula>,
    reading_as: ReadingAs,
    slots: Mutex<Vec<Arc<Slot>>>,
    uploads: Mutex<Uploads>,
}

impl Session {
    /// A session with nothing open.
    pub fn new(host: Box<dyn Host>, options: ReadOptions) -> Session {
        Session {
            host,
            options,
            formulas: vec![],
            reading_as: ReadingAs::default(),
            slots: Mutex::default(),
            uploads: Mutex::default(),
        }
    }

    /// The same with metrics for every document whose own they are worked out from.
    pub fn with_formulas(self, formulas: Vec<NamedFormula>) -> Session {
        Session { formulas, ..self }
    }

    /// The same, whose profiles become something else once they are read.
    pub fn reading_as(self, reading_as: ReadingAs) -> Session {
        Session { reading_as, ..self }
    }

    fn reading(&self) -> Reading<'_> {
        Reading {
            host: &*self.host,
            options: &self.options,
            formulas: &self.formulas,
            reading_as: &self.reading_as,
        }
    }

    /// Adds a document whose bytes the host has under `name`; it is read by [`Session::load`] or
    /// when the first request asks for it.
    pub fn add(&self, name: &str) -> u32 {
        self.add_merged(&[name.to_owned()])
    }

    /// Adds a document that is the merge of what the host has under `names`.
    pub fn add_merged(&self, names: &[String]) -> u32 {
        self.add_slot(Slot::new(merged_title(names), Bytes::Host(names.to_vec())))
    }

    /// Adds the comparison of what the host has under two lists of names; several are runs.
    pub fn add_compared(&self, base: &[String], new: &[String], how: CompareOptions) -> u32 {
        let title = format!("{} → {}", merged_title(base), merged_title(new));
        let sides = [base.to_vec(), new.to_vec()];
        self.add_slot(Slot::new(title, Bytes::Compared { sides, how }))
    }

    /// Reads a document now, unless someone did or does.
    pub fn load(&self, document: u32) {
        self.load_told(document, &Silent);
    }

    /// The same, told to a call, which may stop it.
    pub fn load_told(&self, document: u32, call: &dyn Call) {
        if let Ok(slot) = self.slot(document) {
            slot.load(&self.reading(), call);
        }
    }

    /// Closes a document; what it holds goes with the last who uses it.
    pub fn close(&self, document: u32) {
        if let Ok(slot) = self.slot(document) {
            slot.close();
        }
    }

    /// Frees what a page that is gone had begun and will not end: its uploads.
    pub fn forget_caller(&self, caller: u64) {
        lock(&self.uploads).forget(caller);
    }

    /// Answers a request.
    pub fn answer(
        &self,
        request: Request,
        columns: Vec<Column>,
        call: &dyn Call,
    ) -> Result<Answer, ProtocolError> {
        match request {
            Request::Documents {} => Ok(Answer::new(self.documents())),
            Request::Formats {} => Ok(Answer::new(formats_result())),
            Request::OpenSource(params) => {
                self.host.open_source(&params)?;
                Ok(Answer::new(protocol::DoneResult {}))
            }
            Request::Upload(params) => {
                let (result, complete) =
                    lock(&self.uploads).take(params, columns, &self.options, call)?;
                let document = complete.map(|(name, bytes)| {
                    let title = base_name(&name).to_owned();
                    self.add_slot(Slot::new(title, Bytes::Held(Arc::new(bytes))))
                });
                Ok(Answer::new(protocol::UploadResult { document, ..result }))
            }
            Request::Close(params) => {
                self.slot(params.document)?.close();
                Ok(Answer::new(self.documents()))
            }
            Request::Summary(params) => answers::summary(&*self.ready(params.document, call)?),
            Request::Flame(params) => {
                answers::flame(&*self.ready(params.view.document, call)?, &params)
            }
            Request::Rows(params) => {
                answers::rows(&*self.ready(params.view.document, call)?, &params)
            }
            Request::HottestPath(params) => {
                answers::hottest_path(&*self.ready(params.view.document, call)?, &params)
            }
            Request::Locate(params) => {
                answers::locate(&*self.ready(params.view.document, call)?, &params)
            }
            Request::Details(params) => {
                answers::details(&*self.ready(params.view.document, call)?, &params)
            }
            Request::Distribution(params) => {
                answers::distribution(&*self.ready(params.view.document, call)?, &params)
            }
            Request::DefineMetric(params) => {
                let document = self.ready(params.document, call)?;
                let metric = document.define_metric(&params.name, &params.formula)? as u32;
                Ok(Answer::new(protocol::MetricResult { metric }))
            }
            Request::Compare(params) => {
                let base = self.together(&params.base, call)?;
                let new = self.together(&params.new, call)?;
                let how = CompareOptions {
                    rules: Rules::default(),
                    normalise: convert::normalise(&params.normalise),
                    noise: params.noise,
                };
                let compared = Compared::new(&base, &new, &how)?;
                let document = self.add_slot(Slot::ready(Arc::new(compared.document)));
                Ok(Answer::new(protocol::OpenedResult { document }))
            }
            Request::Normalise(params) => {
                let compared = self.ready(params.document, call)?;
                let normalise = convert::normalise(&params.normalise);
                let plain = compared.plain()?;
                let is_it = |document: &Arc<Document>| {
                    let known = document.comparison().is_some_and(|of| of.normalise == normalise);
                    known && document.plain().is_ok_and(|its| Arc::ptr_eq(&its, &plain))
                };
                let known = lock(&self.slots).iter().position(|slot| slot.holds(&is_it));
                let document = match known {
                    Some(document) => document as u32,
                    None if normalise == Normalise::Absolute => self.add_slot(Slot::ready(plain)),
                    None => self.add_slot(Slot::ready(Arc::new(compared.normalised(&normalise)?))),
                };
                Ok(Answer::new(protocol::OpenedResult { document }))
            }
            Request::Merge(params) => {
                let merged = self.together(&params.documents, call)?;
                // One document alone is open already.
                let document = match params.documents[..] {
                    [one] => one,
                    _ => self.add_slot(Slot::ready(merged)),
                };
                Ok(Answer::new(protocol::OpenedResult { document }))
            }
            Request::Search(params) => {
                answers::search(&*self.ready(params.view.document, call)?, &params)
            }
            Request::Filters(params) => {
                answers::filters(&*self.ready(params.view.document, call)?, &params)
            }
            Request::Pairs(params) => {
                answers::pairs(&*self.ready(params.view.document, call)?, &params)
            }
            Request::ExportSvg(params) => {
                answers::export_svg(&*self.ready(params.view.document, call)?, &params)
            }
            Request::ExportCsv(params) => {
                answers::export_csv(&*self.ready(params.view.document, call)?, &params)
            }
            Request::GraphSummary(params) => {
                graph::summary(&*self.ready_graph(params.document, call)?)
            }
            Request::GraphDrawing(params) => {
                graph::drawing(&*self.ready_graph(params.view.document, call)?, &params)
            }
            Request::GraphOverlay(params) => {
                let base = self.against(&params.show, call)?;
                let graph = self.ready_graph(params.view.document, call)?;
                graph::overlay(&graph, base.as_ref(), &params)
            }
            Request::GraphElement(params) => {
                let base = self.against(&params.show, call)?;
                let graph = self.ready_graph(params.document, call)?;
                graph::element(&graph, base.as_ref(), &params)
            }
            Request::GraphSearch(params) => {
                graph::search(&*self.ready_graph(params.document, call)?, &params)
            }
            Request::GraphScaling(params) => {
                graph::scaling(&*self.ready_graph(params.document, call)?, &params)
            }
            Request::GraphRoofline(params) => {
                graph::roofline(&*self.ready_graph(params.view.document, call)?, &params)
            }
            Request::GraphSvg(params) => {
                let base = self.against(&params.show, call)?;
                let graph = self.ready_graph(params.view.document, call)?;
                graph::svg(&graph, base.as_ref(), &params)
            }
            Request::GraphCompare(params) => {
                let base = self.ready_graph(params.base, call)?;
                let graph = self.ready_graph(params.document, call)?;
                graph::compare(&graph, &base, &params)
            }
            Request::GraphMeasure(params) => {
                let graph = self.ready_graph(params.document, call)?;
                let slot = self.slot(params.measured)?;
                match slot.report(&self.reading()) {
                    Some(report) => graph::measure(&graph, slot.title(), Ok(&report)),
                    None => {
                        let profile = self.ready(params.measured, call)?;
                        graph::measure(&graph, slot.title(), Err(&profile))
                    }
                }
            }
        }
    }

    /// Answers a frame with a frame. `bytes` that are no request are answered with an error.
    pub fn answer_frame(&self, frame: Frame, call: &dyn Call) -> Frame {
        let Header::Request { id, request } = frame.header else {
            let message = "only requests are answered here";
            let error = ProtocolError::new(ErrorCode::BadRequest, message);
            return Frame { header: Header::Error { id: 0, error }, columns: vec![] };
        };
        match self.answer(request, frame.columns, call) {
            Ok(Answer { result, columns }) => {
                Frame { header: Header::Response { id, result }, columns }
            }
            Err(error) => Frame { header: Header::Error { id, error }, columns: vec![] },
        }
    }

    fn documents(&self) -> DocumentsResult {
        let slots = lock(&self.slots);
        let open = slots.iter().enumerate().filter_map(|(index, slot)| {
            let state = slot.state()?;
            Some(DocumentInfo { document: index as u32, title: slot.title().to_owned(), state })
        });
        DocumentsResult { documents: open.collect(), opens_source: self.host.has_editor() }
    }

    /// Open documents as one.
    fn together(&self, documents: &[u32], call: &dyn Call) -> Result<Arc<Document>, ProtocolError> {
        let ready: Vec<Arc<Document>> =
            documents.iter().map(|&one| self.ready(one, call)).collect::<Result<_, _>>()?;
        match &ready[..] {
            [] => Err(ProtocolError::new(ErrorCode::BadRequest, "no document to take")),
            [one] => Ok(one.clone()),
            many => Ok(Arc::new(Document::of_documents(many))),
        }
    }

    fn add_slot(&self, slot: Slot) -> u32 {
        let mut slots = lock(&self.slots);
        slots.push(Arc::new(slot));
        slots.len() as u32 - 1
    }

    fn slot(&self, document: u32) -> Result<Arc<Slot>, ProtocolError> {
        lock(&self.slots).get(document as usize).cloned().ok_or_else(|| {
            let message = format!("no document {document} is open");
            ProtocolError::new(ErrorCode::UnknownDocument, message)
        })
    }

    /// The profile, once it is read.
    pub fn ready(&self, document: u32, call: &dyn Call) -> Result<Arc<Document>, ProtocolError> {
        match self.opened(document, call)? {
            Opened::Profile(profile) => Ok(profile),
            Opened::Graph(graph) => {
                let message = format!("{} is a dataflow graph and no profile", graph.title());
                Err(ProtocolError::new(ErrorCode::WrongKind, message)
                    .with_hint("The methods on graphs answer for it."))
            }
        }
    }

    /// The dataflow graph, once it is read.
    pub fn ready_graph(
        &self,
        document: u32,
        call: &dyn Call,
    ) -> Result<Arc<GraphDocument>, ProtocolError> {
        match self.opened(document, call)? {
            Opened::Graph(graph) => Ok(graph),
            Opened::Profile(profile) => {
                let message = format!("{} is a profile and no dataflow graph", profile.title());
                Err(ProtocolError::new(ErrorCode::WrongKind, message))
            }
        }
    }

    /// The graph that another is compared with.
    fn against(
        &self,
        show: &GraphShow,
        call: &dyn Call,
    ) -> Result<Option<Arc<GraphDocument>>, ProtocolError> {
        show.against.map(|base| self.ready_graph(base, call)).transpose()
    }

    fn opened(&self, document: u32, call: &dyn Call) -> Result<Opened, ProtocolError> {
        self.slot(document)?.wait(&self.reading(), call)
    }
}

fn formats_result() -> FormatsResult {
    let formats = FORMATS.iter().map(|format| FormatInfo {
        name: format.name.to_owned(),
        title: format.title.to_owned(),
        extensions: format.extensions.iter().map(|&e| e.to_owned()).collect(),
        reads: format.reads(),
        writes: format.writes(),
    });
    FormatsResult { formats: formats.collect() }
}

/// What a document's state is in the protocol's words.
fn failed(error: &ProtocolError) -> DocumentState {
    DocumentState::Failed { error: error.clone() }
}

/// Locks a mutex; what a panicking request left behind is only a cache.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
