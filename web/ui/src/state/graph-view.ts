import type {
  CountedOperations,
  EdgeQuantity,
  GraphBasis,
  GraphColours,
  GraphKind,
  GraphScale,
  GraphShow,
  GraphSimulation,
  GraphSummaryResult,
  GraphView,
  NodeQuantity,
  SymbolSetting,
} from '@hotframe/engine';
import type { Choice } from './view-state.ts';

/** Which part of a drawing the screen shows, in its view units. */
export interface Camera {
  /** What is in the middle of the screen. */
  readonly x: number;
  readonly y: number;
  /** CSS pixels a view unit. */
  readonly zoom: number;
}

/** What boxes tell, as one word: `work`, or `measured:` and the metric's name. */
export type NodeChoice = string;

/** Everything that decides what is on screen of a dataflow graph; it lives in the page's address. */
export interface GraphViewState {
  /** What can be overlooked where undefined. */
  readonly depth: number | undefined;
  readonly opened: readonly number[];
  readonly closed: readonly number[];
  readonly hidden: readonly GraphKind[];
  /** Symbols that are not at their suggested values. */
  readonly symbols: readonly SymbolSetting[];
  readonly nodes: NodeChoice;
  readonly edges: EdgeQuantity;
  readonly basis: GraphBasis;
  readonly inBytes: boolean;
  readonly scale: GraphScale;
  readonly colours: GraphColours;
  /** The document of the graph that this one is compared with. */
  readonly against: number | undefined;
  /** The selected element. */
  readonly selection: number | undefined;
  /** Elements that are added up. */
  readonly summed: readonly number[];
  /** All of the drawing where undefined. */
  readonly camera: Camera | undefined;
  /** What the camera's drawing was made for, as the protocol has it; the screen where undefined. */
  readonly aspect: number | undefined;
}

export const DEFAULT_GRAPH_VIEW: GraphViewState = {
  depth: undefined,
  opened: [],
  closed: [],
  hidden: [],
  symbols: [],
  nodes: 'none',
  edges: 'movement',
  basis: 'whole',
  inBytes: true,
  scale: 'mean',
  colours: 'heat',
  against: undefined,
  selection: undefined,
  summed: [],
  camera: undefined,
  aspect: undefined,
};

export const KIND_LABELS: Readonly<Record<GraphKind, string>> = {
  graph: 'graph',
  state: 'state',
  region: 'region',
  loop: 'loop',
  conditional: 'conditional',
  branch: 'branch',
  jump: 'jump',
  access: 'data',
  stream: 'stream',
  tasklet: 'tasklet',
  map: 'map',
  map_exit: 'map exit',
  consume: 'consume',
  consume_exit: 'consume exit',
  nested: 'nested graph',
  library: 'library node',
  opaque: 'unknown node',
};

/** Kinds that can be left out of a drawing; what holds others cannot. */
export const HIDEABLE: readonly GraphKind[] = [
  'access',
  'stream',
  'tasklet',
  'map_exit',
  'consume_exit',
  'library',
  'opaque',
];

export const NODE_QUANTITIES: readonly Choice<NodeChoice>[] = [
  { value: 'none', label: 'None', title: 'Boxes have the colour of their kind' },
  { value: 'work', label: 'Operations', title: 'Arithmetic operations' },
  { value: 'depth', label: 'Depth', title: 'Operations on the longest chain' },
  { value: 'parallelism', label: 'Parallelism', title: 'Operations over depth' },
  { value: 'intensity', label: 'Intensity', title: 'Operations for each byte that moves' },
  { value: 'movement', label: 'Movement', title: 'What moves over the box’s outer edges' },
  { value: 'network', label: 'Network', title: 'Bytes that go over the network' },
  { value: 'memory', label: 'Memory', title: 'Size of the data container' },
  { value: 'storage', label: 'Storage', title: 'Where the data container is' },
];

/** What can be told where something was measured, besides its metrics. */
export const MEASURED_QUANTITIES: readonly Choice<NodeChoice>[] = [
  { value: 'bandwidth', label: 'Bandwidth', title: 'Bytes as modelled over seconds as measured' },
  { value: 'rate', label: 'Rate', title: 'Operations as modelled over seconds as measured' },
];

export const EDGE_QUANTITIES: readonly Choice<EdgeQuantity>[] = [
  { value: 'none', label: 'None', title: 'Edges are lines' },
  { value: 'movement', label: 'Movement', title: 'How much data moves over an edge' },
  {
    value: 'simulated',
    label: 'Simulated',
    title: 'What moves between a cache and memory: lines that an edge’s accesses miss',
  },
];

export const BASES: readonly Choice<GraphBasis>[] = [
  { value: 'whole', label: 'Whole run', title: 'All times together in a run of the program' },
  { value: 'each', label: 'Each time', title: 'Each time that the element is reached' },
];

export type Unit = 'bytes' | 'elements';

export const OPERATIONS: readonly Choice<CountedOperations>[] = [
  {
    value: 'dace',
    label: 'Arithmetic',
    title: 'As DaCe counts: without minima, maxima, comparisons and choices',
  },
  { value: 'every', label: 'Every', title: 'Minima, maxima, comparisons and choices too' },
];

export const UNITS: readonly Choice<Unit>[] = [
  { value: 'bytes', label: 'Bytes', title: 'What moves, in bytes' },
  { value: 'elements', label: 'Elements', title: 'What moves, in elements of its container' },
];

export const SCALES: readonly Choice<GraphScale>[] = [
  {
    value: 'mean',
    label: 'Mean',
    title: 'The mean in the middle; what is far above it stands out',
  },
  { value: 'median', label: 'Median', title: 'The median in the middle' },
  { value: 'histogram', label: 'Histogram', title: 'By rank among the distinct values' },
  { value: 'linear', label: 'Linear', title: 'From the smallest to the largest value' },
  { value: 'exponential', label: 'Exponential', title: 'By the logarithm' },
];

export const COLOUR_MAPS: readonly Choice<GraphColours>[] = [
  { value: 'heat', label: 'Blue to red', title: 'Blue, yellow, red, for every kind of sight' },
  { value: 'viridis', label: 'Viridis', title: 'Blue to yellow, for every kind of sight' },
  { value: 'cividis', label: 'Cividis', title: 'Dark blue to yellow, made for colour blindness' },
];

/** A choice as the protocol has it. */
export function nodeQuantity(choice: NodeChoice): NodeQuantity {
  const [kind, ...name] = choice.split(':');
  switch (kind) {
    case 'work':
    case 'depth':
    case 'parallelism':
    case 'intensity':
    case 'movement':
    case 'network':
    case 'memory':
    case 'storage':
    case 'bandwidth':
    case 'rate':
      return { kind };
    case 'measured':
      return { kind, name: name.join(':') };
    default:
      return { kind: 'none' };
  }
}

/** The drawing that a state shows. */
export function graphViewOf(state: GraphViewState, document: number, screen: number): GraphView {
  return {
    document,
    depth: state.depth ?? null,
    opened: [...state.opened],
    closed: [...state.closed],
    hidden: [...state.hidden],
    aspect: state.aspect ?? screen,
  };
}

/** Values of all symbols: what was set, else what was suggested. */
export function settingsOf(
  summary: GraphSummaryResult,
  symbols: readonly SymbolSetting[],
): SymbolSetting[] {
  return summary.symbols.map(({ name, suggested }) => ({
    name,
    value: symbols.find((setting) => setting.name === name)?.value ?? suggested,
  }));
}

/** Sizes that neither the program nor anybody has set, with the values that stand for them. */
export function exampleSizes(
  summary: GraphSummaryResult,
  symbols: readonly SymbolSetting[],
): SymbolSetting[] {
  const unset = summary.symbols.filter(
    ({ name, is_example: isExample }) =>
      isExample && !symbols.some((setting) => setting.name === name),
  );
  return unset.map(({ name, suggested }) => ({ name, value: suggested }));
}

/** What a state lays over its drawing. */
export function showOf(
  state: GraphViewState,
  summary: GraphSummaryResult,
  simulation: GraphSimulation,
): GraphShow {
  return {
    symbols: settingsOf(summary, state.symbols),
    nodes: nodeQuantity(state.nodes),
    edges: state.edges,
    simulation: state.edges === 'simulated' ? simulation : null,
    basis: state.basis,
    in_bytes: state.inBytes,
    scale: state.scale,
    colours: state.colours,
    against: state.against ?? null,
  };
}

/** What is opened and closed after a container was folded or unfolded. */
export function withFold(
  state: GraphViewState,
  element: number,
  open: boolean,
): Pick<GraphViewState, 'opened' | 'closed'> {
  const without = (list: readonly number[]) => list.filter((one) => one !== element);
  return open
    ? { opened: [...without(state.opened), element], closed: without(state.closed) }
    : { opened: without(state.opened), closed: [...without(state.closed), element] };
}

/** What is opened and closed when all of `path` is to be open. */
export function withPath(
  state: GraphViewState,
  path: readonly number[],
  isOpen: (element: number) => boolean,
): Pick<GraphViewState, 'opened' | 'closed'> {
  let { opened, closed } = state;
  for (const element of path) {
    if (!isOpen(element))
      ({ opened, closed } = withFold({ ...state, opened, closed }, element, true));
  }
  return { opened, closed };
}
