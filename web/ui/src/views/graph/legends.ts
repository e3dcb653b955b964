import type { GraphLegend } from '@hotframe/engine';

/** Whether there is anything that could have a value. */
export function isWorthShowing(legend: GraphLegend | null | undefined): legend is GraphLegend {
  return legend != null && legend.values + legend.without + legend.categories.length > 0;
}
