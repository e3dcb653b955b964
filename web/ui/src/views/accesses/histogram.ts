import type { AccessTotals } from '@hotframe/engine';
import type { AccessesRun } from '../../state/accesses.ts';

/** How often distances occurred. */
export interface Distances {
  /** First touches of a line. */
  readonly cold: number;
  /** Further away than was followed. */
  readonly far: number;
  /** Distances, rising, and how often each. */
  readonly near: readonly (readonly [number, number])[];
}

const known = new WeakMap<AccessesRun, Map<number | undefined, Distances>>();

/** Distances of a container, or of all. */
export function histogramOf(run: AccessesRun, container: number | undefined): Distances {
  let all = known.get(run);
  if (all === undefined) {
    all = new Map();
    known.set(run, all);
  }
  let own = all.get(container);
  if (own === undefined) {
    own = gathered(run, container);
    all.set(container, own);
  }
  return own;
}

function gathered(run: AccessesRun, container: number | undefined): Distances {
  const { histogram_container, histogram_distance, histogram_count } = run.columns;
  const near = new Map<number, number>();
  let [cold, far] = [0, 0];
  histogram_container.forEach((own, index) => {
    if (container !== undefined && own !== container) return;
    const distance = histogram_distance[index]!;
    const count = histogram_count[index]!;
    if (distance === Number.POSITIVE_INFINITY) cold += count;
    else if (distance < 0) far += count;
    else near.set(distance, (near.get(distance) ?? 0) + count);
  });
  return { cold, far, near: [...near].sort(([a], [b]) => a - b) };
}

/** Distances of accesses that are told one by one. */
export function histogramFrom(distances: readonly number[], cold: number): Distances {
  const near = new Map<number, number>();
  for (const distance of distances) near.set(distance, (near.get(distance) ?? 0) + 1);
  return { cold, far: 0, near: [...near].sort(([a], [b]) => a - b) };
}

/** Misses in a cache of so many lines that may stand anywhere. */
export function countMisses(
  { cold, far, near }: Distances,
  lines: number,
): { cold: number; capacity: number; conflict: number } {
  const capacity = near.reduce(
    (sum, [distance, count]) => sum + (distance >= lines ? count : 0),
    far,
  );
  return { cold, capacity, conflict: 0 };
}

/**
 * What accesses of a container, or all of them, do: at a number of lines that may stand anywhere, which is
 * counted at once, or else as the engine tells it.
 */
export function totalsOf(
  run: AccessesRun,
  container: number | undefined,
  lines: number | undefined,
): AccessTotals {
  const { result, program } = run;
  const own = container === undefined ? result.totals : result.containers[container]!.totals;
  const counted =
    lines === undefined ? own : { ...own, ...countMisses(histogramOf(run, container), lines) };
  return { ...counted, bytes: missesOf(counted) * program.line };
}

/** All misses. */
export function missesOf({ cold, capacity, conflict }: AccessTotals): number {
  return cold + capacity + conflict;
}

/** A bar of a histogram. */
export interface Bar {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/**
 * Distances in bars: each its own while they are few, else by powers of two. None is of hits and misses both: the
 * bar that a cache of so many lines ends in is two.
 */
export function barsOf({ near }: Distances, lines: number | undefined): readonly Bar[] {
  const FEW = 24;
  const last = near.at(-1)?.[0] ?? 0;
  if (last < FEW) {
    return near.map(([distance, count]) => ({ from: distance, to: distance, count }));
  }
  const bars = new Map<number, Bar>();
  for (const [distance, count] of near) {
    let from = distance === 0 ? 0 : 2 ** Math.floor(Math.log2(distance));
    let to = distance === 0 ? 0 : 2 * from - 1;
    if (lines !== undefined && lines > from && lines <= to) {
      if (distance < lines) to = lines - 1;
      else from = lines;
    }
    bars.set(from, { from, to, count: (bars.get(from)?.count ?? 0) + count });
  }
  return [...bars.values()];
}
