import type { Sort, SummaryResult } from '@hotframe/engine';
import { comparedMetric } from '../../state/comparison.ts';

/** Widths of the columns in CSS pixels; the names also get what is left over. */
const NAME_WIDTH = 300;
const VALUE_WIDTH = 150;
/** Of a comparison: there are more of them. */
const COMPARED_NAME_WIDTH = 200;
const CHANGE_WIDTH = 128;
const SIDE_WIDTH = 122;
const RATIO_WIDTH = 92;
const INTERVAL_WIDTH = 142;
const VERDICT_WIDTH = 178;

/** A column of values. */
export interface ValueColumn {
  readonly metric: number;
  readonly kind: 'self' | 'total';
  readonly label: string;
  /** In CSS pixels. */
  readonly width: number;
}

/** What runs say of a change: the interval that it lies in, and whether it is more than chance. */
export interface Verdict {
  /** What changed, in whose unit the interval is. */
  readonly metric: number;
}

/** The columns of the list of functions. */
export interface FunctionColumns {
  readonly values: readonly ValueColumn[];
  /** Where several runs were compared: what stands behind `values`. */
  readonly verdict: Verdict | undefined;
  /** What stands behind that. */
  readonly more: readonly ValueColumn[];
  /** The metrics of the values, each once. */
  readonly metrics: readonly number[];
  /** Of the names at least, and of all that is not a name, in CSS pixels. */
  readonly namesWidth: number;
  readonly valuesWidth: number;
  readonly style: { readonly gridTemplateColumns: string; readonly minWidth: string };
}

/**
 * Self and total in every metric, those of the shown metric first. Of a comparison, the change of
 * self and total, then the totals on both sides and how they compare.
 */
export function columnsOf(summary: SummaryResult, shown: number): FunctionColumns {
  const compared = comparedMetric(summary, shown)?.metric;
  if (compared === undefined) {
    const values = metricOrder(summary, shown).flatMap((metric): readonly ValueColumn[] => {
      const name = summary.metrics[metric]?.name ?? '';
      return [
        { metric, kind: 'self', label: `${name} self`, width: VALUE_WIDTH },
        { metric, kind: 'total', label: `${name} total`, width: VALUE_WIDTH },
      ];
    });
    return laidOut(NAME_WIDTH, values, undefined, []);
  }
  const { change, base, new: now, ratio } = compared;
  return laidOut(
    COMPARED_NAME_WIDTH,
    [
      { metric: change, kind: 'total', label: 'Change', width: CHANGE_WIDTH },
      { metric: base, kind: 'total', label: 'Base', width: SIDE_WIDTH },
      { metric: now, kind: 'total', label: 'New', width: SIDE_WIDTH },
      { metric: ratio, kind: 'total', label: 'New / base', width: RATIO_WIDTH },
    ],
    summary.comparison?.tested === true ? { metric: base } : undefined,
    [{ metric: change, kind: 'self', label: 'Change of self', width: CHANGE_WIDTH }],
  );
}

function laidOut(
  namesWidth: number,
  values: readonly ValueColumn[],
  verdict: Verdict | undefined,
  more: readonly ValueColumn[],
): FunctionColumns {
  const widths = [
    ...values.map(({ width }) => width),
    ...(verdict === undefined ? [] : [INTERVAL_WIDTH, VERDICT_WIDTH]),
    ...more.map(({ width }) => width),
  ];
  const valuesWidth = widths.reduce((sum, width) => sum + width, 0);
  return {
    values,
    verdict,
    more,
    metrics: [...new Set([...values, ...more].map(({ metric }) => metric))],
    valuesWidth,
    namesWidth,
    style: {
      gridTemplateColumns: [`minmax(${namesWidth}px, 1fr)`, ...widths.map((w) => `${w}px`)].join(
        ' ',
      ),
      minWidth: `${namesWidth + valuesWidth}px`,
    },
  };
}

/** Width of the names in a list that is so wide. */
export function nameWidth({ namesWidth, valuesWidth }: FunctionColumns, width: number): number {
  return Math.max(namesWidth, width - valuesWidth);
}

/** Functions by what they do themselves; of a comparison, by what changed in them and below. */
export function standardSort(summary: SummaryResult, shown: number): Sort {
  const compared = comparedMetric(summary, shown)?.metric;
  return compared === undefined
    ? { by: 'self_value', metric: shown, reverse: false }
    : { by: 'total_value', metric: compared.change, reverse: false };
}

function metricOrder(summary: SummaryResult, shown: number): readonly number[] {
  return [...summary.metrics.keys()].sort(
    (a, b) => Number(b === shown) - Number(a === shown) || a - b,
  );
}
