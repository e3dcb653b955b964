import type { TracksResult } from '@hotframe/engine';
import { TIMELINE } from '../../canvas/generated/measures.ts';
import { type Arranged, hasChart, type Track } from './arrange.ts';

export { hasChart, type Track };

/** Heights in CSS pixels. */
export const {
  ruler: RULER,
  heading: HEADING,
  folded: FOLDED,
  row: ROW,
  marks: MARKS,
  series: SERIES,
} = TIMELINE;
const GAP = TIMELINE.gap;
/** Deeper rows of a track are reached by nothing yet: its chart ends there, and says so. */
export const MOST_ROWS = 200;
/** Pinned tracks that take more of the room scroll with the others. */
const MOST_PINNED = 0.6;

/** Where a track stands. */
export interface PlacedTrack extends Arranged {
  /** From the top of all tracks. */
  readonly top: number;
  readonly height: number;
  /** Only a name: nothing happened on it itself. */
  readonly isHeading: boolean;
  readonly isOpen: boolean;
  /** Rows of its chart; 0 where it is folded. */
  readonly rows: number;
  /** Rows that it has besides. */
  readonly more: number;
  /** From its top. */
  readonly marks: number | undefined;
  readonly chart: number;
  /** Series of values, each with its place from the track's top. */
  readonly series: readonly { readonly counter: number; readonly top: number }[];
}

/** What decides where tracks stand. */
export interface TrackPlaces {
  readonly arranged: readonly Arranged[];
  readonly counters: TracksResult['counters'];
  readonly isOpen: (track: Track) => boolean;
  /** How many rows the chart of a track has, as far as is known. */
  readonly rowsOf: (track: number) => number | undefined;
  /** Room for names above tracks; 0 where they stand beside them. */
  readonly nameRoom: number;
}

/** All tracks, one under the other. */
export function placeTracks(how: TrackPlaces): readonly PlacedTrack[] {
  const { arranged, isOpen, rowsOf, nameRoom } = how;
  const series = new Map<number, number[]>();
  how.counters.forEach(({ track }, counter) => {
    const known = series.get(track);
    if (known === undefined) series.set(track, [counter]);
    else known.push(counter);
  });
  let top = 0;
  return arranged.map((one) => {
    const { track, sum } = one;
    const counters = series.get(track.track) ?? [];
    const chart = sum === undefined ? hasChart(track) : sum > 0;
    const isHeading = !chart && track.marks === 0 && counters.length === 0;
    const open = chart && sum === undefined && isOpen(track);
    const known = rowsOf(track.track) ?? 4;
    const rows = open ? Math.min(MOST_ROWS, known) : 0;
    const more = open ? known - rows : 0;
    let height = isHeading ? HEADING : nameRoom;
    const marks = track.marks > 0 ? height : undefined;
    if (marks !== undefined) height += MARKS;
    const at = height;
    if (chart) height += open ? Math.max(rows * ROW, FOLDED - MARKS) : FOLDED - GAP;
    const placed = counters.map((counter, index) => ({ counter, top: height + index * SERIES }));
    height = Math.max(height + counters.length * SERIES, 20) + GAP;
    const place = { ...one, top, height, isHeading, isOpen: open, rows, more, marks, chart: at };
    top += height;
    return { ...place, series: placed };
  });
}

/** The height of all of them. */
export function heightOf(places: readonly PlacedTrack[]): number {
  const last = places.at(-1);
  return last === undefined ? 0 : last.top + last.height;
}

/** The height of what stays above while the others scroll. */
export function pinnedHeight(places: readonly PlacedTrack[], room: number): number {
  const height = heightOf(places.filter(({ isPinned }) => isPinned));
  return height > room * MOST_PINNED ? 0 : height;
}

/** The tracks between two heights of all of them. */
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
