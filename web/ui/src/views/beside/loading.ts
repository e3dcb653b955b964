import {
  type Engine,
  EngineError,
  type Filter,
  type FunctionsParams,
  type MetricInfo,
  type ScatterOf,
  type ViewSpec,
} from '@hotframe/engine';
import { NO_VALUE, shareOf } from '../../text/units.ts';
import { type BarsScene, sceneOf as barsOf } from '../bars/rows.ts';
import { type ScatterScene, sceneOf as scatterOf } from '../scatter/marks.ts';

/** Most functions of a profile that are looked through, and that bars and marks are drawn of. */
const MOST_LISTED = 10_000;
const MOST_BARS = 40;
const MOST_MARKS = 2000;

/** A profile, or what filters leave of it beside those of the view. */
export interface BesidePart {
  readonly document: number;
  readonly title: string;
  readonly filters?: readonly Filter[];
}

/** What is asked of every profile or part. */
export interface BesideAsked {
  readonly spec: ViewSpec;
  readonly metric: { readonly name: string; readonly unit: string };
  /** Undefined where only the list of functions is asked for. */
  readonly chart: 'bars' | 'scatter' | undefined;
  readonly by: 'self_value' | 'total_value';
  readonly of: ScatterOf;
  /** Most functions that are looked through, and that bars are drawn of; as many as are read. */
  readonly most?: { readonly listed: number; readonly bars: number };
}

export interface BesideInput extends BesideAsked {
  readonly documents: readonly BesidePart[];
}

/** A function as a profile has it. */
export interface BesideFunction {
  readonly name: string;
  readonly key: number;
  readonly self: bigint;
  readonly total: bigint;
}

/** A profile's pane. */
export interface BesidePane {
  readonly document: number;
  readonly title: string;
  readonly metric: MetricInfo;
  readonly bars: BarsScene | undefined;
  readonly scatter: ScatterScene | undefined;
  readonly functions: readonly BesideFunction[];
  /** Functions that are not in the list, which is cut where there are too many. */
  readonly unlisted: number;
  /** Total of the program. */
  readonly whole: bigint;
}

/** A profile that cannot be shown beside the others, and why. */
export interface BesideProblem {
  readonly document: number;
  readonly title: string;
  readonly problem: string;
  readonly hint: string;
}

export async function loadPanes(
  engine: Engine,
  input: BesideInput,
  signal: AbortSignal,
): Promise<readonly (BesidePane | BesideProblem)[]> {
  return Promise.all(
    input.documents.map(async (of) => {
      try {
        return await loadPane(engine, input, of, signal);
      } catch (error) {
        if (signal.aborted || !(error instanceof EngineError)) throw error;
        return { ...of, problem: error.message, hint: error.hint ?? '' };
      }
    }),
  );
}

/** A pane, or why there is none. */
export async function loadPane(
  engine: Engine,
  { spec, metric, chart, by, of, most = { listed: MOST_LISTED, bars: MOST_BARS } }: BesideAsked,
  { document, title, filters = [] }: BesidePart,
  signal: AbortSignal,
): Promise<BesidePane | BesideProblem> {
  const { result: summary } = await engine.call('summary', { document }, { signal });
  const at = summary.metrics.findIndex(
    ({ name, unit }) => name === metric.name && unit === metric.unit,
  );
  const info = summary.metrics[at];
  if (info === undefined) {
    const problem = `It has no metric ${metric.name} in ${metric.unit}.`;
    return { document, title, problem, hint: 'Choose a metric that all of them have.' };
  }
  const view: ViewSpec = {
    ...spec,
    document,
    metric: at,
    filters: [...spec.filters, ...filters],
    shape: { kind: 'top_down' },
  };
  const list: FunctionsParams = {
    view,
    metrics: [at],
    sort: { by, metric: at, reverse: false },
    filter: '',
    direction: null,
    first: 0,
    count: most.listed,
  };
  const { result, columns } = await engine.call('functions', list, { signal });
  const functions = result.rows.map(({ name, key }, row): BesideFunction => ({
    name,
    key,
    self: columns.self_value[row]!,
    total: columns.total_value[row]!,
  }));
  const bars =
    chart === 'bars'
      ? barsOf(await engine.call('bars', { ...list, count: most.bars }, { signal }))
      : undefined;
  const scatter =
    chart === 'scatter'
      ? scatterOf(await engine.call('scatter', { view, of, most: MOST_MARKS }, { signal }))
      : undefined;
  const unlisted = result.total_rows - functions.length;
  const whole = columns.scale[0] ?? 0n;
  return { document, title, metric: info, bars, scatter, functions, unlisted, whole };
}

/** Whether it is a pane. */
export function isPane(one: BesidePane | BesideProblem): one is BesidePane {
  return !('problem' in one);
}

/**
 * By pane, the functions that no other pane has, by name, the largest self first; undefined where lists
 * are cut, so that nothing is known.
 */
export function onlyIn(
  panes: readonly BesidePane[],
): readonly (readonly BesideFunction[])[] | undefined {
  if (panes.some(({ unlisted }) => unlisted > 0)) return undefined;
  const names = panes.map(({ functions }) => new Set(functions.map(({ name }) => name)));
  const size = ({ self }: BesideFunction) => (self === NO_VALUE ? 0n : self < 0n ? -self : self);
  return panes.map(({ functions }, at) =>
    functions
      .filter(({ name }) => names.every((others, other) => other === at || !others.has(name)))
      .sort((a, b) => (size(a) < size(b) ? 1 : size(a) > size(b) ? -1 : 0)),
  );
}

/** The share of self of some functions in a pane's program. */
export function shareOfSelf(functions: readonly BesideFunction[], { whole }: BesidePane): number {
  const sum = functions.reduce((all, { self }) => (self === NO_VALUE ? all : all + self), 0n);
  return shareOf(sum, whole);
}
