//! What is open, and who answers what is asked of it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use analysis::advice::AdviceRule;
use formats::{Format, ReadOptions};
use profile::NamedFormula;
use protocol::{
    AccessesMethods as _, Answer, Column, DocumentsResult, ErrorCode, Frame, GraphMethods as _,
    Header, MadeBy, ProfileMethods as _, ProtocolError, Request, RunsMethods as _,
    SessionMethods as _,
};

use crate::call::{Call, Silent};
use crate::kinds::accesses::KnownArrays;
use crate::kinds::profile::{
    CompareOptions, ProfileDocument, ProfileSettings, ReadSettings, merged_title, side_titles,
};
use crate::kinds::{self, KINDS, Kind, KindOf, OpenDocument};
use crate::listed::listed;
use crate::opening::{Bytes, ReadContext};
use crate::random::random;
use crate::runs_call::RunsCall;
use crate::session_call::SessionCall;
use crate::slot::Slot;
use crate::uploads::Uploads;
use crate::{Binaries, Host, lock};

/// What is open.
pub struct Session {
    pub(crate) options: ReadOptions,
    pub(crate) host: Box<dyn Host>,
    kinds: Vec<Kind>,
    profiles: ProfileSettings,
    arrays: KnownArrays,
    slots: Mutex<Vec<Arc<Slot>>>,
    pub(crate) uploads: Mutex<Uploads>,
    /// Programs that are to be run, on their way.
    pub(crate) programs: Mutex<Uploads>,
    /// Tells this session from one of another process.
    id: String,
}

impl Session {
    /// A session with nothing open.
    pub fn new(host: Box<dyn Host>, options: ReadOptions) -> Session {
        Session {
            host,
            options,
            kinds: KINDS.to_vec(),
            profiles: ProfileSettings::default(),
            arrays: KnownArrays::default(),
            slots: Mutex::default(),
            uploads: Mutex::default(),
            programs: Mutex::default(),
            id: format!("{:016x}", random()),
        }
    }

    /// The same with metrics for every profile whose own they are worked out from.
    pub fn with_formulas(mut self, formulas: Vec<NamedFormula>) -> Session {
        self.profiles.formulas = formulas;
        self
    }

    /// The same with rules of advice besides those that come along.
    pub fn with_rules(mut self, rules: Vec<AdviceRule>) -> Session {
        self.profiles.rules = rules.into();
        self
    }

    /// Rules of advice besides those that come along.
    pub fn rules(&self) -> &Arc<[AdviceRule]> {
        &self.profiles.rules
    }

    /// The same, whose profiles become something else once they are read.
    pub fn reading_as(mut self, reading_as: ReadSettings) -> Session {
        self.profiles.reading_as = reading_as;
        self
    }

    /// Where binaries come from; none where the build cannot read them.
    pub fn binaries(&self) -> Option<&Binaries> {
        self.profiles.reading_as.binaries()
    }

    /// The same with arrays that recorded accesses are told by.
    pub fn with_arrays(mut self, arrays: KnownArrays) -> Session {
        self.arrays = arrays;
        self
    }

    /// The same with a name that tells it from sessions of other processes, where nothing is random.
    pub fn with_id(mut self, id: String) -> Session {
        self.id = id;
        self
    }

    /// The same with another kind of documents, which is asked first whether a file is its own.
    pub fn with_kind(mut self, kind: Kind) -> Session {
        self.kinds.insert(0, kind);
        self
    }

    /// What profiles are read with.
    pub(crate) fn profiles(&self) -> &ProfileSettings {
        &self.profiles
    }

    /// What documents are called, by number.
    pub(crate) fn titles(&self) -> HashMap<u32, String> {
        let told = self.documents_result().documents.into_iter();
        told.map(|info| (info.document, info.title)).collect()
    }

    pub(crate) fn reading(&self) -> ReadContext<'_> {
        ReadContext {
            host: &*self.host,
            options: &self.options,
            kinds: &self.kinds,
            profiles: &self.profiles,
            arrays: &self.arrays,
        }
    }

    /// Adds a document whose bytes the host has under `name`; it is read by [`Session::load`] or
    /// when the first request asks for it.
    pub fn add(&self, name: &str) -> u32 {
        self.add_slot(Slot::file(name.to_owned(), Bytes::Host(name.to_owned())))
    }

    /// Adds a document called `name` whose bytes the host has as `host_name`; in a format that is told,
    /// or in any that is recognised.
    pub fn add_as(&self, name: &str, host_name: &str, from: Option<&'static Format>) -> u32 {
        let slot = Slot::file(name.to_owned(), Bytes::Host(host_name.to_owned()));
        self.add_slot(slot.read_from(from))
    }

    /// Adds a document whose bytes have changed since it was opened before; what was opened of that
    /// name then is closed.
    pub(crate) fn open_anew(&self, name: &str) -> u32 {
        let is_it = |(_, slot): &(u32, &Arc<Slot>)| {
            slot.file_name() == Some(name) && slot.state().is_some()
        };
        let before: Vec<u32> =
            (0..).zip(lock(&self.slots).iter()).filter(is_it).map(|(number, _)| number).collect();
        for document in before {
            self.close(document);
        }
        self.add(name)
    }

    /// Adds a document that is the merge of what the host has under `names`.
    pub fn add_merged(&self, names: &[String]) -> u32 {
        match names {
            [name] => self.add(name),
            names => {
                let recipe = kinds::profile::merged(names.to_vec());
                self.add_slot(Slot::new(merged_title(names), Bytes::Made(recipe)))
            }
        }
    }

    /// Adds the comparison of what the host has under two lists of names; several are runs.
    pub fn add_compared(&self, base: &[String], new: &[String], how: CompareOptions) -> u32 {
        let title = side_titles(base, new).join(" → ");
        let recipe = kinds::profile::compared(base.to_vec(), new.to_vec(), how);
        self.add_slot(Slot::new(title, Bytes::Made(recipe)))
    }

    /// Adds a document that was made of open ones, by a request if it can be made again.
    pub(crate) fn add_ready(
        &self,
        document: Arc<dyn OpenDocument>,
        made_by: Option<MadeBy>,
    ) -> u32 {
        self.add_slot(Slot::ready(document, made_by))
    }

    /// Adds a document with other members than the open one that it is of.
    pub(crate) fn add_split(
        &self,
        document: Arc<ProfileDocument>,
        of: u32,
        by: String,
    ) -> Result<u32, ProtocolError> {
        let held: usize = {
            let slots = lock(&self.slots);
            let splits = slots.iter().filter(|slot| slot.split_of().is_some());
            let splits = splits.filter_map(|slot| kinds::downcast(slot.document()?));
            splits.map(|split: Arc<ProfileDocument>| split.profile().heap_bytes()).sum()
        };
        if held + document.profile().heap_bytes() > self.options.max_memory {
            let message = "these profiles with other members take too much memory";
            return Err(ProtocolError::new(ErrorCode::Limit, message).with_hint(
                "Close documents that are not needed, or start with a larger --max-memory.",
            ));
        }
        Ok(self.add_slot(Slot::split(document, of, by)))
    }

    /// The open document with the wanted members.
    pub(crate) fn split_of(&self, of: u32, by: &str) -> Option<u32> {
        let is_it = |slot: &Arc<Slot>| slot.split_of() == Some((of, by)) && slot.state().is_some();
        lock(&self.slots).iter().position(is_it).map(|document| document as u32)
    }

    pub(crate) fn add_slot(&self, slot: Slot) -> u32 {
        let mut slots = lock(&self.slots);
        slots.push(Arc::new(slot));
        slots.len() as u32 - 1
    }

    /// Reads a document now, unless someone did or does.
    pub fn load(&self, document: u32) {
        self.load_with_progress(document, &Silent);
    }

    /// The same, told to a call, which may stop it.
    pub fn load_with_progress(&self, document: u32, call: &dyn Call) {
        if let Ok(slot) = self.slot(document) {
            slot.load(&self.reading(), call);
        }
    }

    /// Closes a document; what it holds goes with the last who uses it.
    pub fn close(&self, document: u32) {
        if let Ok(slot) = self.slot(document) {
            slot.close();
        }
        // Also what was made of it, and of that: later ones of earlier ones.
        let mut closed = vec![document];
        for (number, slot) in (0..).zip(lock(&self.slots).iter()) {
            if slot.split_of().is_some_and(|(whole, _)| closed.contains(&whole)) {
                slot.close();
                closed.push(number);
            }
        }
    }

    /// Frees what a page that is gone had begun and will not end: its uploads.
    pub fn forget_caller(&self, caller: u64) {
        lock(&self.uploads).forget(caller);
        lock(&self.programs).forget(caller);
    }

    /// Answers a request; the call may stop it wherever it takes long.
    pub fn answer(
        &self,
        request: impl Into<Request>,
        columns: Vec<Column>,
        call: &dyn Call,
    ) -> Result<Answer, ProtocolError> {
        let answer = || self.answer_whole(request.into(), columns, call);
        match call.watch() {
            Some(watch) => work::watched(watch, answer).unwrap_or_else(|work::Stopped| {
                Err(ProtocolError::new(ErrorCode::Cancelled, "the request was cancelled"))
            }),
            None => answer(),
        }
    }

    fn answer_whole(
        &self,
        request: Request,
        columns: Vec<Column>,
        call: &dyn Call,
    ) -> Result<Answer, ProtocolError> {
        match request {
            Request::Session(request) => {
                let columns = Mutex::new(columns);
                SessionCall { session: self, columns, call }.answer(request)
            }
            Request::Runs(request) => {
                let columns = Mutex::new(columns);
                RunsCall { session: self, columns, call }.answer(request)
            }
            Request::Profile(request) => {
                kinds::profile::ProfileCall { session: self, call }.answer(request)
            }
            Request::Graph(_) | Request::Accesses(_) if !kinds::HAS_GRAPHS => {
                Err(kinds::left_out("this"))
            }
            Request::Graph(request) => {
                kinds::graph::GraphCall { session: self, call }.answer(request)
            }
            Request::Accesses(request) => {
                kinds::accesses::AccessesCall { session: self, call }.answer(request)
            }
        }
    }

    /// Answers a frame with a frame. `bytes` that are not a request are answered with an error.
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

    pub(crate) fn documents_result(&self) -> DocumentsResult {
        let slots = lock(&self.slots).clone();
        DocumentsResult {
            documents: listed(&slots),
            opens_source: self.host.has_editor(),
            may_run: self.host.runs().is_some(),
            session: self.id.clone(),
        }
    }

    /// What documents were read from, or what those are called that were made of others.
    pub(crate) fn names(&self, documents: &[u32]) -> Vec<String> {
        let slots = lock(&self.slots);
        let known = documents.iter().filter_map(|&document| slots.get(document as usize));
        known.map(|slot| slot.name().to_owned()).collect()
    }

    pub(crate) fn slot(&self, document: u32) -> Result<Arc<Slot>, ProtocolError> {
        lock(&self.slots).get(document as usize).cloned().ok_or_else(|| {
            let message = format!("no document {document} is open");
            ProtocolError::new(ErrorCode::UnknownDocument, message)
        })
    }

    /// A document that is ready, of one kind, and for which `is_it` holds.
    pub(crate) fn find<D: OpenDocument>(&self, is_it: impl Fn(&Arc<D>) -> bool) -> Option<u32> {
        let position = lock(&self.slots).iter().position(|slot| {
            let Some(document) = slot.document() else { return false };
            kinds::downcast(document).is_some_and(|document| is_it(&document))
        });
        position.map(|position| position as u32)
    }

    /// How long opening a document took, in seconds.
    pub(crate) fn opened_s(&self, document: u32) -> Option<f64> {
        self.slot(document).ok()?.opened_s()
    }

    /// A document of one kind, once it is read.
    pub fn ready<D: KindOf>(
        &self,
        document: u32,
        call: &dyn Call,
    ) -> Result<Arc<D>, ProtocolError> {
        kinds::expect(self.opened(document, call)?)
    }

    /// A document of whatever kind, once it is read.
    pub(crate) fn opened(
        &self,
        document: u32,
        call: &dyn Call,
    ) -> Result<Arc<dyn kinds::OpenDocument>, ProtocolError> {
        self.slot(document)?.wait(&self.reading(), call)
    }
}
