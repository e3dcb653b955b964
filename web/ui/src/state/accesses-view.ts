import type {
  AccessesCaches,
  CacheLevel,
  GraphColours,
  GraphScale,
  GraphSimulation,
  LevelInclusion,
  LineReplacement,
  SymbolSetting,
} from '@hotframe/engine';
import type { Choice } from './view-state.ts';

/** What elements of containers tell. */
export type AccessOverlay = 'count' | 'distance' | 'misses' | 'evictions' | 'related' | 'lines';
/** Which stack distance of an element is told. */
export type DistanceOf = 'min' | 'median' | 'max';
/** Which misses are told. */
export type MissKind = 'all' | 'cold' | 'capacity' | 'conflict';

export type ChangeSide = 'before' | 'after' | 'both';

/** An element of a container. */
export interface ChosenElement {
  /** What the container is called; of several of a name all but the first with a number. */
  readonly container: string;
  /** Outermost first; one number for several dimensions is the place in row-major order. */
  readonly indices: readonly number[];
}

/** Iterations from the first to the last, both included. */
export interface Iterations {
  readonly from: number;
  readonly to: number;
}

/** Everything that decides what is on screen of accesses; it lives in the page's address. */
export interface AccessesViewState {
  /** Of a graph: the element whose accesses are shown, or all; the graph itself where undefined. */
  readonly scope: number | 'all' | undefined;
  /** Symbols that are not as suggested. */
  readonly symbols: readonly SymbolSetting[];
  /** Symbols at full size that are not as suggested. */
  readonly fullSymbols: readonly SymbolSetting[];
  /** Bytes of a line. */
  readonly line: number;
  /** Lines of a cache where they may stand anywhere; without a meaning where `cache` is set. */
  readonly lines: number;
  /** Caches at the sizes that are shown, as `32K:8,1M:16`. */
  readonly cache: string;
  /** Caches at full size. */
  readonly fullCache: string;
  readonly replacement: LineReplacement;
  readonly inclusion: LevelInclusion;
  /** Ways of writing and placing that are on. */
  readonly rules: readonly AccessRule[];
  readonly schedule: string;
  /** Of recorded accesses: arrays at addresses, as `a=0x4040:8:100x50`. */
  readonly ranges: readonly string[];
  /** So many levels of caches, the nearest, each thread of a schedule has of its own. */
  readonly private: number;
  /** What is changed, in turn. */
  readonly changes: readonly string[];
  /** Whether the picture is of what was before all changes, after them, or both beside each other. */
  readonly side: ChangeSide;
  readonly overlay: AccessOverlay;
  readonly distance: DistanceOf;
  readonly misses: MissKind;
  readonly chosen: readonly ChosenElement[];
  /** The iteration whose accesses are lit; none where undefined. */
  readonly at: number | undefined;
  /** All iterations where undefined. */
  readonly range: Iterations | undefined;
  readonly scale: GraphScale;
  readonly colours: GraphColours;
  /** Whether full sizes are simulated, too. */
  readonly full: boolean;
}

export type AccessRule = 'packed' | 'combining' | 'through' | 'around' | 'prefetch';

export const DEFAULT_ACCESSES_VIEW: AccessesViewState = {
  scope: undefined,
  symbols: [],
  fullSymbols: [],
  line: 64,
  lines: 10,
  cache: '',
  fullCache: '32K',
  replacement: 'lru',
  inclusion: 'none',
  rules: [],
  schedule: '',
  ranges: [],
  private: 0,
  changes: [],
  side: 'after',
  overlay: 'count',
  distance: 'median',
  misses: 'all',
  chosen: [],
  at: undefined,
  range: undefined,
  scale: 'linear',
  colours: 'viridis',
  full: false,
};

export const OVERLAYS: readonly Choice<AccessOverlay>[] = [
  { value: 'count', label: 'Accesses', title: 'How often each element is read or written' },
  {
    value: 'distance',
    label: 'Distance',
    title: 'How many other lines are touched between two touches of an element’s line',
  },
  { value: 'misses', label: 'Misses', title: 'How often an access finds no line in the cache' },
  {
    value: 'evictions',
    label: 'Evictions',
    title: 'How often a line is evicted after this element was touched last',
  },
  {
    value: 'related',
    label: 'Related',
    title: 'What is accessed in the same iterations as the chosen elements',
  },
  { value: 'lines', label: 'Lines', title: 'What shares cache lines with the chosen elements' },
];

/** What elements can tell; recorded accesses have no iterations that relate them. */
export function overlaysOf(isRecorded: boolean): readonly Choice<AccessOverlay>[] {
  return isRecorded ? OVERLAYS.filter(({ value }) => value !== 'related') : OVERLAYS;
}

export const CHANGE_SIDES: readonly Choice<ChangeSide>[] = [
  { value: 'before', label: 'Before', title: 'Before all changes' },
  { value: 'after', label: 'After', title: 'After all changes' },
  {
    value: 'both',
    label: 'Both',
    title: 'Before and after side by side, in the same colours',
  },
];

/** Ways that there is a choice of; recorded accesses say themselves where they are and what they read. */
export function rulesOf(isRecorded: boolean): readonly Choice<AccessRule>[] {
  const isOfLoops = (rule: AccessRule) => rule === 'packed' || rule === 'combining';
  return isRecorded ? RULES.filter(({ value }) => !isOfLoops(value)) : RULES;
}

export const DISTANCES: readonly Choice<DistanceOf>[] = [
  { value: 'min', label: 'Minimum', title: 'The smallest distance of an element' },
  { value: 'median', label: 'Median', title: 'The lower of the two in the middle' },
  { value: 'max', label: 'Maximum', title: 'The largest distance of an element' },
];

export const MISS_KINDS: readonly Choice<MissKind>[] = [
  { value: 'all', label: 'All', title: 'Every miss of the first level' },
  { value: 'cold', label: 'Cold', title: 'First touches of a line in the whole run' },
  {
    value: 'capacity',
    label: 'Capacity',
    title: 'At a distance of as many lines as the cache has, or further',
  },
  {
    value: 'conflict',
    label: 'Conflict',
    title:
      'Missed because its set was full; below 0 where sets keep lines that a fully associative cache would evict',
  },
];

export const REPLACEMENTS: readonly Choice<LineReplacement>[] = [
  { value: 'lru', label: 'LRU', title: 'Evicts the least recently used line' },
  {
    value: 'plru',
    label: 'Tree-PLRU',
    title: 'Evicts the line that a tree of bits points at (pseudo-LRU)',
  },
  { value: 'fifo', label: 'FIFO', title: 'Evicts the line that came first (FIFO)' },
];

export const INCLUSIONS: readonly Choice<LevelInclusion>[] = [
  { value: 'none', label: 'Neither', title: 'Levels keep whatever was not replaced' },
  { value: 'inclusive', label: 'Inclusive', title: 'A level has all lines of those before it' },
  { value: 'exclusive', label: 'Exclusive', title: 'A line is in one level' },
];

export const RULES: readonly Choice<AccessRule>[] = [
  {
    value: 'packed',
    label: 'Containers packed',
    title: 'Instead of each on lines of its own',
  },
  {
    value: 'combining',
    label: 'A write that combines reads first',
    title: 'Instead of counting once',
  },
  {
    value: 'through',
    label: 'Writes go through to memory',
    title: 'Instead of when their line is replaced',
  },
  { value: 'around', label: 'Writes that miss bring no line', title: 'They go to the next level' },
  {
    value: 'prefetch',
    label: 'A miss brings the next line, too',
    title: 'The line after a miss is fetched, too',
  },
];

/** Caches written as `32K:8,1M:16`; undefined where they are not. */
export function parseCaches(text: string): readonly CacheLevel[] | undefined {
  const levels: CacheLevel[] = [];
  for (const part of text.split(',')) {
    const found = /^\s*(\d+(?:\.\d+)?)\s*([KMG]?)(?:i?B)?\s*(?::\s*(\d+))?\s*$/i.exec(part);
    if (found === null) return undefined;
    const [, number = '', unit = '', ways] = found;
    const size = Number(number) * 1024 ** ' KMG'.indexOf(unit === '' ? ' ' : unit.toUpperCase());
    if (!Number.isSafeInteger(size) || size <= 0) return undefined;
    levels.push({ size, ways: ways === undefined ? null : Number(ways) });
  }
  return levels.length <= 8 ? levels : undefined;
}

/** A cache in words: `32K:8`, `640`. */
export function cacheText({ size, ways }: CacheLevel): string {
  const unit = [
    [1024 ** 3, 'G'],
    [1024 ** 2, 'M'],
    [1024, 'K'],
  ].find(([each]) => size % Number(each) === 0);
  const amount = unit === undefined ? String(size) : `${size / Number(unit[0])}${unit[1]}`;
  return ways === null ? amount : `${amount}:${ways}`;
}

/** What the accesses of a state go through, at the sizes that are shown or at full size. */
export function cachesOf(state: AccessesViewState, at: 'shown' | 'full'): AccessesCaches {
  const plain: readonly CacheLevel[] = [{ size: state.lines * state.line, ways: null }];
  const text = at === 'full' ? state.fullCache : state.cache;
  const levels = text === '' ? plain : (parseCaches(text) ?? plain);
  // Lines that may stand anywhere give way to what was used least recently.
  const hasSets = levels.every(({ ways }) => ways !== null);
  return {
    levels: [...levels],
    replacement: hasSets ? state.replacement : 'lru',
    inclusion: state.inclusion,
    writes_through: state.rules.includes('through'),
    writes_around: state.rules.includes('around'),
    prefetches_next: state.rules.includes('prefetch'),
    private: state.schedule === '' ? 0 : Math.min(state.private, levels.length),
  };
}

/** What a graph's edges move, simulated at full size. */
export function simulationOf(state: AccessesViewState): GraphSimulation {
  return {
    // Edges are simulated on one thread.
    caches: { ...cachesOf(state, 'full'), private: 0 },
    line: state.line,
    packed: state.rules.includes('packed'),
    combining_reads: state.rules.includes('combining'),
  };
}

/** Whether misses follow from distances alone, so that another number of lines is counted at once. */
export function isPlain(state: AccessesViewState): boolean {
  return (
    state.cache === '' &&
    cachesOf(state, 'shown').private === 0 &&
    !state.rules.some((rule) => rule === 'through' || rule === 'around' || rule === 'prefetch')
  );
}
