import type { Engine, TimePlace, TracksResult, ViewSpec } from '@hotframe/engine';
import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Size } from '../../canvas/rect.ts';
import { distinct } from '../../state/distinct.ts';
import { results } from '../../state/resource.ts';
import { withUnder } from './arrange.ts';
import { neighbour } from './bars.ts';
import { createChoosing, keyAt } from './choosing.ts';
import { createFinding } from './finding.ts';
import { hitTimeline, type Pointed } from './hit.ts';
import { createLanes, type TimelineScene } from './loading.ts';
import { createPointing } from './pointing.ts';
import { createSight } from './sight.ts';
import type { TimelineViewState } from './state.ts';
import type { Window } from './times.ts';
import { createTrackPlaces } from './track-places.ts';

export type { Pointed, TimelineScene };

export interface TimelineInput {
  readonly spec: ViewSpec;
  readonly search: string;
  readonly view: TimelineViewState;
}

/** Below this width names stand above their tracks. */
const NARROW = 640;
const GUTTER = 176;
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
  const scene = signal<TimelineScene | undefined>(undefined);

  const document = distinct(() => ({ document: input.value.spec.document }));
  const { state: tracks, dispose: stopTracks } = results(engine, 'tracks', document);
  const length = computed(() => Math.max(tracks.value.value?.length ?? 1, 1));
  const gutter = computed(() => (size.value.width < NARROW ? 0 : GUTTER));
  const plotWidth = computed(() => Math.max(1, size.value.width - gutter.value));
  const shown = createTrackPlaces({
    tracks: computed(() => tracks.value.value),
    view: computed(() => input.value.view),
    size,
    gutter,
    update: (view) => options.update(view, 'replace'),
  });
  const { places, inSight, cursor, pointTo } = shown;

  /** Makes a stretch the range that everything else shows. */
  const choose = (at: Window) => options.choose(at, unit.peek());
  const zoomTo = (begin: number, lasts: number) => sight.zoomTo(begin, lasts);
  const pointing = createPointing({
    timeAt: (x) => sight.timeAt(x),
    unit: () => unit.peek(),
    length,
    gutter,
    hit: (x, y) => hitTimeline(controller, x, y),
    trackAt: (y) => shown.placeAt(y)?.track.track,
    zoomTo,
    choose,
  });
  const choosing = createChoosing({
    engine,
    input,
    scene,
    hovered: pointing.hovered,
    pointTo,
    update: options.update,
    select: options.select,
  });
  const { select, selectedBar } = choosing;

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
      batch(() => {
        pointing.forget();
        scene.value = next;
        shown.count(counted);
      });
    },
  });

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
    shown.show(track, row);
  }

  const finding = createFinding({
    engine,
    input,
    times,
    pointTo,
    select,
    show,
    fail: options.fail,
  });

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

  const controller = {
    size,
    scroll: shown.scroll,
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
    sticky: shown.sticky,
    inSight,
    scene: scene as ReadonlySignal<TimelineScene | undefined>,
    error: lanes.error,
    selected: choosing.selected,
    /** What is known of what is pointed at. */
    told: choosing.told,
    /** The track that keys are for. */
    cursor,
    pointTo,
    hovered: pointing.hovered,
    overTrack: pointing.overTrack,
    dragged: pointing.dragged,
    hover: pointing.hover,
    leaveTracks: pointing.leaveTracks,
    press: pointing.press,
    dragTo: pointing.dragTo,
    drop: pointing.drop,
    foundMark: finding.foundMark,
    found: finding.found,
    input,
    xOf: sight.xOf,
    timeAt: sight.timeAt,
    placeOf: shown.placeOf,
    placeAt: shown.placeAt,
    topOf: shown.topOf,
    rowTop: shown.rowTop,
    hit: (x: number, y: number) => hitTimeline(controller, x, y),
    scrollTo: shown.scrollTo,
    toggle: shown.toggle,
    /** Changes which tracks are shown, and how. */
    arrange: (how: Partial<TimelineViewState>) => options.update(how, 'replace'),
    toggledIn: shown.toggledIn,
    hide: shown.hide,
    moveCursor: shown.moveCursor,
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
      pointTo(track);
      shown.show(track, row ?? undefined);
    },
    showTrack(track: number) {
      pointTo(track);
      shown.show(track, undefined);
    },
    zoomBy: sight.zoomBy,
    panBy: sight.panBy,
    look: sight.look,
    zoomTo,
    whole: sight.whole,
    choose,
    dispose() {
      lanes.dispose();
      sight.dispose();
      shown.dispose();
      stopIdle();
      choosing.dispose();
      stopTracks();
    },
  };
  return controller;
}

/** What is told of all tracks. */
export type { TracksResult };
