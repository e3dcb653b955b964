//! What is answered about what is open, whatever that is of.

use std::sync::{Arc, Mutex};

use formats::{FORMATS, Format, format_named};
use profile::visible;
use protocol::{
    BuildProfileParams, BytesColumns, Column, DocumentInfo, DocumentParams, DocumentState,
    DocumentsResult, DoneResult, ErrorCode, FormatInfo, FormatsResult, MachineParams,
    MachineResult, NoParams, OpenFilesParams, OpenSourceParams, OpenedResult, Progress,
    ProtocolError, ReadAsParams, Reply, ReportParams, ReportResult, SessionMethods,
    SourceTextParams, SourceTextResult, UploadParams, UploadResult,
};

use crate::call::Call;
use crate::kinds::profile::ProfileDocument;
use crate::opening::Bytes;
use crate::session::Session;
use crate::slot::Slot;
use crate::{lock, one_file, sources};

/// Answers about what is open to one call.
pub(crate) struct SessionCall<'a> {
    pub(crate) session: &'a Session,
    pub(crate) columns: Mutex<Vec<Column>>,
    pub(crate) call: &'a dyn Call,
}

impl SessionMethods for SessionCall<'_> {
    fn documents(&self, _: NoParams) -> Result<Reply<DocumentsResult>, ProtocolError> {
        Ok(self.session.documents_result().into())
    }

    fn upload(&self, params: UploadParams) -> Result<Reply<UploadResult>, ProtocolError> {
        let from = params.format.as_deref().map(read_format).transpose()?;
        let columns = std::mem::take(&mut *lock(&self.columns));
        let (result, complete) =
            lock(&self.session.uploads).take(params, columns, &self.session.options, self.call)?;
        let document = complete.map(|(name, bytes)| {
            let slot = Slot::file(name, Bytes::Held(Arc::new(bytes)));
            self.session.add_slot(slot.read_from(from))
        });
        Ok(UploadResult { document, ..result }.into())
    }

    fn machine(&self, params: MachineParams) -> Result<Reply<MachineResult>, ProtocolError> {
        let goes_on = |done: f64| {
            self.call.progress(Progress { phase: "measuring".to_owned(), done, total: 1.0 });
            !self.call.is_cancelled()
        };
        Ok(self.session.host.machine(params.measure, &goes_on)?.into())
    }

    fn open_files(&self, params: OpenFilesParams) -> Result<Reply<OpenedResult>, ProtocolError> {
        if params.paths.is_empty() {
            return Err(ProtocolError::new(ErrorCode::BadRequest, "no file to open"));
        }
        let allow = |path: &String| self.session.host.allow(path);
        let names: Vec<String> = params.paths.iter().map(allow).collect::<Result<_, _>>()?;
        Ok(OpenedResult { document: self.session.add_merged(&names) }.into())
    }

    fn build_profile(
        &self,
        params: BuildProfileParams,
    ) -> Result<Reply<OpenedResult>, ProtocolError> {
        let columns = std::mem::take(&mut *lock(&self.columns));
        let document = ProfileDocument::built(&params, columns)?;
        Ok(OpenedResult { document: self.session.add_ready(Arc::new(document), None) }.into())
    }

    fn close(&self, params: DocumentParams) -> Result<Reply<DocumentsResult>, ProtocolError> {
        self.session.slot(params.document)?;
        self.session.close(params.document);
        Ok(self.session.documents_result().into())
    }

    fn wait(&self, params: DocumentParams) -> Result<Reply<DocumentInfo>, ProtocolError> {
        let slot = self.session.slot(params.document)?;
        let document = slot.wait(&self.session.reading(), self.call)?;
        let state = DocumentState::Ready { shows: document.kind().name.to_owned() };
        let info = DocumentInfo {
            document: params.document,
            title: document.title().to_owned(),
            name: slot.name().to_owned(),
            state,
            made_by: slot.made_by().cloned(),
        };
        Ok(info.into())
    }

    fn read_as(&self, params: ReadAsParams) -> Result<Reply<OpenedResult>, ProtocolError> {
        let from = read_format(&params.format)?;
        let again = self.session.slot(params.document)?.read_again(from)?;
        Ok(OpenedResult { document: self.session.add_slot(again) }.into())
    }

    fn formats(&self, _: NoParams) -> Result<Reply<FormatsResult>, ProtocolError> {
        let formats = FORMATS.iter().map(|format| FormatInfo {
            name: format.name.to_owned(),
            title: format.title.to_owned(),
            extensions: format.extensions.iter().map(|&e| e.to_owned()).collect(),
            reads: format.reads(),
            writes: format.writes(),
        });
        Ok(FormatsResult { formats: formats.collect() }.into())
    }

    fn open_source(
        &self,
        mut params: OpenSourceParams,
    ) -> Result<Reply<DoneResult>, ProtocolError> {
        // The host knows what it opened, not what was made of that.
        while let Ok(shown) = self.session.slot(params.document)
            && let Some((of, _)) = shown.split_of()
        {
            params.document = of;
        }
        self.session.host.open_source(&params)?;
        Ok(DoneResult {}.into())
    }

    fn source_text(
        &self,
        params: SourceTextParams,
    ) -> Result<Reply<SourceTextResult>, ProtocolError> {
        Ok(sources::source_text(self.session, &params, self.call)?.into())
    }

    fn report(
        &self,
        params: ReportParams,
    ) -> Result<Reply<ReportResult, BytesColumns>, ProtocolError> {
        let columns = std::mem::take(&mut *lock(&self.columns));
        one_file::answer(self.session, &params, columns, self.call)
    }
}

/// The format of a name, if it is read.
fn read_format(name: &str) -> Result<&'static Format, ProtocolError> {
    format_named(name).filter(|format| format.reads()).ok_or_else(|| {
        let message = format!("no format that is read is called {}", visible(name));
        ProtocolError::new(ErrorCode::BadRequest, message)
            .with_hint("`hotframe formats` lists them.")
    })
}
