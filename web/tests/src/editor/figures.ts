import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { formatFigure, formatShare } from '../../../ui/src/text/units.ts';
import { binary } from '../harness.ts';

/** What `hotframe show` says of a profile: the oracle of what the editor shows. */
export interface Figures {
  readonly unit: string;
  /** The whole. */
  readonly total: number;
  readonly rows: readonly Row[];
}

/** A function, or a line of it. */
export interface Row {
  readonly function: string;
  readonly file: string;
  readonly line: number;
  readonly self: number;
  readonly total: number;
}

/** Asks the program on the command line. */
export function figuresOf(profile: string, granularity: 'function' | 'line'): Figures {
  const options = ['--view', 'flat', '--format', 'json', '--granularity', granularity];
  const report = execFileSync(binary(), ['show', profile, ...options], { encoding: 'utf8' });
  const { metric, total, rows } = JSON.parse(report) as Omit<Figures, 'unit'> & {
    readonly metric: { readonly unit: string };
  };
  return { unit: metric.unit, total, rows };
}

/** Self and total as lenses and hovers tell them. */
export function lensText(figures: Figures, row: Row): string {
  return `self ${amount(figures, row.self)} · total ${amount(figures, row.total)}`;
}

/** Total and self as hints tell them, which have little room. */
export function hintText(figures: Figures, row: Row): string {
  const own = row.self === 0 ? '' : ` · self ${share(figures, row.self)}`;
  return `total ${amount(figures, row.total)}${own}`;
}

function amount(figures: Figures, value: number): string {
  const text = formatFigure(value, { unit: figures.unit, decimals: 0 });
  return value === 0 ? text : `${share(figures, value)} (${text})`;
}

function share({ total }: Figures, value: number): string {
  return formatShare(value / total);
}

/** The row of a function. */
export function functionRow(figures: Figures, name: string): Row {
  const row = figures.rows.find((row) => row.function === name);
  assert.ok(row, `${name} is in the profile`);
  return row;
}

/** The row of a line of a function. */
export function lineRow(figures: Figures, name: string, line: number): Row {
  const row = figures.rows.find((row) => row.function.startsWith(name) && row.line === line);
  assert.ok(row, `${name}, line ${line}, is in the profile`);
  return row;
}
