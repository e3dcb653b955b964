/** What of a timeline is on screen; it lives in the page's address. */
export interface TimelineViewState {
  /** Begin and end in nanoseconds after the first time; all of it where undefined. */
  readonly window: { readonly from: number; readonly to: number } | undefined;
  /** Tracks that are folded or unfolded otherwise than at first. */
  readonly toggled: readonly number[];
  /** The selected span. */
  readonly span: number | undefined;
}

export const DEFAULT_TIMELINE_VIEW: TimelineViewState = {
  window: undefined,
  toggled: [],
  span: undefined,
};

/** Writes the fields of a hash. */
export function encodeTimeline(
  { window, toggled, span }: TimelineViewState,
  set: (key: string, value: string | number | undefined, standard?: string) => void,
): void {
  set('t', window && `${Math.round(window.from)}~${Math.round(window.to)}`);
  set('tt', toggled.join('.'), '');
  set('ts', span);
}

/** Reads them back; what does not parse is at its default. */
export function decodeTimeline(text: (key: string) => string | undefined): TimelineViewState {
  const [from = Number.NaN, to = Number.NaN] = text('t')?.split('~').map(Number) ?? [];
  const toggled = text('tt')?.split('.').map(Number) ?? [];
  const span = Number(text('ts') ?? Number.NaN);
  return {
    window: from >= 0 && from < to && to < Infinity ? { from, to } : undefined,
    toggled: toggled.every((track) => Number.isSafeInteger(track) && track >= 0) ? toggled : [],
    span: Number.isSafeInteger(span) && span >= 0 ? span : undefined,
  };
}
