import type { ScatterOf } from '@hotframe/engine';
import { optionalChoice } from './url-fields.ts';
import type { Choice } from './view-state.ts';

/** What of the charts is on screen; it lives in the page's address. */
export interface ChartsViewState {
  /** What the scatter divides by calls. */
  readonly of: ScatterOf;
  /** Whether its colours tell recursion; else they are those of the other pictures. */
  readonly recursion: boolean;
}

export const DEFAULT_CHARTS_VIEW: ChartsViewState = { of: 'own_value', recursion: false };

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
  { of, recursion }: ChartsViewState,
  set: (key: string, value: string | number | undefined, standard?: string) => void,
): void {
  set('per', of, DEFAULT_CHARTS_VIEW.of);
  set('rec', recursion ? '1' : undefined);
}

/** Reads them back; what does not parse is at its default. */
export function decodeCharts(text: (key: string) => string | undefined): ChartsViewState {
  return {
    of: optionalChoice(SCATTER_OF, text('per')) ?? DEFAULT_CHARTS_VIEW.of,
    recursion: text('rec') === '1',
  };
}
