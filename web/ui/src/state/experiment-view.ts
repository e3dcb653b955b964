import type { ExperimentQuantity } from '@hotframe/engine';
import { choice } from './url-fields.ts';
import type { Choice } from './view-state.ts';

/** What is looked at of an experiment. */
export type ExperimentPart = 'matrix' | 'effects' | 'history' | 'runs';

export const EXPERIMENT_PARTS: readonly Choice<ExperimentPart>[] = [
  { value: 'matrix', label: 'Matrix', title: 'What was measured in each cell' },
  { value: 'effects', label: 'Effects', title: 'What each factor does, and two together' },
  { value: 'history', label: 'History', title: 'Level by level, with the places where it jumps' },
  { value: 'runs', label: 'Runs', title: 'Every run, and what is known of it' },
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
  /** What is told of each run; what suits the experiment where undefined. */
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
}

/** A measure by its name, the metric of the view, or the chosen function in it. */
export type ExperimentOf =
  { readonly kind: 'measure'; readonly name: string } | { readonly kind: 'metric' | OwnOrTotal };

export const DEFAULT_EXPERIMENT_VIEW: ExperimentViewState = {
  part: 'matrix',
  of: undefined,
  rows: undefined,
  columns: undefined,
  base: [],
  now: [],
  factor: undefined,
  functions: 'own',
};

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

/** Writes the fields of a hash. */
export function encodeExperiment(
  { part, of, rows, columns, base, now, factor, functions }: ExperimentViewState,
  set: (key: string, value: string | number | undefined, standard?: string) => void,
): void {
  set('xp', part, DEFAULT_EXPERIMENT_VIEW.part);
  set('xof', of && ofText(of));
  set('xrows', rows);
  set('xcols', columns);
  set('xbase', base.join('.'), '');
  set('xnew', now.join('.'), '');
  set('xby', factor);
  set('xfn', functions, DEFAULT_EXPERIMENT_VIEW.functions);
}

/** Reads them back; what does not parse is at its default. */
export function decodeExperiment(text: (key: string) => string | undefined): ExperimentViewState {
  return {
    part: choice(EXPERIMENT_PARTS, text('xp'), DEFAULT_EXPERIMENT_VIEW.part),
    of: readOf(text('xof')),
    rows: text('xrows'),
    columns: text('xcols'),
    base: cellsOf(text('xbase')),
    now: cellsOf(text('xnew')),
    factor: text('xby'),
    functions: choice(OWN_OR_TOTAL, text('xfn'), DEFAULT_EXPERIMENT_VIEW.functions),
  };
}

function cellsOf(text: string | undefined): readonly number[] {
  return text !== undefined && /^\d{1,6}(\.\d{1,6})*$/.test(text)
    ? text.split('.').map(Number)
    : [];
}
