//! The methods on accesses.

use protocol::*;

use super::document::LoopsDocument;
use super::part::Source;
use super::{RecordedDocument, elements, run, search, sizes};
use crate::kinds::downcast;
use crate::kinds::graph::GraphDocument;
use crate::{Call, Session};

/// Answers about accesses to one call.
pub(crate) struct AccessesCall<'a> {
    pub(crate) session: &'a Session,
    pub(crate) call: &'a dyn Call,
}

type Replied<R, C = NoColumns> = Result<Reply<R, C>, ProtocolError>;

impl AccessesCall<'_> {
    fn source(&self, document: u32) -> Result<Source, ProtocolError> {
        let opened = self.session.opened(document, self.call)?;
        let (title, noun) = (opened.title().to_owned(), opened.kind().noun);
        if let Some(graph) = downcast::<GraphDocument>(opened.clone()) {
            return Ok(Source::Graph(graph));
        }
        if let Some(recorded) = downcast::<RecordedDocument>(opened.clone()) {
            return Ok(Source::Recorded(recorded));
        }
        match downcast::<LoopsDocument>(opened) {
            Some(loops) => Ok(Source::Loops(loops)),
            None => {
                let message = format!("{title} is a {noun}, which has no accesses");
                Err(ProtocolError::new(ErrorCode::WrongKind, message))
            }
        }
    }
}

impl AccessesMethods for AccessesCall<'_> {
    fn accesses_sizes(&self, params: AccessesSizesParams) -> Replied<AccessesSizesResult> {
        sizes::sizes_result(&self.source(params.document)?, params.element)
    }

    fn accesses_run(
        &self,
        params: AccessesRunParams,
    ) -> Replied<AccessesRunResult, AccessesRunColumns> {
        run::run(&self.source(params.program.document)?, &params, self.call)
    }

    fn accesses_elements(
        &self,
        params: AccessesElementsParams,
    ) -> Replied<AccessesElementsResult, AccessesElementsColumns> {
        elements::elements_result(&self.source(params.program.document)?, &params, self.call)
    }

    fn accesses_search(&self, params: AccessesSearchParams) -> Replied<AccessesSearchResult> {
        search::searched(&self.source(params.program.document)?, &params, self.call)
    }

    fn accesses_text(&self, params: AccessesTextParams) -> Replied<TextResult> {
        search::text(&self.source(params.program.document)?, &params)
    }
}
