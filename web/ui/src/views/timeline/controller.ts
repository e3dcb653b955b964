import type { Engine, TimePlace, TracksResult, ViewSpec } from '@hotframe/engine';
import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { Size } from '../../canvas/rect.ts';
import { distinct } from '../../state/distinct.ts';
import { results } from '../../state/resource.ts';
import { ancestorsOf, arrangeTracks, withUnder } from './arrange.ts';
import { neighbour } from './bars.ts';
import { createChoosing, keyAt } from './choosing.ts';
import { createFinding } from './finding.ts';
import { hitTimeline, type Pointed } from './hit.ts';
import { createLanes, type TimelineScene } from './loading.ts';
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
import { createSight } from './sight.ts';
import type { TimelineViewState } from './state.ts';
import type { Window } from './times.ts';

export type { Pointed, TimelineScene };

export interface TimelineInput {
  readonly spec: ViewSpec;
  readonly search: string;
  readonly view: TimelineViewState;
}

/** Below this width names stand above their tracks. */
const NARROW = 640;
const GUTTER = 176;
export const NAME_ROOM = 17;
/** Idle stretches that may be left out. */
const MOST_BREAKS = 40;

export type TimelineController = ReturnType<typeof createTimelineController>;

/** Everything about a timeline that is not drawn. */
export function createTimelineController(options: {
  readonly engine: Engine;
  readonly input: ReadonlySignal<TimelineInput>;
  update(view: Partial<TimelineViewState>, step: 'push' | 'replace'): void;
  /** A range was chosen. */
  choose(window: Window, unit: number): void;
  /** What is selected is known; its call path in the flame graph, and whether it was pointed at just now. */
  select(path: readonly number[], isPointed: boolean): void;
  fail(error: unknown): void;
}) {
  const { engine, input } = options;
  const size = signal<Size>({ width: 0, height: 0 });
  const scroll = signal(0);
  const scene = signal<TimelineScene | undefined>(undefined);
  const hovered = signal<Pointed | undefined>(undefined);
  /** The stretch that is being dragged. */
  const dragged = signal<Window | undefined>(undefined);
  /** The track that the pointer is over. */
  const overTrack = signal<number | undefined>(undefined);
  /** The track that keys are for. */
  const cursor = signal<number | undefined>(undefined);
  const knownRows = signal<ReadonlyMap<number, number>>(new Map());

  const document = distinct(() => ({ document: input.value.spec.document }));
  const { state: tracks, dispose: stopTracks } = results(engine, 'tracks', document);
  const length = computed(() => Math.max(tracks.value.value?.length ?? 1, 1));
  const gutter = computed(() => (size.value.width < NARROW ? 0 : GUTTER));
  const plotWidth = computed(() => Math.max(1, size.value.width - gutter.value));
  const atFirst = computed(() => openAtFirst(tracks.value.value?.tracks ?? []));
  const places = computed<readonly PlacedTrack[]>(() => {
    const known = tracks.value.value;
    if (known === undefined) return [];
    const { view } = input.value;
    const toggled = new Set(view.toggled);
    return placeTracks({
      arranged: arrangeTracks(known.tracks, view),
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

  const choosing = createChoosing({
    engine,
    input,
    scene,
    hovered,
    cursor,
    update: options.update,
    select: options.select,
  });
  const { select, selectedBar } = choosing;

  // What scrolled away with tracks that are shown no more comes back.
  const stopScroll = effect(() => {
    const most = Math.max(0, heightOf(places.value) - room.value);
    if (room.value > 0 && scroll.value > most) scroll.value = most;
  });

  const idleInput = distinct(() => {
    const known = tracks.value.value;
    if (known === undefined || !input.value.view.noIdle) return undefined;
    const shown = places.value.flatMap(({ track, sum }) =>
      sum === undefined ? [track.track] : withUnder(known.tracks, track.track),
    );
    return { ...document.value, tracks: shown.sort((a, b) => a - b), limit: MOST_BREAKS };
  });
  const { state: idle, dispose: stopIdle } = results(engine, 'idle', idleInput);
  const sight = createSight({
    length,
    idle: computed(() => idle.value.value?.stretches ?? []),
    width: plotWidth,
    gutter,
    wanted: computed(() => input.value.view.window),
    write: (window, step) => options.update({ window }, step),
  });
  const { window, times, unit, axis } = sight;
  const lanes = createLanes({
    engine,
    input,
    sight,
    width: plotWidth,
    inSight,
    arrived(next, counted) {
      const rows = new Map([...knownRows.peek(), ...counted]);
      batch(() => {
        hovered.value = undefined;
        scene.value = next;
        const before = knownRows.peek();
        const changed = [...rows].some(([track, count]) => before.get(track) !== count);
        if (changed) knownRows.value = rows;
      });
    },
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
    (input.peek().view.upwards ? Math.max(0, place.rows - 1 - row) : row) * ROW;

  function placeAt(y: number): PlacedTrack | undefined {
    const above = y - RULER < sticky.peek();
    return inSight.peek().find((place) => {
      const top = topOf(place);
      const isThere = sticky.peek() === 0 || place.isPinned === above;
      return isThere && y >= Math.max(RULER, top) && y < top + place.height;
    });
  }

  const hit = (x: number, y: number) => hitTimeline(controller, x, y);

  function scrollTo(top: number): void {
    const most = Math.max(0, heightOf(places.peek()) - (size.peek().height - RULER));
    scroll.value = Math.min(most, Math.max(0, top));
  }

  const without = (all: readonly number[], one: number) => all.filter((other) => other !== one);
  const toggledIn = (all: readonly number[], one: number) =>
    all.includes(one) ? without(all, one) : [...all, one];

  /** Folds or unfolds the rows of a track, or those under it where it has none itself. */
  function toggle(track: number): void {
    const { view } = input.peek();
    const place = placeOf(track);
    const isGroup = place !== undefined && place.under > 0;
    if (isGroup && (place.sum !== undefined || !hasOwn(place))) {
      options.update({ grouped: toggledIn(view.grouped, track) }, 'replace');
    } else options.update({ toggled: toggledIn(view.toggled, track) }, 'replace');
  }

  /** Shows a track again, however it was left out. */
  function reveal(track: number): void {
    if (placeOf(track) !== undefined) return;
    const { hidden, grouped, names } = input.peek().view;
    const above = new Set([track, ...ancestorsOf(tracks.peek().value?.tracks ?? [], track)]);
    const rest = (all: readonly number[]) => all.filter((one) => !above.has(one));
    options.update({ hidden: rest(hidden), grouped: rest(grouped), names }, 'replace');
    if (placeOf(track) === undefined) options.update({ names: '' }, 'replace');
  }

  /** Brings a stretch into sight, as wide as `least` pixels; an instant where it has no row. */
  function showTime(row: number | undefined, begin: number, lasts: number, least = 3): void {
    const { from, to } = times.peek();
    const isInside = begin >= from && begin + lasts <= to;
    if (row === undefined && lasts === 0) {
      if (!isInside) sight.centre(begin);
    } else if (!isInside || lasts / unit.peek() < least) sight.zoomTo(begin, lasts, 'replace');
  }

  /** Brings a stretch of a track into sight. */
  function show(track: number, row: number | undefined, begin: number, lasts: number): void {
    showTime(row, begin, lasts);
    showTrack(track, row);
  }

  function showTrack(track: number, row: number | undefined): void {
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

  const finding = createFinding({ engine, input, times, cursor, select, show, fail: options.fail });

  /** Goes from bar to bar, as far as they are drawn. */
  function walk(where: 'left' | 'right' | 'up' | 'down'): void {
    const drawn = scene.peek();
    if (drawn === undefined) return;
    const { columns } = drawn.answer;
    const at = selectedBar();
    const { from, to } = times.peek();
    const isShown = (bar: number) =>
      columns.bar_end[bar]! > from &&
      columns.bar_begin[bar]! < to &&
      (cursor.peek() === undefined || drawn.tracks[columns.bar_of[bar]!] === cursor.peek());
    const bars = [...columns.bar_of.keys()];
    const first = () => bars.find(isShown) ?? bars[0];
    const next = at === undefined ? first() : neighbour(columns, at, where);
    if (next === undefined) return;
    select(keyAt(drawn, next));
    if (at === undefined) return;
    const [begin, lasts] = [
      columns.bar_begin[next]!,
      columns.bar_end[next]! - columns.bar_begin[next]!,
    ];
    show(drawn.tracks[columns.bar_of[next]!]!, columns.bar_row[next]!, begin, lasts);
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

  const controller = {
    size,
    scroll: scroll as ReadonlySignal<number>,
    /** Places of the axis that are in sight. */
    window,
    /** The times that are. */
    times,
    axis,
    /** Whether it is known which stretches are idle. */
    idle,
    length,
    gutter,
    plotWidth,
    unit,
    tracks,
    places,
    sticky,
    inSight,
    scene: scene as ReadonlySignal<TimelineScene | undefined>,
    error: lanes.error,
    selected: choosing.selected,
    /** What is known of what is pointed at. */
    told: choosing.told,
    cursor,
    overTrack,
    foundMark: finding.foundMark,
    found: finding.found,
    hovered,
    dragged,
    input,
    xOf: sight.xOf,
    timeAt: sight.timeAt,
    placeOf,
    placeAt,
    topOf,
    rowTop,
    hit,
    scrollTo,
    toggle,
    /** Changes which tracks are shown, and how. */
    arrange: (how: Partial<TimelineViewState>) => options.update(how, 'replace'),
    toggledIn,
    /** Hides a track and those under it; keys are for the next one then. */
    hide(track: number) {
      const all = places.peek();
      const at = all.findIndex((place) => place.track.track === track);
      const place = all[at];
      if (place === undefined) return;
      const next = all.slice(at + 1).find(({ depth }) => depth <= place.depth) ?? all[at - 1];
      cursor.value = next?.track.track;
      const { hidden, pinned } = input.peek().view;
      options.update({ hidden: [...hidden, track], pinned: without(pinned, track) }, 'replace');
    },
    moveCursor,
    select,
    /** What a bar is of. */
    keyAt: (bar: number) => scene.peek() && keyAt(scene.peek()!, bar),
    selectedBar,
    walk,
    jump: finding.jump,
    jumpToMark: finding.jumpToMark,
    /** Brings a stretch of time into sight, and selects the span that stands for it. */
    showPlace({ track, row, span, begin, length: lasts }: Omit<TimePlace, 'lasts'>) {
      select(span > 0 ? { span: span - 1 } : undefined);
      showTime(row ?? undefined, begin, lasts, 60);
      if (track === null) return;
      cursor.value = track;
      showTrack(track, row ?? undefined);
    },
    showTrack(track: number) {
      cursor.value = track;
      showTrack(track, undefined);
    },
    zoomBy: sight.zoomBy,
    panBy: sight.panBy,
    look: sight.look,
    zoomTo: (begin: number, lasts: number) => sight.zoomTo(begin, lasts),
    whole: sight.whole,
    /** Makes a stretch the range that everything else shows. */
    choose(at: Window) {
      options.choose(at, unit.peek());
    },
    dispose() {
      lanes.dispose();
      sight.dispose();
      stopScroll();
      stopIdle();
      choosing.dispose();
      stopTracks();
    },
  };
  return controller;
}

/** Whether anything is drawn of a track itself. */
function hasOwn({ track }: PlacedTrack): boolean {
  return track.spans > 0 || track.samples > 0;
}

/** What is told of all tracks. */
export type { TracksResult };
