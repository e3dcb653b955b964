import type { Answer } from '@hotframe/engine';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { AccessesRun } from '../../state/accesses.ts';
import { type AccessesViewState, cachesOf, isPlain } from '../../state/accesses-view.ts';
import { useApp } from '../../state/services.ts';
import { cellOfElement, type Places } from './places.ts';
import type { Told } from './told.ts';

/** What cells of a container tell. */
export interface Cells {
  /** NaN where a cell tells nothing. */
  readonly values: Float64Array;
  /** Whether any element is accessed. */
  readonly touched: Uint8Array;
}

/** Why cells tell nothing. */
export interface Problem {
  readonly problem: string;
}

/** What elements of a cell tell together. */
export type Together = 'sum' | 'least' | 'most';

/** Counts are added up; of distances the least of the smallest are told, and the most of others. */
export function togetherOf(view: Pick<AccessesViewState, 'overlay' | 'distance'>): Together {
  if (view.overlay !== 'distance') return 'sum';
  return view.distance === 'min' ? 'least' : 'most';
}

/** Elements brought together to cells. */
export function binned(
  values: Float64Array,
  touched: Uint8Array,
  shape: readonly number[],
  places: Places,
  together: Together,
): Cells {
  if (places.bins.every((bin) => bin === 1)) return { values, touched };
  const count = places.cells.reduce((all, size) => all * size, 1);
  const cells = new Float64Array(count).fill(Number.NaN);
  const any = new Uint8Array(count);
  for (let element = 0; element < values.length; element += 1) {
    const cell = cellOfElement(places, shape, element);
    const value = values[element]!;
    const known = cells[cell]!;
    any[cell]! |= touched[element]!;
    if (Number.isNaN(value)) continue;
    if (Number.isNaN(known)) cells[cell] = value;
    else cells[cell] = joined(known, value, together);
  }
  return { values: cells, touched: any };
}

function joined(one: number, other: number, together: Together): number {
  switch (together) {
    case 'sum':
      return one + other;
    case 'least':
      return Math.min(one, other);
    case 'most':
      return Math.max(one, other);
  }
}

/** What a container's cells tell: of every access, or else of sums that the engine is asked for. */
export function useCells(told: Told, number: number, places: Places): Cells | Problem | undefined {
  const { accesses } = useApp();
  const { overlay, misses, distance } = accesses.view.value;
  const { shape } = told.run.result.containers[number]!;
  const own = useMemo(() => {
    const values = told.values[number];
    const touched = told.touched[number];
    if (values === undefined || touched === undefined) return undefined;
    return binned(values, touched, shape, places, togetherOf({ overlay, distance }));
  }, [told.values, told.touched, places, overlay, distance, number]);
  const where = accesses.isRecorded.value ? 'of shorter recordings' : 'at smaller sizes';
  const sums = useSums(told, number, places, own === undefined, where);
  const cells = useMemo(
    () =>
      sums === undefined || 'problem' in sums
        ? sums
        : ofSums(sums, { overlay, misses, distance }, where),
    [sums, overlay, misses, distance, where],
  );
  // The scale of all pictures is made of what each tells.
  useEffect(() => {
    const key = `${number} ${told.run.program.changes.join(';')}`;
    const sums = new Map(accesses.sums.peek());
    if (own === undefined && cells !== undefined && !('problem' in cells)) {
      sums.set(key, { program: told.run.program, values: cells.values });
    } else if (!sums.delete(key)) {
      return;
    }
    accesses.sums.value = sums;
  }, [own, cells]);
  return own ?? cells;
}

type Sums = Answer<'accesses_elements'>;

/** Sums by cell, where not every access is told. */
function useSums(
  told: Told,
  number: number,
  places: Places,
  wanted: boolean,
  where: string,
): Sums | Problem | undefined {
  const { accesses, engine } = useApp();
  const view = accesses.view.value;
  const lines = linesOf(told.run, view);
  const key = wanted
    ? JSON.stringify({
        program: told.run.program,
        container: number,
        lines,
        bins: places.bins,
      })
    : '';
  const [known, setKnown] = useState<{ key: string; answer: Sums | Problem } | undefined>();
  useEffect(() => {
    if (key === '') return undefined;
    const controller = new AbortController();
    const params = JSON.parse(key) as Parameters<typeof engine.call<'accesses_elements'>>[1];
    engine.call('accesses_elements', params, { signal: controller.signal }).then(
      (answer) => {
        if (!controller.signal.aborted) setKnown({ key, answer });
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        const problem = error instanceof Error ? error.message : String(error);
        setKnown({ key, answer: { problem } });
      },
    );
    return () => controller.abort();
  }, [key]);
  if (!isPlain(view) && view.overlay === 'misses') {
    return {
      problem: `Misses of sets are listed by element ${where}, where each access is simulated.`,
    };
  }
  if (cachesOf(view, 'shown').private > 0 && view.overlay === 'distance') {
    return {
      problem: `Distances of threads are listed by element ${where}, where each access is simulated.`,
    };
  }
  // What was told of other sizes or other cells is nothing of these.
  return known?.key === key ? known.answer : undefined;
}

function linesOf(run: AccessesRun, view: AccessesViewState): number {
  return isPlain(view) ? view.lines : run.result.levels[0]!.size / run.program.line;
}

function ofSums(
  { columns }: Sums,
  view: Pick<AccessesViewState, 'overlay' | 'misses' | 'distance'>,
  where: string,
): Cells | Problem {
  const { accesses, cold, capacity, minimum, median, maximum } = columns;
  const touched = Uint8Array.from(accesses, (count) => (count > 0 ? 1 : 0));
  const distances = { min: minimum, median, max: maximum }[view.distance];
  switch (view.overlay) {
    case 'count':
      return { values: accesses, touched };
    case 'distance':
      return { values: distances.map((value) => (value < 0 ? Number.NaN : value)), touched };
    case 'misses':
      switch (view.misses) {
        case 'all':
          return { values: cold.map((count, cell) => count + capacity[cell]!), touched };
        case 'cold':
          return { values: cold, touched };
        case 'capacity':
          return { values: capacity, touched };
        case 'conflict':
          return { problem: 'A fully associative cache has no conflicts.' };
      }
    default:
      return { problem: `This is computed ${where}, where each access is simulated.` };
  }
}
