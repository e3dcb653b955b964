import type { AddressPart } from '../../state/address-part.ts';
/** What of a heat map is on screen; it lives in the page's address. */
export interface HeatViewState {
  /** Length of a column in nanoseconds; what suits the recording where undefined. */
  readonly column: number | undefined;
}

const STANDARD: HeatViewState = { column: undefined };

export const HEAT_PART: AddressPart<HeatViewState> = {
  key: 'heat',
  standard: STANDARD,
  encode({ column }, set) {
    set('hc', column);
  },
  decode(text) {
    const column = Number(text('hc') ?? Number.NaN);
    return { column: Number.isSafeInteger(column) && column >= 50 ? column : undefined };
  },
};
