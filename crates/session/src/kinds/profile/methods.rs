//! The methods on profiles.

use std::sync::Arc;

use analysis::{AlignBy, AlignByError, MembersBy, Normalise, Rules};
use protocol::*;

use super::{
    CompareOptions, Compared, Comparing, MadeOf, ProfileDocument, answers, convert, lists,
    side_titles,
};
use crate::kinds::profile::compare::normalised::normalised;
use crate::kinds::profile::reading::aligned::aligned;
use crate::kinds::profile::reading::split::split_members;
use crate::kinds::profile::source::frames_of::{frames_of_function, frames_of_side};
use crate::kinds::profile::trees::views::view_options;
use crate::{Call, ListOptions, Session};

/// Answers about profiles to one call.
pub(crate) struct ProfileCall<'a> {
    pub(crate) session: &'a Session,
    pub(crate) call: &'a dyn Call,
}

type Replied<R, C = NoColumns> = Result<Reply<R, C>, ProtocolError>;

impl ProfileCall<'_> {
    fn profile(&self, document: u32) -> Result<Arc<ProfileDocument>, ProtocolError> {
        self.session.ready(document, self.call)
    }

    /// Open profiles as one.
    fn together(&self, documents: &[u32]) -> Result<Arc<ProfileDocument>, ProtocolError> {
        let ready: Vec<Arc<ProfileDocument>> =
            documents.iter().map(|&one| self.profile(one)).collect::<Result<_, _>>()?;
        match &ready[..] {
            [] => Err(ProtocolError::new(ErrorCode::BadRequest, "no document to take")),
            [one] => Ok(one.clone()),
            many => {
                let names = self.session.names(documents);
                Ok(Arc::new(ProfileDocument::of_documents(many, &names)))
            }
        }
    }

    /// Opens what is made of the documents of both sides.
    fn compared(
        &self,
        (sides, filters): ([Vec<u32>; 2], Option<[Vec<Filter>; 2]>),
        [base, new]: [Arc<ProfileDocument>; 2],
        how: &CompareOptions,
    ) -> Replied<OpenedResult> {
        let names = [0, 1].map(|side| self.session.names(&sides[side]));
        let titles = side_titles(&names[0], &names[1]);
        let compared = match &filters {
            None => Compared::called(titles, &base, &new, how)?,
            Some(filters) => {
                let [of_base, of_new] = filters.each_ref().map(|of| convert::filters(of));
                Compared::of_parts_called(titles, (&base, &of_base), (&new, &of_new), how)?
            }
        };
        let made_of = MadeOf::Documents(sides, filters);
        Ok(self.opened(Arc::new(compared.document.made_of(made_of))))
    }

    /// Opens a comparison that was made of open documents.
    fn opened(&self, compared: Arc<ProfileDocument>) -> Reply<OpenedResult> {
        let made_by = compared.comparison().and_then(Comparing::request).map(MadeBy::Compare);
        OpenedResult { document: self.session.add_ready(compared, made_by) }.into()
    }
}

/// Whether a profile is older than another one: measured before, else opened before.
pub fn is_older<T: Ord>(one: (Option<i64>, T), other: (Option<i64>, T)) -> bool {
    match (one.0, other.0) {
        (Some(one), Some(other)) if one != other => one < other,
        _ => one.1 < other.1,
    }
}

impl ProfileMethods for ProfileCall<'_> {
    fn summary(&self, params: DocumentParams) -> Replied<SummaryResult, SummaryColumns> {
        let document = self.profile(params.document)?;
        answers::summary(&document, self.session.opened_s(params.document))
    }

    fn tree_table(&self, params: TreeTableParams) -> Replied<TreeTableResult, TreeTableColumns> {
        answers::tree_table(&*self.profile(params.view.document)?, &params)
    }

    fn profile_tables(
        &self,
        params: DocumentParams,
    ) -> Replied<ProfileTablesResult, ProfileTablesColumns> {
        Ok(answers::profile_tables(&*self.profile(params.document)?))
    }

    fn write_profile(&self, params: DocumentParams) -> Replied<DoneResult, BytesColumns> {
        answers::write_profile(&*self.profile(params.document)?)
    }

    fn flame(&self, params: FlameParams) -> Replied<FlameResult, FlameColumns> {
        answers::flame(&*self.profile(params.view.document)?, &params)
    }

    fn tracks(&self, params: DocumentParams) -> Replied<TracksResult> {
        Ok(answers::tracks(&*self.profile(params.document)?)?.into())
    }

    fn lanes(&self, params: LanesParams) -> Replied<LanesResult, LanesColumns> {
        answers::lanes(&*self.profile(params.view.document)?, &params)
    }

    fn idle(&self, params: IdleParams) -> Replied<IdleResult> {
        Ok(answers::idle(&*self.profile(params.document)?, &params)?.into())
    }

    fn span(&self, params: SpanParams) -> Replied<SpanResult> {
        Ok(answers::span(&*self.profile(params.view.document)?, &params)?.into())
    }

    fn find_span(&self, params: FindSpanParams) -> Replied<FindSpanResult> {
        Ok(answers::find_span(&*self.profile(params.view.document)?, &params)?.into())
    }

    fn heat(&self, params: HeatParams) -> Replied<HeatResult, HeatColumns> {
        answers::heat(&*self.profile(params.view.document)?, &params)
    }

    fn events(&self, params: EventsParams) -> Replied<EventsResult> {
        let document = self.profile(params.view.document)?;
        // As they were measured, whatever values are brought to.
        match document.comparison() {
            Some(_) => answers::events(&*document.plain()?, &params),
            None => answers::events(&document, &params),
        }
    }

    fn event_bins(&self, params: EventBinsParams) -> Replied<EventBinsResult, EventBinsColumns> {
        let document = self.profile(params.view.document)?;
        match document.comparison() {
            Some(_) => answers::event_bins(&*document.plain()?, &params),
            None => answers::event_bins(&document, &params),
        }
    }

    fn migrations(&self, params: MigrationsParams) -> Replied<MigrationsResult, MigrationsColumns> {
        answers::migrations(&*self.profile(params.view.document)?, &params)
    }

    fn sampled_frame(&self, params: SampledFrameParams) -> Replied<SampledFrameResult> {
        Ok(answers::sampled_frame(&*self.profile(params.view.document)?, &params)?.into())
    }

    fn find_mark(&self, params: FindMarkParams) -> Replied<FindMarkResult> {
        Ok(answers::find_mark(&*self.profile(params.view.document)?, &params)?.into())
    }

    fn concurrency_chart(
        &self,
        params: ConcurrencyChartParams,
    ) -> Replied<ConcurrencyChartResult, ConcurrencyChartColumns> {
        lists::concurrency_chart(&*self.profile(params.view.document)?, &params)
    }

    fn thread_bars(&self, params: ThreadBarsParams) -> Replied<ThreadBarsResult> {
        Ok(lists::thread_bars(&*self.profile(params.view.document)?, &params)?.into())
    }

    fn critical_path(
        &self,
        params: CriticalPathParams,
    ) -> Replied<CriticalPathResult, CriticalPathColumns> {
        lists::critical_path(&*self.profile(params.view.document)?, &params)
    }

    fn list(&self, params: ListParams) -> Replied<Table> {
        let document = self.profile(params.view.document)?;
        let view = view_options(&document, &params.view)?;
        let options = ListOptions {
            span: params.span,
            filter: &params.filter,
            sort: params.sort.as_deref(),
            reverse: params.reverse,
            limit: match params.reader {
                TableReaders::Page => params.limit.min(lists::MOST_ROWS) as usize,
                _ => params.limit as usize,
            },
            reader: params.reader,
        };
        Ok(lists::list(&document, params.list, &view, &options)?.into())
    }

    fn export_timeline_svg(&self, params: ExportTimelineSvgParams) -> Replied<TextResult> {
        let document = self.profile(params.lanes.view.document)?;
        Ok(answers::export_timeline_svg(&document, &params)?.into())
    }

    fn export_spans_csv(&self, params: ViewParams) -> Replied<TextResult> {
        Ok(answers::export_spans_csv(&*self.profile(params.view.document)?, &params)?.into())
    }

    fn rows(&self, params: RowsParams) -> Replied<RowsResult, RowsColumns> {
        answers::rows(&*self.profile(params.view.document)?, &params)
    }

    fn hottest_path(&self, params: NodeParams) -> Replied<NodesResult> {
        answers::hottest_path(&*self.profile(params.view.document)?, &params)
    }

    fn locate(&self, params: LocateParams) -> Replied<LocateResult> {
        answers::locate(&*self.profile(params.view.document)?, &params)
    }

    fn details(&self, params: NodeParams) -> Replied<DetailsResult, DetailsColumns> {
        answers::details(&*self.profile(params.view.document)?, &params)
    }

    fn distribution(&self, params: NodeParams) -> Replied<DistributionResult, DistributionColumns> {
        answers::distribution(&*self.profile(params.view.document)?, &params)
    }

    fn define_metric(&self, params: DefineMetricParams) -> Replied<MetricResult> {
        let document = self.profile(params.document)?;
        let metric = document.define_metric(&params.name, &params.formula)?;
        Ok(MetricResult { metric: metric.0 }.into())
    }

    fn compare(&self, params: CompareParams) -> Replied<OpenedResult> {
        let mut sides = [params.base, params.new];
        let mut filters = params.filters;
        let mut ready = [self.together(&sides[0])?, self.together(&sides[1])?];
        let age = |side: usize| (ready[side].measured_at(), sides[side].iter().min());
        if params.by_age && is_older(age(1), age(0)) {
            sides.reverse();
            ready.reverse();
            filters.iter_mut().for_each(|sides| sides.reverse());
        }
        let [base, new] = ready;
        let how = CompareOptions {
            rules: Rules::default(),
            normalise: convert::normalise(&params.normalise),
            noise: params.noise,
            align: None,
            with_failed: false,
        };
        self.compared((sides, filters), [base, new], &how)
    }

    fn swap(&self, params: DocumentParams) -> Replied<OpenedResult> {
        let compared = self.profile(params.document)?;
        let of = compared.comparison().ok_or_else(|| compared.no_comparison())?;
        let is_it = |document: &Arc<ProfileDocument>| {
            document.comparison().is_some_and(|other| other.is_swapped(of))
        };
        if let Some(document) = self.session.find(is_it) {
            return Ok(OpenedResult { document }.into());
        }
        match &of.made_of {
            Some(MadeOf::Documents([base, new], filters)) => {
                let sides = [new.clone(), base.clone()];
                let filters = filters.clone().map(|[base, new]| [new, base]);
                let ready = [self.together(new)?, self.together(base)?];
                self.compared((sides, filters), ready, &of.how())
            }
            Some(MadeOf::Files([base, new])) => {
                Ok(OpenedResult { document: self.session.add_compared(new, base, of.how()) }.into())
            }
            None => {
                let message = format!("it is not known what {} was made of", compared.title());
                Err(ProtocolError::new(ErrorCode::BadRequest, message))
            }
        }
    }

    fn normalise(&self, params: NormaliseParams) -> Replied<OpenedResult> {
        let compared = self.profile(params.document)?;
        let normalise = convert::normalise(&params.normalise);
        let plain = compared.plain()?;
        let is_it = |document: &Arc<ProfileDocument>| {
            let known = document.comparison().is_some_and(|of| of.normalise == normalise);
            known && document.plain().is_ok_and(|its| Arc::ptr_eq(&its, &plain))
        };
        Ok(match self.session.find(is_it) {
            Some(document) => OpenedResult { document }.into(),
            None if normalise == Normalise::Absolute => self.opened(plain),
            None => self.opened(Arc::new(normalised(&compared, &normalise)?)),
        })
    }

    fn merge(&self, params: MergeParams) -> Replied<OpenedResult> {
        let merged = self.together(&params.documents)?;
        let document = match params.documents[..] {
            // One document alone is open already.
            [document] => document,
            _ => self.session.add_ready(merged, Some(MadeBy::Merge(params))),
        };
        Ok(OpenedResult { document }.into())
    }

    fn split_members(&self, params: SplitMembersParams) -> Replied<OpenedResult> {
        let by: MembersBy = params.by.parse().unwrap_or_else(|never| match never {});
        let whole = self.profile(params.document)?;
        let argument = by.argument();
        if let Some(document) = self.session.split_of(params.document, &argument) {
            return Ok(OpenedResult { document }.into());
        }
        let split = Arc::new(split_members(&whole, &by)?);
        let document = self.session.add_split(split, params.document, argument)?;
        Ok(OpenedResult { document }.into())
    }

    fn align(&self, params: AlignParams) -> Replied<OpenedResult> {
        let by: AlignBy = params.by.parse().map_err(|error: AlignByError| {
            ProtocolError::new(ErrorCode::BadRequest, error.to_string())
        })?;
        let recorded = self.profile(params.document)?;
        let argument = format!("align {by}");
        if let Some(document) = self.session.split_of(params.document, &argument) {
            return Ok(OpenedResult { document }.into());
        }
        let aligned = Arc::new(aligned(&recorded, &by)?);
        let document = self.session.add_split(aligned, params.document, argument)?;
        Ok(OpenedResult { document }.into())
    }

    fn experiment(&self, params: ExperimentParams) -> Replied<ExperimentResult> {
        answers::experiment(&*self.profile(params.document)?, &params)
    }

    fn experiment_matrix(
        &self,
        params: ExperimentQuantityParams,
    ) -> Replied<ExperimentMatrixResult> {
        answers::experiment_matrix(&*self.profile(params.view.document)?, &params)
    }

    fn experiment_effects(
        &self,
        params: ExperimentQuantityParams,
    ) -> Replied<ExperimentEffectsResult> {
        answers::experiment_effects(&*self.profile(params.view.document)?, &params)
    }

    fn experiment_differences(
        &self,
        params: ExperimentDifferencesParams,
    ) -> Replied<ExperimentDifferencesResult> {
        answers::experiment_differences(&*self.profile(params.view.document)?, &params)
    }

    fn experiment_history(
        &self,
        params: ExperimentHistoryParams,
    ) -> Replied<ExperimentHistoryResult> {
        answers::experiment_history(&*self.profile(params.view.document)?, &params)
    }

    fn functions(&self, params: FunctionsParams) -> Replied<FunctionsResult, FunctionsColumns> {
        answers::functions(&*self.profile(params.view.document)?, &params)
    }

    fn estimates(&self, params: ViewParams) -> Replied<EstimatesResult> {
        answers::estimates(&*self.profile(params.view.document)?, &params)
    }

    fn advice(&self, params: AdviceParams) -> Replied<AdviceResult> {
        let document = self.profile(params.view.document)?;
        answers::advice(&document, &params, &self.session.profiles().rules)
    }

    fn bars(&self, params: FunctionsParams) -> Replied<BarsResult, BarsColumns> {
        answers::bars(&*self.profile(params.view.document)?, &params)
    }

    fn treemap(&self, params: TreemapParams) -> Replied<FlameResult, FlameColumns> {
        answers::treemap(&*self.profile(params.view.document)?, &params)
    }

    fn call_graph(&self, params: CallGraphParams) -> Replied<CallGraphResult, CallGraphColumns> {
        answers::call_graph(&*self.profile(params.view.document)?, &params)
    }

    fn scatter(&self, params: ScatterParams) -> Replied<ScatterResult, ScatterColumns> {
        answers::scatter(&*self.profile(params.view.document)?, &params)
    }

    fn export_calls_csv(&self, params: ViewParams) -> Replied<TextResult> {
        answers::export_calls_csv(&*self.profile(params.view.document)?, &params)
    }

    fn source_lines(
        &self,
        params: SourceLinesParams,
    ) -> Replied<SourceLinesResult, SourceLinesColumns> {
        answers::source_lines(&*self.profile(params.view.document)?, &params)
    }

    fn instructions(&self, params: NodeParams) -> Replied<InstructionsResult, InstructionsColumns> {
        let document = self.profile(params.view.document)?;
        answers::instructions(&document, &params, self.session.binaries())
    }

    fn search(&self, params: SearchParams) -> Replied<SearchResult, SearchColumns> {
        answers::search(&*self.profile(params.view.document)?, &params)
    }

    fn find(&self, params: FindParams) -> Replied<FindResult, FindColumns> {
        let document = self.profile(params.view.document)?;
        let frames = match params.function {
            Some(FunctionRef { document: of, key }) if of == params.view.document => {
                Some(frames_of_function(&document, key))
            }
            Some(FunctionRef { document: of, key }) => {
                Some(frames_of_side(&document, of, &*self.profile(of)?, key)?)
            }
            None => None,
        };
        answers::find(&document, &params, frames)
    }

    fn filters(&self, params: ViewParams) -> Replied<FiltersResult> {
        answers::filters(&*self.profile(params.view.document)?, &params)
    }

    fn pairs(&self, params: PairsParams) -> Replied<PairsResult, PairsColumns> {
        answers::pairs(&*self.profile(params.view.document)?, &params)
    }

    fn export_svg(&self, params: ExportSvgParams) -> Replied<TextResult> {
        answers::export_svg(&*self.profile(params.view.document)?, &params)
    }

    fn export_functions_csv(&self, params: FunctionsParams) -> Replied<TextResult> {
        answers::export_functions_csv(&*self.profile(params.view.document)?, &params)
    }

    fn export_csv(&self, params: RowsParams) -> Replied<TextResult> {
        answers::export_csv(&*self.profile(params.view.document)?, &params)
    }
}
