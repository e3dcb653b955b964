import type { Sort, SummaryResult } from '@hotframe/engine';
import { comparedMetric } from '../../state/comparison.ts';

/** Widths of the columns in CSS pixels; the names also get what is left over. */
const NAME_WIDTH = 340;
const VALUE_WIDTH = 150;

/** The columns of a table: metrics in order, each with self and total. */
export interface Columns {
  readonly order: readonly number[];
  /** How a row is divided among them. */
  readonly style: { readonly gridTemplateColumns: string; readonly minWidth: string };
}

export function columnsOf(summary: SummaryResult | undefined, shown: number): Columns {
  const order = metricOrder(summary, shown);
  const values = order.length * 2;
  return {
    order,
    style: {
      gridTemplateColumns: `minmax(${NAME_WIDTH}px, 1fr) repeat(${values}, ${VALUE_WIDTH}px)`,
      minWidth: `${NAME_WIDTH + values * VALUE_WIDTH}px`,
    },
  };
}

/** Width of the names in a table that is so wide. */
export function nameWidth({ order }: Columns, width: number): number {
  return Math.max(NAME_WIDTH, width - order.length * 2 * VALUE_WIDTH);
}

export function standardSort(metric: number): Sort {
  return { by: 'total_value', metric, reverse: false };
}

/**
 * The shown metric's columns come first; the others follow in the profile's order. A comparison
 * shows both sides of one metric, change and ratio.
 */
function metricOrder(summary: SummaryResult | undefined, shown: number): readonly number[] {
  const compared = comparedMetric(summary, shown)?.metric;
  if (compared !== undefined) {
    return [compared.change, compared.base, compared.new, compared.ratio];
  }
  return [...Array(summary?.metrics.length ?? 0).keys()].sort(
    (a, b) => Number(b === shown) - Number(a === shown) || a - b,
  );
}
