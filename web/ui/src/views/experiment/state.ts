import type { ExperimentQuantity } from '@hotframe/engine';
import type { AddressPart } from '../../state/address-part.ts';
import { choice, optionalChoice } from '../../state/url-fields.ts';
import type { Choice } from '../../state/view-state.ts';

/** What is looked at of an experiment. */
export type ExperimentPart = 'matrix' | 'charts' | 'effects' | 'history' | 'runs';

export const EXPERIMENT_PARTS: readonly Choice<ExperimentPart>[] = [
  { value: 'matrix', label: 'Matrix', title: 'What was measured in each cell' },
  { value: 'charts', label: 'Charts by cell', title: 'The same chart of every cell, on one scale' },
  { value: 'effects', label: 'Effects', title: 'What each factor does, and two together' },
  { value: 'history', label: 'History', title: 'Level by level, with the places where it jumps' },
  { value: 'runs', label: 'Runs', title: 'Every run, and what is known of it' },
];

/** A chart that is drawn of every cell. */
export type CellChartKind = 'flame' | 'sunburst' | 'treemap' | 'bars' | 'scatter';

export const CELL_CHARTS: readonly Choice<CellChartKind>[] = [
  { value: 'flame', label: 'Flame graph', title: 'Widths are values, callees below their callers' },
  { value: 'sunburst', label: 'Sunburst', title: 'The tree in rings, whose area is the value' },
  {
    value: 'treemap',
    label: 'Treemap',
    title: 'The tree as boxes in boxes, whose areas are values',
  },
  { value: 'bars', label: 'Bars', title: 'The largest functions, self and total' },
  { value: 'scatter', label: 'Scatter', title: 'Calls against what a call costs' },
];

/** Which value of a function. */
export type OwnOrTotal = 'own' | 'total';

export const OWN_OR_TOTAL: readonly Choice<OwnOrTotal>[] = [
  { value: 'own', label: 'Self', title: 'What functions take themselves' },
  { value: 'total', label: 'Total', title: 'What functions take with all that they call' },
];

/** What of an experiment is on screen; it lives in the page's address. */
export interface ExperimentViewState {
  readonly part: ExperimentPart;
  /** What is compared of each run; what suits the experiment where undefined. */
  readonly of: ExperimentOf | undefined;
  /** Factors whose levels are the rows and the columns of the matrix; the first ones where undefined. */
  readonly rows: string | undefined;
  readonly columns: string | undefined;
  /** Cells of either side of the comparison. */
  readonly base: readonly number[];
  readonly now: readonly number[];
  /** The factor of the history; what suits the experiment where undefined. */
  readonly factor: string | undefined;
  /** What functions are compared by. */
  readonly functions: OwnOrTotal;
  /** The chart of every cell; flame graphs where undefined. */
  readonly chart: CellChartKind | undefined;
  /** The first row of cells whose charts are drawn, where there are too many for all. */
  readonly firstRow: number;
}

/** A measure by its name, the metric of the view, or the chosen function in it. */
export type ExperimentOf =
  { readonly kind: 'measure'; readonly name: string } | { readonly kind: 'metric' | OwnOrTotal };

const STANDARD: ExperimentViewState = {
  part: 'matrix',
  of: undefined,
  rows: undefined,
  columns: undefined,
  base: [],
  now: [],
  factor: undefined,
  functions: 'own',
  chart: undefined,
  firstRow: 0,
};

/** Whether the cells of an experiment are drawn as charts of a tree, which has a shape. */
export function drawsTrees({ part, chart }: ExperimentViewState): boolean {
  return part === 'charts' && chart !== 'bars' && chart !== 'scatter';
}

/** What the engine is asked for: a function that is not chosen is asked for as the metric. */
export function quantityOf(
  of: ExperimentOf | undefined,
  measures: readonly string[],
  fn: number | undefined,
): ExperimentQuantity {
  if (of?.kind === 'measure' && measures.includes(of.name)) return of;
  if (of?.kind === 'own' || of?.kind === 'total') {
    return fn === undefined
      ? { kind: 'metric' }
      : { kind: 'function', key: fn, total: of.kind === 'total' };
  }
  const [first] = measures;
  return of?.kind === 'metric' || first === undefined
    ? { kind: 'metric' }
    : { kind: 'measure', name: first };
}

/** `measure:wall time`, `metric`, `own`, `total`. */
export function ofText(of: ExperimentOf): string {
  return of.kind === 'measure' ? `measure:${of.name}` : of.kind;
}

/** The same read. */
export function readOf(text: string | undefined): ExperimentOf | undefined {
  if (text?.startsWith('measure:')) return { kind: 'measure', name: text.slice(8) };
  return text === 'metric' || text === 'own' || text === 'total' ? { kind: text } : undefined;
}

export const EXPERIMENT_PART: AddressPart<ExperimentViewState> = {
  key: 'experiment',
  standard: STANDARD,
  encode(state, set) {
    const { part, of, rows, columns, base, now, factor, functions } = state;
    set('xp', part, STANDARD.part);
    set('xof', of && ofText(of));
    set('xrows', rows);
    set('xcols', columns);
    set('xbase', base.join('.'), '');
    set('xnew', now.join('.'), '');
    set('xby', factor);
    set('xfn', functions, STANDARD.functions);
    set('xchart', state.chart);
    set('xrow', state.firstRow === 0 ? undefined : state.firstRow);
  },
  decode(text) {
    return {
      part: choice(EXPERIMENT_PARTS, text('xp'), STANDARD.part),
      of: readOf(text('xof')),
      rows: text('xrows'),
      columns: text('xcols'),
      base: cellsOf(text('xbase')),
      now: cellsOf(text('xnew')),
      factor: text('xby'),
      functions: choice(OWN_OR_TOTAL, text('xfn'), STANDARD.functions),
      chart: optionalChoice(CELL_CHARTS, text('xchart')),
      firstRow: /^\d{1,6}$/.test(text('xrow') ?? '') ? Number(text('xrow')) : 0,
    };
  },
  elsewhere: () => STANDARD,
};

function cellsOf(text: string | undefined): readonly number[] {
  return text !== undefined && /^\d{1,6}(\.\d{1,6})*$/.test(text)
    ? text.split('.').map(Number)
    : [];
}
