import type {
  Collapse,
  ColourBy,
  Filter,
  FilterKind,
  Granularity,
  LabelBy,
  Order,
  Shape,
  ViewSpec,
} from '@hotframe/engine';
import { type Range, WHOLE } from '../canvas/viewport.ts';
import { type AccessesViewState, DEFAULT_ACCESSES_VIEW } from './accesses-view.ts';
import { DEFAULT_GRAPH_VIEW, type GraphViewState } from './graph-view.ts';
import type { RunsPlace } from './runs/place.ts';

export type ShapeKind = 'top_down' | 'bottom_up' | 'all_callers' | 'flat';

/** A line of a source file; 0 where only the file is known. */
export interface SourcePlace {
  readonly file: string;
  readonly line: number;
}

/** Where a flame graph is zoomed to. */
export interface Zoom {
  /** Keys from below the whole program down to the node that fills the width. */
  readonly path: readonly number[];
  /** Lengths of `path` at which the zoom stopped on the way, for going back out. */
  readonly stops: readonly number[];
  /** The visible part of that node. */
  readonly range: Range;
  /** How far it is scrolled down, in CSS pixels; not at all where undefined. */
  readonly top?: number | undefined;
}

/** Everything that decides what is on screen; it lives in the page's address. */
export interface ViewState {
  readonly document: number | undefined;
  /** The page of experiments that is shown in place of the document. */
  readonly runs: RunsPlace | undefined;
  /** What its members are made of, as `--members-by` names it; as they came where undefined. */
  readonly members: string | undefined;
  /** What of several recordings stands together in time, as `--align` names it; as they came where undefined. */
  readonly align: string | undefined;
  /** The document's own default where undefined. */
  readonly metric: number | undefined;
  /** The formula of the shown metric, where it is one that the page defines. */
  readonly formula: string | undefined;
  readonly shape: ShapeKind;
  /** What suits the document where undefined. */
  readonly view: string | undefined;
  readonly granularity: Granularity;
  readonly filters: readonly Filter[];
  readonly order: Order;
  /** What the frames of pictures are called. */
  readonly labels: LabelBy;
  /** Which calls of functions from themselves are one frame. */
  readonly collapse: Collapse;
  /** Percent of the program that what is drawn or listed has at least. */
  readonly hideBelow: number;
  /** How many levels below the program are drawn or listed; all where undefined. */
  readonly levels: number | undefined;
  /** What suits the document where undefined. */
  readonly colour: ColourBy | undefined;
  readonly search: string;
  readonly zoom: Zoom;
  /** Keys from below the whole program down to the selected node. */
  readonly selection: readonly number[];
  /** The chosen function: that of the sandwich view, lit wherever it is drawn. */
  readonly fn: number | undefined;
  /** Functions that were chosen together in a chart, lit wherever they are drawn. */
  readonly fns: readonly number[];
  /** The source whose text is shown over the page. */
  readonly source: SourcePlace | undefined;
  /** What is shown of a document that is a dataflow graph. */
  readonly graph: GraphViewState;
  /** What of accesses is on screen: of a part of a graph, or of loops. */
  readonly accesses: AccessesViewState;
  /** What views have of the address for themselves, by their keys. */
  readonly parts: Readonly<Record<string, unknown>>;
}

export const NO_ZOOM: Zoom = { path: [], stops: [], range: WHOLE };

export const DEFAULT_VIEW: ViewState = {
  document: undefined,
  runs: undefined,
  members: undefined,
  align: undefined,
  metric: undefined,
  formula: undefined,
  shape: 'top_down',
  view: undefined,
  granularity: 'function',
  filters: [],
  order: 'value',
  labels: 'function',
  collapse: 'none',
  hideBelow: 0,
  levels: undefined,
  colour: undefined,
  search: '',
  zoom: NO_ZOOM,
  selection: [],
  fn: undefined,
  fns: [],
  source: undefined,
  graph: DEFAULT_GRAPH_VIEW,
  accesses: DEFAULT_ACCESSES_VIEW,
  parts: {},
};

export interface Choice<T extends string> {
  readonly value: T;
  readonly label: string;
  /** One sentence for the tooltip. */
  readonly title: string;
}

export const SHAPES: readonly Choice<ShapeKind>[] = [
  { value: 'top_down', label: 'Top-down', title: 'Callers above what they call' },
  { value: 'bottom_up', label: 'Bottom-up', title: 'Where the time is spent, callers below' },
  { value: 'flat', label: 'Flat', title: 'Program, module, file, function' },
];

/** What functions that stand above their callers are taken by. */
export const BOTTOM_UP_BY: readonly Choice<ShapeKind>[] = [
  { value: 'bottom_up', label: 'self', title: 'Functions with a value of their own' },
  {
    value: 'all_callers',
    label: 'total',
    title:
      'Every function with its total. Those that call one another overlap: widths are shares of the sum of all totals',
  },
];

export const GRANULARITIES: readonly Choice<Granularity>[] = [
  { value: 'function', label: 'Function', title: 'One frame a function: its name and file' },
  { value: 'name', label: 'Name', title: 'One frame a name, whatever its file' },
  { value: 'file', label: 'File', title: 'One frame a source file' },
  { value: 'line', label: 'Line', title: 'One frame a source line' },
  { value: 'module', label: 'Module', title: 'One frame a binary or library' },
  { value: 'address', label: 'Address', title: 'One frame an instruction address' },
];

export const COLOURS: readonly Choice<ColourBy>[] = [
  { value: 'module', label: 'Module', title: 'One colour a package or module' },
  { value: 'file', label: 'File', title: 'One colour a source file' },
  { value: 'function', label: 'Function', title: 'One colour a function' },
  { value: 'self_share', label: 'Self share', title: 'Stronger where the time is its own' },
  { value: 'change', label: 'Change', title: 'Blue for less, orange for more' },
];

export const LABELS: readonly Choice<LabelBy>[] = [
  { value: 'function', label: 'Function', title: 'The name, and the place where names repeat' },
  { value: 'module', label: 'Module', title: 'The name and the binary or library' },
  { value: 'place', label: 'Line', title: 'Source file and line' },
];

export const ORDERS: readonly Choice<Order>[] = [
  { value: 'value', label: 'Size', title: 'Largest first' },
  { value: 'name', label: 'Name', title: 'By name' },
];

export const COLLAPSES: readonly Choice<Collapse>[] = [
  { value: 'none', label: 'Expanded', title: 'Every call is a frame' },
  {
    value: 'direct',
    label: 'Merge direct',
    title: 'A function that calls itself is one frame: a › a › b is a › b',
  },
  {
    value: 'all',
    label: 'Merge all',
    title: 'So is one that comes back from what it calls: a › b › a › c is a › c',
  },
];

/** The choice after one, round and round. */
export function nextCollapse(collapse: Collapse): Collapse {
  const at = COLLAPSES.findIndex(({ value }) => value === collapse);
  return COLLAPSES[(at + 1) % COLLAPSES.length]?.value ?? 'none';
}

export const FILTER_KINDS: readonly Choice<FilterKind>[] = [
  { value: 'focus', label: 'Focus', title: 'Keep stacks with a matching frame' },
  { value: 'ignore', label: 'Ignore', title: 'Drop stacks with a matching frame' },
  { value: 'hide', label: 'Hide', title: 'Remove matching frames; what they call moves up' },
  { value: 'show', label: 'Show', title: 'Remove frames that do not match' },
  { value: 'show_from', label: 'Show from', title: 'Cut stacks above the first matching frame' },
  {
    value: 'label_focus',
    label: 'Label',
    title: 'Keep stacks and spans with a matching label: key=value',
  },
  {
    value: 'label_ignore',
    label: 'Not label',
    title: 'Drop stacks and spans with a matching label',
  },
  { value: 'time', label: 'Time', title: 'Keep a range of time: 1.2s..3.4s; several are combined' },
  { value: 'during', label: 'During', title: 'Keep the time of matching spans' },
  {
    value: 'around',
    label: 'Around',
    title: 'Keep the time around matching marks: GC=5ms is 5 ms before and after each',
  },
];

/** The label of a choice. */
export function labelOf<T extends string>(choices: readonly Choice<T>[], value: T): string {
  return choices.find((choice) => choice.value === value)?.label ?? value;
}

/** The tree that a state shows; `metric` is the one that is shown in fact. */
export function viewSpec(
  state: ViewState,
  document: number,
  metric: number,
  shape?: Shape,
): ViewSpec {
  return {
    document,
    metric,
    shape: shape ?? { kind: state.shape },
    granularity: state.granularity,
    filters: [...state.filters],
    order: state.order,
    collapse_recursion: state.collapse,
    role: null,
  };
}

/**
 * The same place in another shape: a path with callers below is a top-down path read backwards; in the flat
 * shape, nodes are not calls, so there is no counterpart.
 */
export function pathInShape(
  path: readonly number[],
  from: ShapeKind,
  to: ShapeKind,
): readonly number[] {
  if (from === to) return path;
  if (from === 'flat' || to === 'flat') return [];
  return isInnermostFirst(from) === isInnermostFirst(to) ? path : path.toReversed();
}

/** Whether what is called stands above its callers. */
export function isInnermostFirst(shape: Shape['kind']): boolean {
  return shape === 'bottom_up' || shape === 'all_callers';
}
