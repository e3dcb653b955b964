/** What of a heat map is on screen; it lives in the page's address. */
export interface HeatViewState {
  /** Length of a column in nanoseconds; what suits the recording where undefined. */
  readonly column: number | undefined;
}

export const DEFAULT_HEAT_VIEW: HeatViewState = { column: undefined };

/** Writes the fields of a hash. */
export function encodeHeat(
  { column }: HeatViewState,
  set: (key: string, value: string | number | undefined, standard?: string) => void,
): void {
  set('hc', column);
}

/** Reads them back; what does not parse is at its default. */
export function decodeHeat(text: (key: string) => string | undefined): HeatViewState {
  const column = Number(text('hc') ?? Number.NaN);
  return { column: Number.isSafeInteger(column) && column >= 50 ? column : undefined };
}
