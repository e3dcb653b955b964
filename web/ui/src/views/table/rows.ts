import type { Answer, RowInfo, ViewSpec } from '@hotframe/engine';
import type { Place } from '../../state/nodes.ts';

/** Rows asked for beyond both ends of what is in sight. */
const OVERSCAN = 40;
/** Rows at the lower end that are cut or below what is in sight. */
const CUT_ROWS = 3;

/** A row's values by metric. */
export interface RowValues {
  readonly self: readonly bigint[];
  readonly total: readonly bigint[];
}

/** A row of the table: a node, or what is left out below one. */
export interface ListedRow extends RowInfo {
  readonly rest?: {
    /** Keys of the node that it is left out below. */
    readonly below: readonly number[];
    readonly count: number;
  };
}

/** A part of the table's rows, as the engine answered or with some left out. */
export interface RowsPart {
  readonly spec: ViewSpec;
  readonly instance: number;
  readonly totalRows: number;
  readonly first: number;
  readonly rows: readonly ListedRow[];
  readonly values: readonly RowValues[];
  readonly scale: readonly bigint[];
  /** How many rows are left out of the table, and how many rows say so. */
  readonly left?: { readonly hidden: number; readonly rests: number };
}

export interface RowWindow {
  readonly first: number;
  readonly count: number;
}

/** Unfolded nodes with their keys, where known. */
export type Expanded = ReadonlyMap<number, readonly number[] | undefined>;

/** What a key does to a row. */
export type RowEffect =
  | { readonly kind: 'toggle'; readonly row: ListedRow }
  | { readonly kind: 'move'; readonly index: number };

export function partOf(
  spec: ViewSpec,
  first: number,
  { result, columns }: Answer<'rows'>,
): RowsPart {
  const slice = (column: BigInt64Array, row: number) =>
    Array.from(column.subarray(row * result.metrics, (row + 1) * result.metrics));
  return {
    spec,
    instance: result.instance,
    totalRows: result.total_rows,
    first,
    rows: result.rows,
    values: result.rows.map((_, row) => ({
      self: slice(columns.self_value, row),
      total: slice(columns.total_value, row),
    })),
    scale: Array.from(columns.scale),
  };
}

export function rowAt(part: RowsPart | undefined, index: number): ListedRow | undefined {
  return part?.rows[index - part.first];
}

/** The place of a node's row in the table, if the part has it. */
export function indexOfNode(
  part: RowsPart | undefined,
  node: number | undefined,
): number | undefined {
  const at = part?.rows.findIndex((row) => row.node === node) ?? -1;
  return part === undefined || at < 0 ? undefined : part.first + at;
}

/** The nearest row that there is. */
export function clampRow(part: RowsPart, index: number): number {
  return Math.min(Math.max(0, index), part.totalRows - 1);
}

/** The rows from anchor to cursor, whichever is first. */
export function rowsBetween(anchor: number, cursor: number): RowWindow {
  return { first: Math.min(cursor, anchor), count: Math.abs(cursor - anchor) + 1 };
}

/**
 * Keys of the nodes that are rows. A row's keys are its parent's and its own; the parent is the
 * last row less deep, or a row of before (`known`) for rows in the middle of a table.
 */
export function pathsOf(
  rows: readonly RowInfo[],
  known: ReadonlyMap<number, readonly number[]>,
): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, readonly number[]>();
  const above: RowInfo[] = [];
  for (const row of rows) {
    above.length = Math.min(above.length, row.depth);
    const parent = above[row.depth - 1];
    const parentPath =
      row.depth === 0 ? [] : parent && (found.get(parent.node) ?? known.get(parent.node));
    if (parentPath !== undefined) found.set(row.node, [...parentPath, row.key]);
    above[row.depth] = row;
  }
  return found;
}

/** The key that folds: an open row closes, another one leads to its parent if that is known. */
export function foldEffect(part: RowsPart | undefined, cursor: number): RowEffect | undefined {
  const row = rowAt(part, cursor);
  if (row === undefined) return undefined;
  if (row.expanded) return { kind: 'toggle', row };
  for (let index = cursor - 1; index >= 0; index--) {
    const above = rowAt(part, index);
    if (above === undefined) return undefined;
    if (above.depth < row.depth) return { kind: 'move', index };
  }
  return undefined;
}

/** The key that unfolds: a closed row opens, an open one leads to its first child. */
export function unfoldEffect(part: RowsPart | undefined, cursor: number): RowEffect | undefined {
  const row = rowAt(part, cursor);
  if (row === undefined || !row.has_children) return undefined;
  return row.expanded ? { kind: 'move', index: cursor + 1 } : { kind: 'toggle', row };
}

/** What is unfolded to have the last node of a way as a row; the same where it is one already. */
export function withWay(
  expanded: Expanded,
  way: readonly { readonly node: number; readonly key: number }[],
): Expanded {
  const next = new Map(expanded);
  for (const [depth, { node }] of way.slice(0, -1).entries()) {
    next.set(
      node,
      way.slice(0, depth + 1).map(({ key }) => key),
    );
  }
  return next.size === expanded.size ? expanded : next;
}

/** Of nodes that were looked for by their keys, those that the tree has. */
export function foundAgain(
  paths: readonly (readonly number[])[],
  places: readonly Place[],
): {
  readonly paths: ReadonlyMap<number, readonly number[]>;
  readonly instance: number | undefined;
} {
  const found = new Map<number, readonly number[]>();
  let instance: number | undefined;
  for (const [index, place] of places.entries()) {
    const path = paths[index]!;
    if (place.nodes.length === path.length && place.instance !== undefined) {
      found.set(place.node, path);
      instance = place.instance;
    }
  }
  return { paths: found, instance };
}

/** The rows to ask for once others are in sight; undefined where those that are there do. */
export function windowAround(have: RowWindow, sight: RowWindow): RowWindow | undefined {
  const end = sight.first + sight.count;
  if (sight.first >= have.first && end <= have.first + have.count) return undefined;
  return { first: Math.max(0, sight.first - OVERSCAN), count: sight.count + 2 * OVERSCAN };
}

/** The row to have at the top so that a row is in sight; undefined where it is. */
export function topToShow(row: number, sight: RowWindow): number | undefined {
  if (row < sight.first) return row;
  const below = row > sight.first + sight.count - CUT_ROWS;
  return below ? Math.max(0, row - sight.count + CUT_ROWS) : undefined;
}

/** How far a page goes: what is in sight in full. */
export function pageOf(sight: RowWindow): number {
  return Math.max(1, sight.count - CUT_ROWS);
}
