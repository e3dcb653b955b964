import type { TracksResult } from '@hotframe/engine';
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { Size } from '../../canvas/rect.ts';
import { ancestorsOf, arrangeTracks } from './arrange.ts';
import {
  heightOf,
  openAtFirst,
  pinnedHeight,
  placeTracks,
  type PlacedTrack,
  ROW,
  RULER,
  tracksBetween,
} from './places.ts';
import type { TimelineViewState } from './state.ts';

/** Height of a name that stands above its track. */
export const NAME_ROOM = 17;

/** Which tracks are shown, where each is, how far they are scrolled, and which one keys are for. */
export function createTrackPlaces(options: {
  readonly tracks: ReadonlySignal<TracksResult | undefined>;
  readonly view: ReadonlySignal<TimelineViewState>;
  readonly size: ReadonlySignal<Size>;
  readonly gutter: ReadonlySignal<number>;
  update(view: Partial<TimelineViewState>): void;
}) {
  const { tracks, view, size, gutter, update } = options;
  const cursor = signal<number | undefined>(undefined);
  const scroll = signal(0);
  /** Rows of tracks, as far as they were counted. */
  const knownRows = signal<ReadonlyMap<number, number>>(new Map());
  const atFirst = computed(() => openAtFirst(tracks.value?.tracks ?? []));
  const places = computed<readonly PlacedTrack[]>(() => {
    const known = tracks.value;
    if (known === undefined) return [];
    const toggled = new Set(view.value.toggled);
    return placeTracks({
      arranged: arrangeTracks(known.tracks, view.value),
      counters: known.counters,
      isOpen: ({ track }) => atFirst.value.has(track) !== toggled.has(track),
      rowsOf: (track) => knownRows.value.get(track),
      nameRoom: gutter.value === 0 ? NAME_ROOM : 0,
    });
  });
  const room = computed(() => Math.max(0, size.value.height - RULER));
  /** What stays above while the rest scrolls. */
  const sticky = computed(() => pinnedHeight(places.value, room.value));
  const inSight = computed(() => {
    const [all, above] = [places.value, sticky.value];
    if (above === 0) return tracksBetween(all, scroll.value, scroll.value + room.value);
    const rest = all.filter(({ isPinned }) => !isPinned);
    return [
      ...all.filter(({ isPinned }) => isPinned),
      ...tracksBetween(rest, scroll.value + above, scroll.value + room.value),
    ];
  });

  // What scrolled away with tracks that are shown no more comes back.
  const stopScroll = effect(() => {
    const most = Math.max(0, heightOf(places.value) - room.value);
    if (room.value > 0 && scroll.value > most) scroll.value = most;
  });

  function placeOf(track: number): PlacedTrack | undefined {
    return places.peek().find((place) => place.track.track === track);
  }

  /** Where a track begins on screen. */
  const topOf = (place: PlacedTrack) =>
    RULER + place.top - (place.isPinned && sticky.peek() > 0 ? 0 : scroll.peek());
  /** Where a row of a track begins on screen. */
  const rowTop = (place: PlacedTrack, row: number) =>
    topOf(place) +
    place.chart +
    (view.peek().upwards ? Math.max(0, place.rows - 1 - row) : row) * ROW;

  function placeAt(y: number): PlacedTrack | undefined {
    const above = y - RULER < sticky.peek();
    return inSight.peek().find((place) => {
      const top = topOf(place);
      const isThere = sticky.peek() === 0 || place.isPinned === above;
      return isThere && y >= Math.max(RULER, top) && y < top + place.height;
    });
  }

  function scrollTo(top: number): void {
    const most = Math.max(0, heightOf(places.peek()) - (size.peek().height - RULER));
    scroll.value = Math.min(most, Math.max(0, top));
  }

  const without = (all: readonly number[], one: number) => all.filter((other) => other !== one);
  const toggledIn = (all: readonly number[], one: number) =>
    all.includes(one) ? without(all, one) : [...all, one];

  /** Folds or unfolds the rows of a track, or those under it where it has none itself. */
  function toggle(track: number): void {
    const place = placeOf(track);
    const isGroup = place !== undefined && place.under > 0;
    if (isGroup && (place.sum !== undefined || !hasOwn(place))) {
      update({ grouped: toggledIn(view.peek().grouped, track) });
    } else update({ toggled: toggledIn(view.peek().toggled, track) });
  }

  /** Shows a track again, however it was left out. */
  function reveal(track: number): void {
    if (placeOf(track) !== undefined) return;
    const { hidden, grouped, names } = view.peek();
    const above = new Set([track, ...ancestorsOf(tracks.peek()?.tracks ?? [], track)]);
    const rest = (all: readonly number[]) => all.filter((one) => !above.has(one));
    update({ hidden: rest(hidden), grouped: rest(grouped), names });
    if (placeOf(track) === undefined) update({ names: '' });
  }

  /** Brings a track into sight, unfolded where a row of it is wanted. */
  function show(track: number, row: number | undefined): void {
    reveal(track);
    if (placeOf(track)?.isOpen === false && row !== undefined) toggle(track);
    const place = placeOf(track);
    if (place === undefined || (place.isPinned && sticky.peek() > 0)) return;
    // The rows of a track that was folded are not known yet.
    const top = row === undefined ? topOf(place) : rowTop(place, row);
    if (top < RULER + sticky.peek() || top + ROW > size.peek().height) {
      scrollTo(scroll.peek() + top - RULER - sticky.peek() - (room.peek() - sticky.peek()) / 3);
    }
  }

  /** Goes from track to track. */
  function moveCursor(by: number): void {
    const all = places.peek();
    const at = all.findIndex(({ track }) => track.track === cursor.peek());
    const first = all.indexOf(inSight.peek()[0]!);
    const place = all[at < 0 ? first : Math.min(all.length - 1, Math.max(0, at + by))];
    if (place === undefined) return;
    cursor.value = place.track.track;
    if (place.isPinned && sticky.peek() > 0) return;
    const top = topOf(place);
    const above = RULER + sticky.peek();
    if (top < above) scrollTo(scroll.peek() + top - above);
    else if (top + place.height > size.peek().height) {
      const by = Math.min(top + place.height - size.peek().height, top - above);
      scrollTo(scroll.peek() + by);
    }
  }

  /** Hides a track and those under it; keys are for the next one then. */
  function hide(track: number): void {
    const all = places.peek();
    const at = all.findIndex((place) => place.track.track === track);
    const place = all[at];
    if (place === undefined) return;
    const next = all.slice(at + 1).find(({ depth }) => depth <= place.depth) ?? all[at - 1];
    cursor.value = next?.track.track;
    const { hidden, pinned } = view.peek();
    update({ hidden: [...hidden, track], pinned: without(pinned, track) });
  }

  return {
    /** The track that keys are for. */
    cursor: cursor as ReadonlySignal<number | undefined>,
    scroll: scroll as ReadonlySignal<number>,
    places,
    sticky,
    inSight,
    placeOf,
    placeAt,
    topOf,
    rowTop,
    scrollTo,
    toggle,
    toggledIn,
    show,
    hide,
    moveCursor,
    /** Keys are for a track now. */
    pointTo(track: number) {
      cursor.value = track;
    },
    /** Rows of tracks were counted. */
    count(counted: ReadonlyMap<number, number>) {
      const before = knownRows.peek();
      const rows = new Map([...before, ...counted]);
      const changed = [...rows].some(([track, count]) => before.get(track) !== count);
      if (changed) knownRows.value = rows;
    },
    dispose: stopScroll,
  };
}

/** Whether anything is drawn of a track itself. */
function hasOwn({ track }: PlacedTrack): boolean {
  return track.spans > 0 || track.samples > 0;
}
