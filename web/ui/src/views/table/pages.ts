import type { Answer, ViewSpec } from '@hotframe/engine';
import { partOf, type RowsPart } from './rows.ts';

/** Rows that the engine answers at once. */
const PAGE = 10_000;
/** Of tables with more rows nothing is left out: all of them would have to be looked at. */
export const MOST_PRUNED = 100_000;

/** All rows of a table; the first ones where there are too many. */
export async function allRows(
  spec: ViewSpec,
  ask: (first: number, count: number) => Promise<Answer<'rows'>>,
): Promise<RowsPart> {
  let part = partOf(spec, 0, await ask(0, PAGE));
  if (part.totalRows > MOST_PRUNED) return part;
  while (part.rows.length < part.totalRows) {
    const { rows, values, totalRows } = partOf(
      spec,
      part.rows.length,
      await ask(part.rows.length, PAGE),
    );
    if (rows.length === 0) break;
    part = {
      ...part,
      totalRows,
      rows: [...part.rows, ...rows],
      values: [...part.values, ...values],
    };
  }
  return part;
}
