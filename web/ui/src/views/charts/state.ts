import type { ScatterOf } from '@hotframe/engine';
import type { AddressPart } from '../../state/address-part.ts';
import { optionalChoice } from '../../state/url-fields.ts';
import type { Choice } from '../../state/view-state.ts';
import { CHARTS } from './charts.ts';

/** What colours of a treemap tell: its own, or what those of the other pictures tell. */
export type Tint = 'depth' | 'share' | 'groups';

/** What bars are sorted by; changes where the profile is a comparison. */
export type BarsBy = 'self' | 'total' | 'change';

/** What of the charts is on screen; it lives in the page's address. */
export interface ChartsViewState {
  /** What suits the profile where undefined. */
  readonly chart: string | undefined;
  /** Shares that an arc of a sunburst or a box of a treemap of its own has at least, in thousandths. */
  readonly cut: number;
  /** Whether rings of a sunburst have equal areas, not equal widths. */
  readonly area: boolean;
  /** What suits the profile where undefined. */
  readonly by: BarsBy | undefined;
  /** What the scatter divides by calls. */
  readonly of: ScatterOf;
  /** Whether its colours tell recursion; else they are those of the other pictures. */
  readonly recursion: boolean;
  /** What colours of the treemap tell; what suits the profile where undefined. */
  readonly tint: Tint | undefined;
  /** Shares of the program that functions and calls of a call graph have at least, in thousandths. */
  readonly leastNode: number;
  readonly leastEdge: number;
  /** Whether bars and scatter of all open profiles stand side by side. */
  readonly beside: boolean;
}

const STANDARD: ChartsViewState = {
  chart: undefined,
  by: undefined,
  cut: 5,
  area: false,
  of: 'own_value',
  recursion: false,
  tint: undefined,
  leastNode: 5,
  leastEdge: 1,
  beside: false,
};

/** Least shares, in thousandths, as they are chosen. */
export const CUTS: readonly Choice<string>[] = [1, 2, 5, 10, 20].map((cut) => ({
  value: String(cut),
  label: `${cut / 10} %`,
  title: `What is less than ${cut / 10} % is drawn together`,
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

/** The same of functions and calls of a call graph. */
export const LEAST: readonly Choice<string>[] = [0, 1, 5, 10, 20, 50].map((least) => ({
  value: String(least),
  label: `${least / 10} %`,
  title: least === 0 ? 'All' : `What is less than ${least / 10} % of the program is left out`,
}));

export const TINTS: readonly Choice<Exclude<Tint, 'groups'>>[] = [
  { value: 'depth', label: 'Depth', title: 'Darker or lighter with every level' },
  { value: 'share', label: 'Share', title: 'Stronger where more of the whole is in it' },
];

export const CHARTS_PART: AddressPart<ChartsViewState> = {
  key: 'charts',
  standard: STANDARD,
  encode({ chart, cut, area, by, of, recursion, tint, leastNode, leastEdge, beside }, set) {
    set('chart', chart);
    set('cut', String(cut), String(STANDARD.cut));
    set('rings', area ? 'area' : undefined);
    set('bars', by);
    set('per', of, STANDARD.of);
    set('rec', recursion ? '1' : undefined);
    set('tint', tint);
    set('nodes', String(leastNode), String(STANDARD.leastNode));
    set('beside', beside ? '1' : undefined);
    set('edges', String(leastEdge), String(STANDARD.leastEdge));
  },
  decode(text) {
    return {
      chart: CHARTS.find(({ id }) => id === text('chart'))?.id,
      cut: Number(optionalChoice(CUTS, text('cut')) ?? STANDARD.cut),
      area: text('rings') === 'area',
      by: optionalChoice(BARS_BY, text('bars')),
      of: optionalChoice(SCATTER_OF, text('per')) ?? STANDARD.of,
      recursion: text('rec') === '1',
      tint: (['depth', 'share', 'groups'] as const).find((tint) => tint === text('tint')),
      leastNode: leastOf(text('nodes')) ?? STANDARD.leastNode,
      beside: text('beside') === '1',
      leastEdge: leastOf(text('edges')) ?? STANDARD.leastEdge,
    };
  },
};

function leastOf(text: string | undefined): number | undefined {
  const known = optionalChoice(LEAST, text);
  return known === undefined ? undefined : Number(known);
}
