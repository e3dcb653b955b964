import type {
  DetailsColumns,
  DetailsResult,
  DistributionColumns,
  DistributionResult,
  DocumentsResult,
  DoneResult,
  FiltersResult,
  FlameColumns,
  FlameResult,
  FormatsResult,
  GraphCompareResult,
  GraphDrawingColumns,
  GraphDrawingResult,
  GraphElementResult,
  GraphMeasureResult,
  GraphOverlayColumns,
  GraphOverlayResult,
  GraphRooflineResult,
  GraphScalingColumns,
  GraphScalingResult,
  GraphSearchResult,
  GraphSummaryResult,
  LocateResult,
  MetricResult,
  NodesResult,
  OpenedResult,
  PairsColumns,
  PairsResult,
  Request,
  RowsColumns,
  RowsResult,
  SearchColumns,
  SearchResult,
  SummaryColumns,
  SummaryResult,
  TextResult,
  UploadResult,
} from './generated/protocol.ts';

/** A method's name. */
export type Method = Request['method'];

/** A method's parameters. */
export type Params<M extends Method> = Extract<Request, { method: M }>['params'];

/** What a method answers; `columns` are views into the frame's bytes, not copies. */
export interface Answer<M extends Method> {
  readonly result: Results[M]['result'];
  readonly columns: Results[M]['columns'];
}

type NoColumns = Readonly<Record<string, never>>;

interface Results {
  readonly documents: { result: DocumentsResult; columns: NoColumns };
  readonly upload: { result: UploadResult; columns: NoColumns };
  readonly close: { result: DocumentsResult; columns: NoColumns };
  readonly summary: { result: SummaryResult; columns: SummaryColumns };
  readonly flame: { result: FlameResult; columns: FlameColumns };
  readonly rows: { result: RowsResult; columns: RowsColumns };
  readonly hottest_path: { result: NodesResult; columns: NoColumns };
  readonly locate: { result: LocateResult; columns: NoColumns };
  readonly details: { result: DetailsResult; columns: DetailsColumns };
  readonly distribution: { result: DistributionResult; columns: DistributionColumns };
  readonly define_metric: { result: MetricResult; columns: NoColumns };
  readonly compare: { result: OpenedResult; columns: NoColumns };
  readonly normalise: { result: OpenedResult; columns: NoColumns };
  readonly merge: { result: OpenedResult; columns: NoColumns };
  readonly split_members: { result: OpenedResult; columns: NoColumns };
  readonly read_as: { result: OpenedResult; columns: NoColumns };
  readonly search: { result: SearchResult; columns: SearchColumns };
  readonly filters: { result: FiltersResult; columns: NoColumns };
  readonly pairs: { result: PairsResult; columns: PairsColumns };
  readonly export_svg: { result: TextResult; columns: NoColumns };
  readonly export_csv: { result: TextResult; columns: NoColumns };
  readonly formats: { result: FormatsResult; columns: NoColumns };
  readonly open_source: { result: DoneResult; columns: NoColumns };
  readonly graph_summary: { result: GraphSummaryResult; columns: NoColumns };
  readonly graph_drawing: { result: GraphDrawingResult; columns: GraphDrawingColumns };
  readonly graph_overlay: { result: GraphOverlayResult; columns: GraphOverlayColumns };
  readonly graph_element: { result: GraphElementResult; columns: NoColumns };
  readonly graph_search: { result: GraphSearchResult; columns: NoColumns };
  readonly graph_scaling: { result: GraphScalingResult; columns: GraphScalingColumns };
  readonly graph_compare: { result: GraphCompareResult; columns: NoColumns };
  readonly graph_measure: { result: GraphMeasureResult; columns: NoColumns };
  readonly graph_roofline: { result: GraphRooflineResult; columns: NoColumns };
  readonly graph_svg: { result: TextResult; columns: NoColumns };
}
