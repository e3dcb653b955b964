import { timeText, type Window } from '../timeline/times.ts';

/** Rows of the heat map: each is a fiftieth of a column. */
export const ROWS = 50;
/** More columns are too narrow to point at. */
const MOST_COLUMNS = 1500;

/** Cells of the heat map, inclusive at both ends. */
export interface Rectangle {
  readonly columns: readonly [number, number];
  readonly rows: readonly [number, number];
}

/** What of the time is where: columns beside each other, in each the time goes up. */
export interface Grid {
  /** Begin of the first column in nanoseconds after the first time: a whole number of columns after 0. */
  readonly begin: number;
  /** Length of a column and of a cell in nanoseconds. */
  readonly column: number;
  readonly cell: number;
  readonly columns: number;
}

const SECOND = 1e9;
const MINUTE = 60 * SECOND;
/** Lengths of columns that people count in: fifty whole nanoseconds at least. */
const LENGTHS: readonly number[] = [
  ...[2, 3, 4, 5, 6, 7, 8].flatMap((power) => [1, 2, 5].map((digit) => digit * 10 ** power)),
  ...[1, 2, 5, 10, 20, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 20, 30, 60].map((minutes) => minutes * MINUTE),
];

/** A second a column where that gives a picture; else what comes nearest to a hundred columns. */
export function standardColumn(length: number): number {
  if (length >= 8 * SECOND && length <= 400 * SECOND) return SECOND;
  return LENGTHS.find((one) => length / one <= 120) ?? LENGTHS.at(-1)!;
}

/** The lengths of columns that one may choose for a recording. */
export function columnChoices(length: number): readonly number[] {
  const fits = LENGTHS.filter((one) => length / one <= MOST_COLUMNS && length / one >= 3);
  return fits.length > 0 ? fits : [standardColumn(length)];
}

export function gridOf(origin: number, length: number, column: number): Grid {
  const begin = Math.floor(origin / column) * column - origin;
  const columns = Math.min(MOST_COLUMNS, Math.max(1, Math.ceil((length - begin) / column)));
  return { begin, column, cell: column / ROWS, columns };
}

/** The cell of two corners. */
export function rectangleOf(
  one: readonly [number, number],
  other: readonly [number, number],
): Rectangle {
  const sorted = (a: number, b: number) => [Math.min(a, b), Math.max(a, b)] as const;
  return { columns: sorted(one[0], other[0]), rows: sorted(one[1], other[1]) };
}

/** The stretches of time of a rectangle: one a column, those that touch as one. */
export function stretchesOf(grid: Grid, { columns, rows }: Rectangle): readonly Window[] {
  const stretches: { from: number; to: number }[] = [];
  for (let column = columns[0]; column <= columns[1]; column++) {
    const start = grid.begin + column * grid.column;
    const from = start + rows[0] * grid.cell;
    const to = start + (rows[1] + 1) * grid.cell;
    const last = stretches.at(-1);
    if (last?.to === from) last.to = to;
    else stretches.push({ from, to });
  }
  return stretches;
}

/** A rectangle as a filter of time. */
export function rectanglePattern(origin: number, grid: Grid, rectangle: Rectangle): string {
  return stretchesOf(grid, rectangle)
    .map(({ from, to }) => `${timeText(origin + from)}..${timeText(origin + to)}`)
    .join(',');
}

/** By cell, whether more than half of it is in one of some stretches. */
export function chosenCells(grid: Grid, stretches: readonly Window[]): Uint8Array {
  const cells = new Uint8Array(grid.columns * ROWS);
  for (const { from, to } of stretches) {
    const first = Math.max(0, Math.round((from - grid.begin) / grid.cell));
    const last = Math.max(first + 1, Math.round((to - grid.begin) / grid.cell));
    const end = Math.min(cells.length, last);
    cells.fill(1, first, end);
  }
  return cells;
}
