import type { Engine, Filter, LabelBy, ViewSpec } from '@hotframe/engine';
import type { Size } from '../../canvas/rect.ts';
import type { Scene } from '../../canvas/scene.ts';
import { NO_VALUE } from '../../text/units.ts';
import type { BarsScene } from '../bars/rows.ts';
import { onSharedAxes, perRun } from '../beside/axes.ts';
import { type BesideAsked, type BesidePane, isPane, loadPane } from '../beside/loading.ts';
import { loadScene, loadTreemap } from '../flame/source.ts';
import { MOST_RINGS } from '../sunburst/rings.ts';
import { scaleOf, sharesOf } from './cell-sheet.ts';
import type { CellChartKind } from './state.ts';

/** Most functions of a cell that are listed, and that bars are drawn of. */
const MOST = { listed: 1000, bars: 8 };
/** Rows of a flame graph that are drawn. */
export const MOST_ROWS = 18;
/** Arcs of a sunburst are as wide as that at least. */
const ARC = 1.5;

/** A cell whose chart is asked for. */
export interface AskedCell {
  readonly cell: number;
  readonly title: string;
  /** A label filter that keeps the runs that count. */
  readonly pattern: string;
}

/** What is asked of all cells. */
export interface CellsInput extends Pick<BesideAsked, 'spec' | 'metric' | 'of'> {
  readonly cells: readonly AskedCell[];
  readonly chart: CellChartKind;
  /** Whether values add up, so that a run has a mean of them. */
  readonly addsUp: boolean;
  /** Of the chart of the largest cell, in CSS pixels. */
  readonly room: Size;
  readonly search: string;
  readonly labels: LabelBy;
  /** Share of the whole that a box of a treemap of its own has at least, 0 to 1. */
  readonly least: number;
}

/** What is drawn of a cell. */
export type CellDrawing =
  | { readonly kind: 'flame' | 'sunburst' | 'treemap'; readonly scene: Scene; readonly size: Size }
  | { readonly kind: 'bars'; readonly bars: BarsScene }
  | {
      readonly kind: 'scatter';
      readonly scatter: NonNullable<BesidePane['scatter']>;
      readonly size: Size;
    };

/** The chart of a cell. */
export interface CellChart {
  readonly cell: number;
  /** What values are divided by: the runs, or 1 where values do not add up. */
  readonly runs: number;
  readonly pane: BesidePane;
  /** Of the program, by run, in the metric's own integers. */
  readonly whole: number;
  readonly drawing: CellDrawing;
  /** By key, where the function is in the list. */
  readonly at: ReadonlyMap<number, number>;
}

/** The label filter of a cell. */
export function filterOf({ pattern }: Pick<AskedCell, 'pattern'>): Filter {
  return { kind: 'label_focus', pattern };
}

/** Charts on one scale. */
export interface CellCharts {
  readonly charts: readonly CellChart[];
  /** The value of the full width or area: the largest of all cells, drawn or not, by run. */
  readonly full: number;
}

/** The charts of some cells, all on the scale of all cells. */
export async function loadCells(
  engine: Engine,
  input: CellsInput,
  signal: AbortSignal,
): Promise<CellCharts> {
  const { spec, metric, chart, of, addsUp } = input;
  const view: ViewSpec = { ...spec, shape: { kind: 'top_down' } };
  const quantity = { kind: 'metric' } as const;
  const { result: matrix } = await engine.call('experiment_matrix', { view, quantity }, { signal });
  // As in the matrix: runs that recorded nothing, or of which filters leave nothing, have no value.
  const cells = input.cells.flatMap((one) => {
    const runs = matrix.cells[one.cell]?.runs ?? 0;
    return runs === 0 ? [] : [{ ...one, runs }];
  });
  const listed = chart === 'bars' || chart === 'scatter' ? chart : undefined;
  const asked: BesideAsked = { spec, metric, chart: listed, by: 'total_value', of, most: MOST };
  const panes = await Promise.all(
    cells.map(async ({ cell, title, runs, ...rest }) => {
      const part = { document: spec.document, title, filters: [filterOf(rest)] };
      const pane = await loadPane(engine, asked, part, signal);
      if (!isPane(pane)) throw new Error(pane.problem);
      return { cell, runs: addsUp ? runs : 1, pane };
    }),
  );
  const wholes = panes.map(({ pane, runs }) =>
    pane.whole === NO_VALUE ? 0 : Number(pane.whole) / runs,
  );
  const unit = 10 ** (panes[0]?.pane.metric.decimals ?? 0);
  const means = addsUp ? matrix.cells.map(({ mean }) => (mean?.value ?? 0) * unit) : wholes;
  const full = means.reduce((most, one) => (one > most ? one : most), 0);
  const shares = sharesOf(full, wholes);
  const scatters = onSharedAxes(
    panes.flatMap(({ pane, runs }) => (pane.scatter ? [perRun(pane.scatter, runs)] : [])),
  );
  const bars = onOneAxis(
    panes.flatMap(({ pane, runs }) => (pane.bars ? [barsPerRun(pane.bars, runs)] : [])),
  );
  const charts = await Promise.all(
    panes.map(async ({ cell, runs, pane }, at): Promise<CellChart> => {
      const drawing =
        chart === 'bars'
          ? { kind: chart, bars: bars[at]! }
          : chart === 'scatter'
            ? { kind: chart, scatter: scatters[at]!, size: input.room }
            : await loadTree(engine, input, cells[at]!, chart, shares[at]!, signal);
      const keys = new Map(pane.functions.map(({ key }, row) => [key, row]));
      return { cell, runs, pane, whole: wholes[at]!, drawing, at: keys };
    }),
  );
  return { charts, full };
}

async function loadTree(
  engine: Engine,
  { spec, room, search, labels, least }: CellsInput,
  cell: AskedCell,
  kind: 'flame' | 'sunburst' | 'treemap',
  share: number,
  signal: AbortSignal,
): Promise<CellDrawing> {
  const view: ViewSpec = { ...spec, filters: [...spec.filters, filterOf(cell)] };
  const subject = { spec: view, path: [], search, labels };
  const [x, y] = scaleOf(kind, share);
  // A cell of nothing has a line.
  const size = { width: Math.max(1, room.width * x), height: Math.max(1, room.height * y) };
  if (kind === 'treemap') {
    const scene = await loadTreemap(engine, subject, size, least, signal);
    return { kind, scene, size };
  }
  const isFlame = kind === 'flame';
  const width = isFlame ? size.width : (Math.PI * size.width) / ARC;
  const rows = isFlame ? MOST_ROWS : MOST_RINGS + 1;
  const window = { from: 0, to: 1, width, firstRow: 0, rows };
  return { kind, scene: await loadScene(engine, subject, window, undefined, signal), size };
}

/** Bars whose lengths are means of all runs, those without the function among them. */
export function barsPerRun(scene: BarsScene, runs: number): BarsScene {
  const bar = <T extends BarsScene['rows'][number]['self']>(of: T): T => ({
    ...of,
    length: of.value === NO_VALUE ? Number.NaN : Number(of.value) / runs,
  });
  const rows = scene.rows.map((row) => ({ ...row, self: bar(row.self), total: bar(row.total) }));
  return { ...scene, rows };
}

/** Bars with the ticks that reach furthest. */
function onOneAxis(scenes: readonly BarsScene[]): readonly BarsScene[] {
  const reach = ({ ticks }: BarsScene) => (ticks.at(-1) ?? 0) - (ticks[0] ?? 0);
  const ticks = scenes.reduce<readonly number[]>(
    (most, one) => (reach(one) > reach({ ...one, ticks: [...most] }) ? one.ticks : most),
    [],
  );
  return scenes.map((scene) => ({ ...scene, ticks }));
}

/** A function in a cell: its values by run, and their shares. */
export interface InCell {
  readonly name: string;
  readonly self: number;
  readonly total: number;
  readonly selfShare: number;
  readonly totalShare: number;
}

/** What a cell has of a function; undefined where it is not in its list. */
export function inCell({ pane, runs, whole, at }: CellChart, key: number): InCell | undefined {
  const row = at.get(key);
  const found = row === undefined ? undefined : pane.functions[row];
  if (found === undefined) return undefined;
  const [self, total] = [found.self, found.total].map((value) =>
    value === NO_VALUE ? Number.NaN : Number(value) / runs,
  ) as [number, number];
  return { name: found.name, self, total, selfShare: self / whole, totalShare: total / whole };
}
