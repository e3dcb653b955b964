import type { Sort, SummaryResult } from '@hotframe/engine';
import { comparedMetric } from '../../state/comparison.ts';
import { type ColumnSizes, namesRoom } from '../table/column-sizes.tsx';

/** Widths of the columns in CSS pixels; the names also get what is left over. */
const NAME_WIDTH = 300;
const VALUE_WIDTH = 150;
/** Of a comparison: there are five of them. */
const COMPARED_WIDTH = 130;
const COMPARED_NAME_WIDTH = 220;
const VERDICT_WIDTH = 190;
const NO_SIZES: ColumnSizes = { names: undefined, values: undefined };

/** A column of values. */
export interface ValueColumn {
  readonly metric: number;
  readonly kind: 'self' | 'total';
  readonly label: string;
}

/** The columns of the list of functions. */
export interface FunctionColumns {
  readonly values: readonly ValueColumn[];
  /** Whether runs were asked what is more than chance. */
  readonly verdict: boolean;
  /** The metrics of the values, each once. */
  readonly metrics: readonly number[];
  /** Of the names at least, and of all that is not a name, in CSS pixels. */
  readonly namesWidth: number;
  readonly valuesWidth: number;
  /** Of a column of values. */
  readonly valueWidth: number;
  /** Whether somebody chose the width of the names, which then take no more. */
  readonly isChosen: boolean;
  readonly style: { readonly gridTemplateColumns: string; readonly minWidth: string };
}

/**
 * Self and total in every metric, those of the shown metric first. Of a comparison, the change of
 * self and total, then the totals on both sides and how they compare.
 */
export function columnsOf(
  summary: SummaryResult,
  shown: number,
  sizes: ColumnSizes = NO_SIZES,
  room = Number.POSITIVE_INFINITY,
): FunctionColumns {
  const compared = comparedMetric(summary, shown)?.metric;
  const values: ValueColumn[] =
    compared === undefined
      ? metricOrder(summary, shown).flatMap((metric) => {
          const name = summary.metrics[metric]?.name ?? '';
          return [
            { metric, kind: 'self', label: `${name} self` },
            { metric, kind: 'total', label: `${name} total` },
          ];
        })
      : [
          { metric: compared.change, kind: 'total', label: 'Change' },
          { metric: compared.base, kind: 'total', label: 'Base' },
          { metric: compared.new, kind: 'total', label: 'New' },
          { metric: compared.ratio, kind: 'total', label: 'New / base' },
          { metric: compared.change, kind: 'self', label: 'Change of self' },
        ];
  const verdict = compared !== undefined && summary.comparison?.tested === true;
  const width = sizes.values ?? (compared === undefined ? VALUE_WIDTH : COMPARED_WIDTH);
  const valuesWidth = values.length * width + (verdict ? VERDICT_WIDTH : 0);
  const standard = compared === undefined ? NAME_WIDTH : COMPARED_NAME_WIDTH;
  const names = sizes.names ?? namesRoom(standard, room);
  return {
    values,
    verdict,
    metrics: [...new Set(values.map(({ metric }) => metric))],
    valuesWidth,
    valueWidth: width,
    namesWidth: names,
    isChosen: sizes.names !== undefined,
    style: {
      gridTemplateColumns:
        `${sizes.names === undefined ? `minmax(${names}px, 1fr)` : `${names}px`} repeat(${values.length}, ${width}px)` +
        (verdict ? ` ${VERDICT_WIDTH}px` : ''),
      minWidth: `${names + valuesWidth}px`,
    },
  };
}

/** Width of the names in a list that is so wide. */
export function nameWidth(columns: FunctionColumns, width: number): number {
  const { namesWidth, valuesWidth, isChosen } = columns;
  return isChosen ? namesWidth : Math.max(namesWidth, width - valuesWidth);
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
