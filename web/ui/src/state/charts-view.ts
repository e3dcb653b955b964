import type { ScatterOf } from '@hotframe/engine';
import { optionalChoice } from './url-fields.ts';
import type { Choice } from './view-state.ts';

/** A chart of functions. */
export type ChartKind = 'scatter' | 'bars' | 'sunburst';

/** What bars are sorted by; changes where the profile is a comparison. */
export type BarsBy = 'self' | 'total' | 'change';

/** What of the charts is on screen; it lives in the page's address. */
export interface ChartsViewState {
  /** What suits the profile where undefined. */
  readonly chart: ChartKind | undefined;
  /** Shares of the circle that an arc of its own has at least, in thousandths. */
  readonly cut: number;
  /** Whether rings of a sunburst have equal areas, not equal widths. */
  readonly area: boolean;
  /** What suits the profile where undefined. */
  readonly by: BarsBy | undefined;
  /** What the scatter divides by calls. */
  readonly of: ScatterOf;
  /** Whether its colours tell recursion; else they are those of the other pictures. */
  readonly recursion: boolean;
}

export const DEFAULT_CHARTS_VIEW: ChartsViewState = {
  chart: undefined,
  by: undefined,
  cut: 5,
  area: false,
  of: 'own_value',
  recursion: false,
};

export const CHARTS: readonly Choice<ChartKind>[] = [
  { value: 'scatter', label: 'Scatter', title: 'Calls against what a call costs' },
  { value: 'bars', label: 'Bars', title: 'Self and total, the largest first' },
  { value: 'sunburst', label: 'Sunburst', title: 'The tree in rings, a ring a call' },
];

/** Least shares of arcs, in thousandths, as they are chosen. */
export const CUTS: readonly Choice<string>[] = [1, 2, 5, 10, 20].map((cut) => ({
  value: String(cut),
  label: `${cut / 10} %`,
  title: `Calls of less than ${cut / 10} % of the circle are others`,
}));

export const RINGS: readonly Choice<'width' | 'area'>[] = [
  { value: 'width', label: 'Equal widths', title: 'Every ring is as wide as any other' },
  {
    value: 'area',
    label: 'Equal areas',
    title: 'Rings get narrower outwards, so that the area of an arc is its value',
  },
];

export const BARS_BY: readonly Choice<BarsBy>[] = [
  { value: 'self', label: 'Self', title: 'The largest self first' },
  { value: 'total', label: 'Total', title: 'The largest total first' },
  { value: 'change', label: 'Change', title: 'The largest change of the total first' },
];

export const SCATTER_OF: readonly Choice<ScatterOf>[] = [
  {
    value: 'own_value',
    label: 'Self a call',
    title: 'Self divided by all calls, recursive ones too',
  },
  {
    value: 'total_value',
    label: 'Total a call',
    title: 'Total, which counts once under recursion, divided by primitive calls',
  },
];

/** Writes the fields of a hash. */
export function encodeCharts(
  { chart, cut, area, by, of, recursion }: ChartsViewState,
  set: (key: string, value: string | number | undefined, standard?: string) => void,
): void {
  set('chart', chart);
  set('cut', String(cut), String(DEFAULT_CHARTS_VIEW.cut));
  set('rings', area ? 'area' : undefined);
  set('bars', by);
  set('per', of, DEFAULT_CHARTS_VIEW.of);
  set('rec', recursion ? '1' : undefined);
}

/** Reads them back; what does not parse is at its default. */
export function decodeCharts(text: (key: string) => string | undefined): ChartsViewState {
  return {
    chart: optionalChoice(CHARTS, text('chart')),
    cut: Number(optionalChoice(CUTS, text('cut')) ?? DEFAULT_CHARTS_VIEW.cut),
    area: text('rings') === 'area',
    by: optionalChoice(BARS_BY, text('bars')),
    of: optionalChoice(SCATTER_OF, text('per')) ?? DEFAULT_CHARTS_VIEW.of,
    recursion: text('rec') === '1',
  };
}
