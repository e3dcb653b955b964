import type { SummaryResult } from '@hotframe/engine';
import { formatExact, formatValue } from '../text/units.ts';
import type { MenuItem } from './commands.ts';
import { comparedMetric } from './comparison.ts';

/**
 * The metrics of a document as a menu, with their totals; of a comparison those that are compared,
 * whichever side is shown. None is the current one where `shown` is undefined.
 */
export function metricItems(
  summary: SummaryResult,
  totals: BigInt64Array,
  shown: number | undefined,
  choose: (metric: number) => void,
): MenuItem[] {
  const current = shown === undefined ? undefined : comparedMetric(summary, shown);
  const compared = summary.comparison?.metrics ?? [];
  const sides = new Set(
    compared.flatMap(({ base, new: now, both, change, ratio }) => [base, now, both, change, ratio]),
  );
  const item = (index: number, name: string, checked: boolean): MenuItem => {
    const info = summary.metrics[index]!;
    const total = totals[index] ?? 0n;
    return {
      label: `${name} · ${formatValue(total, info)}`,
      title: info.formula ?? formatExact(total, info),
      checked,
      run: () => choose(index),
    };
  };
  return [
    ...compared.map((metric) =>
      item(metric[current?.side ?? 'both'], metric.name, metric === current?.metric),
    ),
    ...summary.metrics.flatMap((info, index) =>
      sides.has(index) ? [] : [item(index, info.name, index === shown)],
    ),
  ];
}
