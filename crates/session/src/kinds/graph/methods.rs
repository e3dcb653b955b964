//! The methods on dataflow graphs.

use std::io::Read;
use std::sync::Arc;

use ::sdfg::report::Report;
use protocol::*;

use super::{
    GraphDocument, compare, drawing, element, fusions, measured, memory, overlay, roofline,
    scaling, search, sum, summary, svg,
};
use crate::{Call, Input, ProfileDocument, Session};

/// Answers about graphs to one call.
pub(crate) struct GraphCall<'a> {
    pub(crate) session: &'a Session,
    pub(crate) call: &'a dyn Call,
}

type Replied<R, C = NoColumns> = Result<Reply<R, C>, ProtocolError>;

impl GraphCall<'_> {
    fn graph(&self, document: u32) -> Result<Arc<GraphDocument>, ProtocolError> {
        self.session.ready(document, self.call)
    }

    /// The graph that another is compared with.
    fn against(
        &self,
        document: &GraphDocument,
        show: &GraphShow,
    ) -> Result<Option<Arc<GraphDocument>>, ProtocolError> {
        show.against.map(|base| self.base(document, base)).transpose()
    }

    /// The same, with the same operations counted in both.
    fn base(
        &self,
        document: &GraphDocument,
        base: u32,
    ) -> Result<Arc<GraphDocument>, ProtocolError> {
        let base = self.recounted(base, document.operations)?;
        self.graph(base)
    }

    /// The document of the same graph where these operations count.
    fn recounted(
        &self,
        document: u32,
        operations: CountedOperations,
    ) -> Result<u32, ProtocolError> {
        let graph = self.graph(document)?;
        if graph.operations == operations {
            return Ok(document);
        }
        let is_it = |other: &Arc<GraphDocument>| other.is_counting(&graph.program, operations);
        if let Some(known) = self.session.find(is_it) {
            return Ok(known);
        }
        let recounted = Arc::new(graph.recounted(operations)?);
        Ok(self.session.add_ready(recounted, None))
    }

    /// What DaCe measured, if the document is a report of that.
    fn report(&self, document: u32) -> Result<Option<Report>, ProtocolError> {
        let slot = self.session.slot(document)?;
        let Some(input) = slot.input(&self.session.reading()) else { return Ok(None) };
        let (Input::File(bytes, _), head) = input.peek() else { return Ok(None) };
        if !::sdfg::report::is_report(&head) {
            return Ok(None);
        }
        let limits = ::sdfg::Limits { max_size: self.session.options.max_size };
        let bytes: Box<dyn Read> = bytes;
        Ok(Report::read(bytes, &limits).ok().filter(Report::names_elements))
    }
}

impl GraphMethods for GraphCall<'_> {
    fn graph_summary(&self, params: DocumentParams) -> Replied<GraphSummaryResult> {
        let graph = self.graph(params.document)?;
        summary::summary(&graph, self.session.opened_s(params.document))
    }

    fn graph_drawing(
        &self,
        params: GraphDrawingParams,
    ) -> Replied<GraphDrawingResult, GraphDrawingColumns> {
        drawing::drawing(&*self.graph(params.view.document)?, &params)
    }

    fn graph_overlay(
        &self,
        params: GraphOverlayParams,
    ) -> Replied<GraphOverlayResult, GraphOverlayColumns> {
        let graph = self.graph(params.view.document)?;
        let base = self.against(&graph, &params.show)?;
        overlay::overlay(&graph, base.as_ref(), &params)
    }

    fn graph_element(&self, params: GraphElementParams) -> Replied<GraphElementResult> {
        let graph = self.graph(params.document)?;
        let base = self.against(&graph, &params.show)?;
        element::element(&graph, base.as_ref(), &params)
    }

    fn graph_search(&self, params: GraphSearchParams) -> Replied<GraphSearchResult> {
        search::search(&*self.graph(params.document)?, &params)
    }

    fn graph_scaling(
        &self,
        params: GraphScalingParams,
    ) -> Replied<GraphScalingResult, GraphScalingColumns> {
        scaling::scaling(&*self.graph(params.document)?, &params)
    }

    fn graph_compare(&self, params: GraphCompareParams) -> Replied<GraphCompareResult> {
        let graph = self.graph(params.document)?;
        let base = self.base(&graph, params.base)?;
        compare::compare(&graph, &base, &params)
    }

    fn graph_measure(&self, params: GraphMeasureParams) -> Replied<GraphMeasureResult> {
        let graph = self.graph(params.document)?;
        let slot = self.session.slot(params.measured)?;
        let of = (params.measured, slot.title());
        match self.report(params.measured)? {
            Some(report) => measured::measure(&graph, of, Ok(&report)),
            None => {
                let profile: Arc<ProfileDocument> =
                    self.session.ready(params.measured, self.call)?;
                measured::measure(&graph, of, Err(&profile))
            }
        }
    }

    fn graph_sum(&self, params: GraphSumParams) -> Replied<GraphSumResult> {
        sum::sum(&*self.graph(params.document)?, &params)
    }

    fn graph_counting(&self, params: GraphCountingParams) -> Replied<OpenedResult> {
        let document = self.recounted(params.document, params.operations)?;
        Ok(OpenedResult { document }.into())
    }

    fn graph_memory(&self, params: GraphMemoryParams) -> Replied<GraphMemoryResult> {
        memory::memory(&*self.graph(params.document)?, &params)
    }

    fn graph_fusions(&self, params: GraphFusionsParams) -> Replied<GraphFusionsResult> {
        fusions::fusions(&*self.graph(params.document)?, &params)
    }

    fn graph_roofline(&self, params: GraphRooflineParams) -> Replied<GraphRooflineResult> {
        roofline::roofline(&*self.graph(params.view.document)?, &params)
    }

    fn graph_svg(&self, params: GraphSvgParams) -> Replied<TextResult> {
        let graph = self.graph(params.view.document)?;
        let base = self.against(&graph, &params.show)?;
        svg::svg(&graph, base.as_ref(), &params)
    }
}
