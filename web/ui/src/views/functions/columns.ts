import type { Sort, SummaryResult } from '@hotframe/engine';
import { comparedMetric } from '../../state/comparison.ts';
import { type ColumnSizes, namesRoom, shownMetrics } from '../table/column-sizes.tsx';

/** Widths of the columns in CSS pixels; the names also get what is left over. */
const NAME_WIDTH = 300;
const VALUE_WIDTH = 150;
/** Of a comparison there are more of them: as they are where there is room, and at least. */
const COMPARED_NAME: Room = { standard: 200, least: 146 };
const CHANGE: Room = { standard: 130, least: 128 };
const SIDE: Room = { standard: 122, least: 116 };
const RATIO: Room = { standard: 92, least: 92 };
const INTERVAL: Room = { standard: 142, least: 132 };
const VERDICT: Room = { standard: 188, least: 184 };

interface Room {
  readonly standard: number;
  readonly least: number;
}

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
  /** Of both columns, in CSS pixels. */
  readonly widths: readonly [number, number];
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
  sizes: ColumnSizes,
  room = Number.POSITIVE_INFINITY,
): FunctionColumns {
  const compared = comparedMetric(summary, shown)?.metric;
  const names = (standard: number) => sizes.names ?? namesRoom(standard, room);
  const isChosen = sizes.names !== undefined;
  if (compared === undefined) {
    const width = sizes.values ?? VALUE_WIDTH;
    const values = shownMetrics(summary, shown, sizes).flatMap((metric): readonly ValueColumn[] => {
      const name = summary.metrics[metric]?.name ?? '';
      return [
        { metric, kind: 'self', label: `${name} self`, width },
        { metric, kind: 'total', label: `${name} total`, width },
      ];
    });
    return laidOut(names(NAME_WIDTH), isChosen, values, undefined, []);
  }
  const { change, base, new: now, ratio } = compared;
  const tested = summary.comparison?.tested === true;
  const all = [
    COMPARED_NAME,
    CHANGE,
    SIDE,
    SIDE,
    RATIO,
    CHANGE,
    ...(tested ? [INTERVAL, VERDICT] : []),
  ];
  const fitted = fit(all, room);
  const wide = (one: Room) => sizes.values ?? fitted(one);
  return laidOut(
    names(fitted(COMPARED_NAME)),
    isChosen,
    [
      { metric: change, kind: 'total', label: 'Change', width: wide(CHANGE) },
      { metric: base, kind: 'total', label: 'Base', width: wide(SIDE) },
      { metric: now, kind: 'total', label: 'New', width: wide(SIDE) },
      { metric: ratio, kind: 'total', label: 'New / base', width: wide(RATIO) },
    ],
    tested ? { metric: base, widths: [fitted(INTERVAL), fitted(VERDICT)] } : undefined,
    [{ metric: change, kind: 'self', label: 'Change of self', width: wide(CHANGE) }],
  );
}

/** How wide a column is so that all of them fit into `room`, as far as that is possible. */
function fit(all: readonly Room[], room: number): (one: Room) => number {
  const sum = (of: keyof Room) => all.reduce((total, one) => total + one[of], 0);
  const [standard, least] = [sum('standard'), sum('least')];
  const share = Math.min(1, Math.max(0, (room - least) / (standard - least)));
  return (one) => Math.floor(one.least + share * (one.standard - one.least));
}

function laidOut(
  namesWidth: number,
  isChosen: boolean,
  values: readonly ValueColumn[],
  verdict: Verdict | undefined,
  more: readonly ValueColumn[],
): FunctionColumns {
  const widths = [
    ...values.map(({ width }) => width),
    ...(verdict?.widths ?? []),
    ...more.map(({ width }) => width),
  ];
  const valuesWidth = widths.reduce((sum, width) => sum + width, 0);
  return {
    values,
    verdict,
    more,
    metrics: [...new Set([...values, ...more].map(({ metric }) => metric))],
    valuesWidth,
    valueWidth: widths[0] ?? VALUE_WIDTH,
    namesWidth,
    isChosen,
    style: {
      gridTemplateColumns: [
        isChosen ? `${namesWidth}px` : `minmax(${namesWidth}px, 1fr)`,
        ...widths.map((width) => `${width}px`),
      ].join(' '),
      minWidth: `${namesWidth + valuesWidth}px`,
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
