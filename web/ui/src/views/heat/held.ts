import { type Grid, ROWS } from './grid.ts';

export type Cell = readonly [column: number, row: number];

/** Two cells that are corners of a rectangle. */
export interface Corners {
  readonly from: Cell;
  readonly to: Cell;
}

/** The cells that pointer and keyboard have hold of. */
export interface Held {
  /** What is being dragged over. */
  readonly pressed: Corners | undefined;
  /** The cell of the keyboard, and where its rectangle began. */
  readonly walked: Corners | undefined;
  /** What is to be compared with the range that is kept. */
  readonly second: Corners | undefined;
}

export const NOTHING: Held = { pressed: undefined, walked: undefined, second: undefined };

export function press(held: Held, cell: Cell): Held {
  return { ...held, walked: undefined, pressed: { from: cell, to: cell } };
}

export function dragTo(held: Held, cell: Cell): Held {
  return held.pressed === undefined ? held : { ...held, pressed: { ...held.pressed, to: cell } };
}

/** Ends a drag: its cells are chosen, unless they are the second ones of a comparison. */
export function release(
  held: Held,
  isSecond: boolean,
): { readonly held: Held; readonly chosen: Corners | undefined } {
  const { pressed, walked } = held;
  if (pressed === undefined) return { held, chosen: undefined };
  const second = isSecond ? pressed : undefined;
  return { held: { pressed: undefined, walked, second }, chosen: isSecond ? undefined : pressed };
}

/** The keyboard begins in the first cell and stays inside of the grid. */
export function walk(held: Held, grid: Grid, [dx, dy]: Cell, extend: boolean): Held {
  const { from, to } = held.walked ?? { from: [0, 0], to: [-dx, -dy] };
  const next: Cell = [
    Math.min(grid.columns - 1, Math.max(0, to[0] + dx)),
    Math.min(ROWS - 1, Math.max(0, to[1] + dy)),
  ];
  return { ...held, walked: { from: extend ? from : next, to: next } };
}

/** Lets go of what was held last; undefined where that is nothing. */
export function letGo(held: Held): Held | undefined {
  if (held.second !== undefined) return { ...held, second: undefined };
  return held.walked === undefined ? undefined : { ...held, walked: undefined };
}
