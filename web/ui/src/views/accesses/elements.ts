import type { AccessedContainer } from '@hotframe/engine';
import type { AccessesRun } from '../../state/accesses.ts';
import type {
  AccessesViewState,
  ChosenElement,
  DistanceOf,
  Iterations,
  MissKind,
} from '../../state/accesses-view.ts';
import { countOf, find, indicesOf, labelsOf } from './containers.ts';

/** The distance of a first touch of a line, as the engine writes it. */
export const COLD = 0xffffffff;
/** No line. */
const NO_LINE = 0xffffffff;

/** Where an element stands: its address. */
export function addressOf(container: AccessedContainer, element: number): number {
  const indices = indicesOf(container.shape, element);
  const at = container.strides.reduce(
    (sum, stride, dimension) => sum + stride * (indices[dimension] ?? 0),
    container.offset,
  );
  return container.base + at * container.element;
}

/** The line of an element's first byte. */
export function lineOf(container: AccessedContainer, element: number, line: number): number {
  return Math.floor(addressOf(container, element) / line);
}

/** How many elements an access touches, from its own on; none behind the end of a container. */
export function touchedBy(run: AccessesRun, access: number): number {
  return run.columns.elements[access] ?? 1;
}

/** The line of an access in the address space. */
export function placeOfLine(run: AccessesRun, access: number): number {
  const line = run.columns.line[access]!;
  return run.columns.place[line] ?? line;
}

/** The iteration that an access is of. */
export function iterationOf(starts: Uint32Array, access: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= access) low = middle;
    else high = middle;
  }
  return low;
}

/** Accesses of some iterations: the first, and one behind the last. */
export function accessesIn(run: AccessesRun, range: Iterations | undefined): [number, number] {
  const { start, reference } = run.columns;
  if (range === undefined) return [0, reference.length];
  const end = start[range.to + 1] ?? reference.length;
  return [Math.min(start[range.from] ?? reference.length, end), end];
}

/** Whether an access misses in the first level, and in which way; undefined where it does not. */
export function missOf(
  run: AccessesRun,
  access: number,
  lines: number | undefined,
): Exclude<MissKind, 'all'> | undefined {
  const distance = run.columns.distance[access]!;
  if (lines !== undefined) {
    if (distance === COLD) return 'cold';
    return distance >= lines ? 'capacity' : undefined;
  }
  if ((run.columns.missed[access]! & 1) === 0) return undefined;
  if (distance === COLD) return 'cold';
  const own = run.result.levels[0]!;
  return distance >= own.size / run.program.line ? 'capacity' : 'conflict';
}

const NO_MISS = [0, 0, 0] as const;
const COLD_MISS = [1, 0, 0] as const;
const CAPACITY_MISS = [0, 1, 0] as const;
const CONFLICT_MISS = [0, 0, 1] as const;
const COLD_KEPT = [1, 0, -1] as const;
const CAPACITY_KEPT = [0, 1, -1] as const;

/**
 * What an access adds to cold, capacity and conflict misses, so that their sums are those of the engine: lines
 * that may stand anywhere decide about the first two, and what sets keep that those would not is a conflict less.
 */
export function partsOf(
  run: AccessesRun,
  access: number,
  lines: number | undefined,
): readonly [number, number, number] {
  const distance = run.columns.distance[access]!;
  const isMiss = lines !== undefined || (run.columns.missed[access]! & 1) === 1;
  if (distance === COLD) return isMiss ? COLD_MISS : COLD_KEPT;
  const own = lines ?? run.result.levels[0]!.size / run.program.line;
  if (distance >= own) return isMiss ? CAPACITY_MISS : CAPACITY_KEPT;
  return lines === undefined && isMiss ? CONFLICT_MISS : NO_MISS;
}

/** By container, what each of its elements tells; NaN where it tells nothing. */
export type Values = readonly Float64Array[];

/** What elements tell under an overlay, of the accesses in a range of iterations. */
export function valuesOf(
  run: AccessesRun,
  view: AccessesViewState,
  lines: number | undefined,
): Values {
  const values = run.result.containers.map((container) => new Float64Array(countOf(container)));
  const [from, to] = accessesIn(run, view.range);
  switch (view.overlay) {
    case 'count':
      each(run, from, to, (own, element) => {
        values[own]![element]! += 1;
      });
      break;
    case 'misses':
      each(run, from, to, (own, element, access, isFurther) => {
        if (isFurther) return;
        const [cold, capacity, conflict] = partsOf(run, access, lines);
        const all = cold + capacity + conflict;
        values[own]![element]! += { all, cold, capacity, conflict }[view.misses];
      });
      break;
    case 'distance':
      return distances(run, from, to, view.distance);
    case 'evictions':
      evictions(run, from, to, lines, (own, element) => {
        values[own]![element]! += 1;
      });
      break;
    case 'related':
      related(run, from, to, view.chosen, values);
      break;
    case 'lines':
      sharing(run, view.chosen, values);
      break;
  }
  return values;
}

/** Which elements are accessed at all, by container. */
export function touched(run: AccessesRun): readonly Uint8Array[] {
  const all = run.result.containers.map((container) => new Uint8Array(countOf(container)));
  each(run, 0, run.columns.reference.length, (own, element) => {
    all[own]![element] = 1;
  });
  return all;
}

/** An access of an element; further ones of the same access find their line where the first has brought it. */
type Tell = (container: number, element: number, access: number, isFurther: boolean) => void;

function each(run: AccessesRun, from: number, to: number, tell: Tell): void {
  const { reference, element, elements } = run.columns;
  const containers = run.result.references.map(({ container }) => container);
  for (let access = from; access < to; access += 1) {
    const container = containers[reference[access]!]!;
    const first = element[access]!;
    const end = first + (elements[access] ?? 1);
    for (let one = first; one < end; one += 1) tell(container, one, access, one > first);
  }
}

function distances(run: AccessesRun, from: number, to: number, of: DistanceOf): Values {
  const all = run.result.containers.map((container) => new Float64Array(countOf(container)));
  for (const own of all) own.fill(Number.NaN);
  if (of !== 'median') {
    const better = of === 'min' ? Math.min : Math.max;
    each(run, from, to, (own, element, access, isFurther) => {
      const distance = isFurther ? 0 : run.columns.distance[access]!;
      if (distance === COLD) return;
      const known = all[own]![element]!;
      all[own]![element] = Number.isNaN(known) ? distance : better(known, distance);
    });
    return all;
  }
  const lists = new Map<number, number[]>();
  const most = Math.max(1, ...all.map(({ length }) => length));
  each(run, from, to, (own, element, access, isFurther) => {
    const distance = isFurther ? 0 : run.columns.distance[access]!;
    if (distance === COLD) return;
    const key = own * most + element;
    const list = lists.get(key);
    if (list === undefined) lists.set(key, [distance]);
    else list.push(distance);
  });
  for (const [key, list] of lists) {
    list.sort((a, b) => a - b);
    // The lower of the two in the middle.
    all[Math.floor(key / most)]![key % most] = list[(list.length - 1) >> 1]!;
  }
  return all;
}

/** Tells the element that last touched a line, each time that the line is driven out of the first level. */
function evictions(
  run: AccessesRun,
  from: number,
  to: number,
  lines: number | undefined,
  tell: (container: number, element: number, access: number) => void,
): void {
  const { line, victim, reference, element: touched } = run.columns;
  const containers = run.result.references.map(({ container }) => container);
  // Where a line was touched last.
  const last = new Map<number, number>();
  // Without sets, what was used least recently is first in a map that is kept in order of use.
  const kept = new Map<number, true>();
  each(run, 0, to, (_own, _element, access, isFurther) => {
    if (isFurther) return;
    let out = victim[access]!;
    const touchedLine = line[access]!;
    if (lines !== undefined) {
      out = NO_LINE;
      if (!kept.delete(touchedLine) && kept.size >= lines) {
        out = kept.keys().next().value ?? NO_LINE;
        kept.delete(out);
      }
      kept.set(touchedLine, true);
    }
    const lost = out === NO_LINE ? undefined : last.get(out);
    if (lost !== undefined && access >= from) {
      tell(containers[reference[lost]!]!, touched[lost]!, access);
    }
    last.set(touchedLine, access);
  });
}

/** Lines of one container that accesses of another drove out. */
export interface EvictionPair {
  readonly by: string;
  readonly of: string;
  readonly lines: number;
}

/** What was counted last of each run: a panel is drawn more often than its run changes. */
const countedPairs = new WeakMap<
  AccessesRun,
  { readonly lines: number | undefined; readonly pairs: readonly EvictionPair[] }
>();

/** By pair of containers, whose access drove out how many lines that the other had touched last. */
export function evictionPairs(
  run: AccessesRun,
  lines: number | undefined,
): readonly EvictionPair[] {
  const known = countedPairs.get(run);
  if (known !== undefined && known.lines === lines) return known.pairs;
  const names = labelsOf(run);
  const containers = run.result.references.map(({ container }) => container);
  const counts = new Float64Array(names.length ** 2);
  evictions(run, 0, run.columns.reference.length, lines, (own, _, access) => {
    counts[containers[run.columns.reference[access]!]! * names.length + own]! += 1;
  });
  const pairs = [...counts]
    .map((driven, at) => ({
      by: names[Math.floor(at / names.length)]!,
      of: names[at % names.length]!,
      lines: driven,
    }))
    .filter((pair) => pair.lines > 0)
    .sort((a, b) => b.lines - a.lines);
  countedPairs.set(run, { lines, pairs });
  return pairs;
}

/** Counts accesses of iterations that touch a chosen element, for each of them once more. */
function related(
  run: AccessesRun,
  from: number,
  to: number,
  chosen: readonly ChosenElement[],
  values: Values,
): void {
  const { start, reference } = run.columns;
  const wanted = chosen.map((one) => find(run, one));
  const lit = wanted.map(() => new Set<number>());
  each(run, from, to, (own, element, access) => {
    wanted.forEach((one, number) => {
      if (one?.number === own && one.element === element) {
        lit[number]!.add(iterationOf(start, access));
      }
    });
  });
  for (const iterations of lit) {
    for (const iteration of iterations) {
      const end = start[iteration + 1] ?? reference.length;
      each(run, start[iteration]!, end, (own, element) => {
        values[own]![element]! += 1;
      });
    }
  }
}

/** Counts the chosen elements whose line an element is in. */
function sharing(run: AccessesRun, chosen: readonly ChosenElement[], values: Values): void {
  const { line } = run.program;
  const lit = chosen.flatMap((one) => {
    const found = find(run, one);
    if (found === undefined) return [];
    return [lineOf(run.result.containers[found.number]!, found.element, line)];
  });
  if (lit.length === 0) return;
  run.result.containers.forEach((container, number) => {
    const own = values[number]!;
    for (let element = 0; element < own.length; element += 1) {
      const at = lineOf(container, element, line);
      for (const one of lit) if (one === at) own[element]! += 1;
    }
  });
}

/** What is known of one element: how often it is accessed, its distances and misses. */
export interface AtElement {
  readonly reads: number;
  readonly writes: number;
  readonly cold: number;
  readonly capacity: number;
  readonly conflict: number;
  /** Rising, first touches of a line aside. */
  readonly distances: readonly number[];
}

/** Of an element that is not accessed. */
export const NOTHING: AtElement = {
  reads: 0,
  writes: 0,
  cold: 0,
  capacity: 0,
  conflict: 0,
  distances: [],
};

/** All about an element. */
export function about(
  run: AccessesRun,
  container: number,
  element: number,
  lines: number | undefined,
  range: Iterations | undefined,
): AtElement {
  const isIt = (own: number, at: number) => own === container && at === element;
  return gathered(run, lines, range, isIt)[container]!.get(element) ?? NOTHING;
}

/** By container, all about each element that is accessed. */
export function aboutEach(
  run: AccessesRun,
  lines: number | undefined,
  range: Iterations | undefined,
): readonly ReadonlyMap<number, AtElement>[] {
  return gathered(run, lines, range, () => true);
}

function gathered(
  run: AccessesRun,
  lines: number | undefined,
  range: Iterations | undefined,
  wanted: (container: number, element: number) => boolean,
): readonly ReadonlyMap<number, AtElement>[] {
  type Sums = { -readonly [K in keyof AtElement]: AtElement[K] } & { distances: number[] };
  const all = run.result.containers.map(() => new Map<number, Sums>());
  const [from, to] = accessesIn(run, range);
  each(run, from, to, (container, element, access, isFurther) => {
    if (!wanted(container, element)) return;
    let own = all[container]!.get(element);
    if (own === undefined) {
      own = { ...NOTHING, distances: [] };
      all[container]!.set(element, own);
    }
    if (run.result.references[run.columns.reference[access]!]!.is_write) own.writes += 1;
    else own.reads += 1;
    const distance = isFurther ? 0 : run.columns.distance[access]!;
    if (distance !== COLD) own.distances.push(distance);
    if (isFurther) return;
    const [cold, capacity, conflict] = partsOf(run, access, lines);
    own.cold += cold;
    own.capacity += capacity;
    own.conflict += conflict;
  });
  for (const own of all.flatMap((one) => [...one.values()])) own.distances.sort((a, b) => a - b);
  return all;
}
