import type { TracksResult } from '@hotframe/engine';

/** Heights in CSS pixels. */
export const RULER = 24;
export const HEADING = 24;
export const FOLDED = 36;
export const ROW = 18;
export const MARKS = 12;
export const SERIES = 40;
const GAP = 5;
/** Deeper rows of a track are reached by nothing yet: its chart ends there, and says so. */
export const MOST_ROWS = 200;

export type Track = TracksResult['tracks'][number];

/** Where a track stands. */
export interface PlacedTrack {
  readonly track: Track;
  /** From the top of all tracks. */
  readonly top: number;
  readonly height: number;
  /** Only a name: nothing happened on it itself. */
  readonly isHeading: boolean;
  readonly isOpen: boolean;
  /** Rows of its chart; 0 where it is folded. */
  readonly rows: number;
  /** From its top. */
  readonly marks: number | undefined;
  readonly chart: number;
  /** Series of values, each with its place from the track's top. */
  readonly series: readonly { readonly counter: number; readonly top: number }[];
}

/** What decides where tracks stand. */
export interface TrackPlaces {
  readonly tracks: TracksResult;
  readonly isOpen: (track: Track) => boolean;
  /** How many rows the chart of a track has, as far as is known. */
  readonly rowsOf: (track: number) => number | undefined;
  /** Room for names above tracks; 0 where they stand beside them. */
  readonly nameRoom: number;
}

/** Whether anything is drawn in rows. */
export function hasChart(track: Track): boolean {
  return track.spans > 0 || track.samples > 0;
}

/** All tracks, one under the other. */
export function placeTracks({
  tracks,
  isOpen,
  rowsOf,
  nameRoom,
}: TrackPlaces): readonly PlacedTrack[] {
  const series = new Map<number, number[]>();
  tracks.counters.forEach(({ track }, counter) => {
    series.set(track, [...(series.get(track) ?? []), counter]);
  });
  let top = 0;
  return tracks.tracks.map((track) => {
    const counters = series.get(track.track) ?? [];
    const chart = hasChart(track);
    const isHeading = !chart && track.marks === 0 && counters.length === 0;
    const open = chart && isOpen(track);
    const rows = open ? Math.min(MOST_ROWS, rowsOf(track.track) ?? 4) : 0;
    let height = isHeading ? HEADING : nameRoom;
    const marks = track.marks > 0 ? height : undefined;
    if (marks !== undefined) height += MARKS;
    const at = height;
    if (chart) height += open ? Math.max(rows * ROW, FOLDED - MARKS) : FOLDED - GAP;
    const placed = counters.map((counter, index) => ({ counter, top: height + index * SERIES }));
    height = Math.max(height + counters.length * SERIES, 20) + GAP;
    const place = { track, top, height, isHeading, isOpen: open, rows, marks, chart: at };
    top += height;
    return { ...place, series: placed };
  });
}

/** The height of all of them. */
export function heightOf(places: readonly PlacedTrack[]): number {
  const last = places.at(-1);
  return last === undefined ? 0 : last.top + last.height;
}

/** The tracks between two heights. */
export function tracksBetween(
  places: readonly PlacedTrack[],
  from: number,
  to: number,
): readonly PlacedTrack[] {
  return places.filter(({ top, height }) => top < to && top + height > from);
}

/** The tracks that are unfolded at first: all of a few, else the two busiest that nest. */
export function openAtFirst(tracks: readonly Track[]): ReadonlySet<number> {
  const MOST_OPEN = 3;
  const charts = tracks.filter(hasChart);
  if (charts.length <= MOST_OPEN) return new Set(charts.map(({ track }) => track));
  const weight = ({ kind, busy, samples }: Track) => (kind === 'lane' ? 0 : busy + samples);
  const busiest = [...charts].sort((one, other) => weight(other) - weight(one)).slice(0, 2);
  return new Set(busiest.map(({ track }) => track));
}
