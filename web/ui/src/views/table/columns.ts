import type { Sort, SummaryResult } from '@hotframe/engine';
import { comparedMetric } from '../../state/comparison.ts';
import { type ColumnSizes, namesRoom, shownMetrics } from './column-sizes.tsx';

/** Widths of the columns in CSS pixels; the names also get what is left over. */
const NAME_WIDTH = 340;
const VALUE_WIDTH = 150;

/** The columns of a table: metrics in order, each with self and total. */
export interface Columns {
  readonly order: readonly number[];
  /** Of the names, and of a column of values, in CSS pixels. */
  readonly namesWidth: number;
  readonly valueWidth: number;
  /** How a row is divided among them. */
  readonly style: { readonly gridTemplateColumns: string; readonly minWidth: string };
}

export function columnsOf(
  summary: SummaryResult | undefined,
  shown: number,
  sizes: ColumnSizes,
  room: number,
): Columns {
  const order = metricOrder(summary, shown, sizes);
  const values = order.length * 2;
  const names = sizes.names ?? namesRoom(NAME_WIDTH, room);
  const width = sizes.values ?? VALUE_WIDTH;
  const isChosen = sizes.names !== undefined;
  return {
    order,
    namesWidth: isChosen ? names : Math.max(names, room - values * width),
    valueWidth: width,
    style: {
      gridTemplateColumns:
        (isChosen ? `${names}px` : `minmax(${names}px, 1fr)`) + ` repeat(${values}, ${width}px)`,
      minWidth: `${names + values * width}px`,
    },
  };
}

/** How a tree is sorted: as was chosen, unless that is something that only functions have. */
export function sortOf(chosen: Sort | undefined, metric: number): Sort {
  const isOfFunctions = chosen?.by === 'interval' || chosen?.by === 'verdict';
  return chosen === undefined || isOfFunctions
    ? { by: 'total_value', metric, reverse: false }
    : chosen;
}

/**
 * The shown metric's columns come first; the others follow in the profile's order. A comparison
 * shows both sides of one metric, change and ratio.
 */
function metricOrder(
  summary: SummaryResult | undefined,
  shown: number,
  sizes: ColumnSizes,
): readonly number[] {
  const compared = comparedMetric(summary, shown)?.metric;
  if (compared !== undefined) {
    return [compared.change, compared.base, compared.new, compared.ratio];
  }
  return summary === undefined ? [] : shownMetrics(summary, shown, sizes);
}
