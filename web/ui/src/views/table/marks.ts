import { clampRow, indexOfNode, type ListedRow, rowAt, type RowsPart } from './rows.ts';

/** Marked rows reach from the anchor to the cursor. */
export interface Marks {
  readonly anchor: number;
  readonly cursor: number;
}

/** Where a move leads. */
export interface Move {
  readonly index: number;
  /** Undefined where it is not known yet: the move has to wait for it. */
  readonly row: ListedRow | undefined;
  readonly marks: Marks;
}

/** Only one row is marked. */
export function markedAt(index: number): Marks {
  return { anchor: index, cursor: index };
}

/** A move to a row, or to the nearest that there is; undefined where there are none. */
export function moveTo(
  part: RowsPart | undefined,
  { anchor }: Marks,
  wanted: number,
  extend: boolean,
): Move | undefined {
  if (part === undefined || part.totalRows === 0) return undefined;
  const index = clampRow(part, wanted);
  const marks = extend ? { anchor, cursor: index } : markedAt(index);
  return { index, row: rowAt(part, index), marks };
}

/** Marks follow a node whose row has gone elsewhere. */
export function followNode(part: RowsPart, marks: Marks, node: number | undefined): Marks {
  const index = indexOfNode(part, node);
  return index === undefined || index === marks.cursor ? marks : markedAt(index);
}
