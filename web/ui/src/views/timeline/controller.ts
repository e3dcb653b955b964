import type {
  Answer,
  Engine,
  EngineError,
  SpanResult,
  TracksResult,
  ViewSpec,
} from '@hotframe/engine';
import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { createMotion, STEP_MS } from '../../canvas/motion.ts';
import type { Size } from '../../canvas/rect.ts';
import { asEngineError, resource } from '../../state/resource.ts';
import type { TimelineViewState } from '../../state/timeline-view.ts';
import {
  heightOf,
  openAtFirst,
  placeTracks,
  type PlacedTrack,
  ROW,
  RULER,
  tracksBetween,
} from './places.ts';
import { clampWindow, panWindow, type Window, windowAround, zoomWindow } from './times.ts';

/** The answer that is drawn, and what it was asked for. */
export interface TimelineScene {
  readonly answer: Answer<'lanes'>;
  readonly window: Window;
  readonly width: number;
  readonly tracks: readonly number[];
  readonly search: string;
}

/** What is under the pointer. */
export type Pointed =
  | { readonly kind: 'bar'; readonly bar: number }
  | { readonly kind: 'mark'; readonly mark: number }
  | { readonly kind: 'name'; readonly track: number };

export interface TimelineInput {
  readonly spec: ViewSpec;
  readonly search: string;
  readonly view: TimelineViewState;
}

/** More than is in sight is asked for, so that small moves need no answer. */
const MARGIN = 0.5;
const REQUEST_GAP_MS = 40;
/** Below this width names stand above their tracks. */
const NARROW = 640;
const GUTTER = 176;
const NAME_ROOM = 17;

export type TimelineController = ReturnType<typeof createTimelineController>;

/** Everything about a timeline that is not drawn. */
export function createTimelineController(options: {
  readonly engine: Engine;
  readonly input: ReadonlySignal<TimelineInput>;
  update(view: Partial<TimelineViewState>, step: 'push' | 'replace'): void;
  /** A range was chosen. */
  choose(window: Window, unit: number): void;
  /** A span was selected; its call path in the flame graph. */
  select(path: readonly number[]): void;
  fail(error: unknown): void;
}) {
  const { engine, input } = options;
  const size = signal<Size>({ width: 0, height: 0 });
  const scroll = signal(0);
  const scene = signal<TimelineScene | undefined>(undefined);
  const error = signal<EngineError | undefined>(undefined);
  const hovered = signal<Pointed | undefined>(undefined);
  /** The stretch that is being dragged. */
  const dragged = signal<Window | undefined>(undefined);
  const found = signal<{ at: number; count: number } | undefined>(undefined);
  const knownRows = signal<ReadonlyMap<number, number>>(new Map());

  const document = computed(() => input.value.spec.document);
  const { state: tracks, dispose: stopTracks } = resource(document, (of, abort) =>
    engine.call('tracks', { document: of }, { signal: abort }).then(({ result }) => result),
  );
  const length = computed(() => Math.max(tracks.value.value?.length ?? 1, 1));
  const gutter = computed(() => (size.value.width < NARROW ? 0 : GUTTER));
  const plotWidth = computed(() => Math.max(1, size.value.width - gutter.value));
  const window = signal<Window>({ from: 0, to: 1 });
  const motion = createMotion(window, (from: Window, to: Window, progress) => ({
    from: from.from + (to.from - from.from) * progress,
    to: from.to + (to.to - from.to) * progress,
  }));
  const unit = computed(() => (window.value.to - window.value.from) / plotWidth.value);

  const atFirst = computed(() => openAtFirst(tracks.value.value?.tracks ?? []));
  const places = computed<readonly PlacedTrack[]>(() => {
    const known = tracks.value.value;
    if (known === undefined) return [];
    const toggled = new Set(input.value.view.toggled);
    return placeTracks({
      tracks: known,
      isOpen: ({ track }) => atFirst.value.has(track) !== toggled.has(track),
      rowsOf: (track) => knownRows.value.get(track),
      nameRoom: gutter.value === 0 ? NAME_ROOM : 0,
    });
  });
  const inSight = computed(() =>
    tracksBetween(places.value, scroll.value, scroll.value + size.value.height - RULER),
  );

  const spanInput = computed(() => {
    const { spec, view } = input.value;
    return view.span === undefined ? undefined : { spec, span: view.span };
  });
  const { state: selected, dispose: stopSelected } = resource(spanInput, ({ spec, span }, abort) =>
    engine.call('span', { view: spec, span }, { signal: abort }).then(({ result }) => result),
  );

  // The window of the address is shown; a motion writes it there when it is over.
  const stopWindow = effect(() => {
    const wanted = input.value.view.window;
    const whole = length.value;
    motion.stop();
    window.value = wanted === undefined ? { from: 0, to: whole } : clampWindow(wanted, whole);
  });
  let settled: ReturnType<typeof setTimeout> | undefined;
  function go(next: Window, how: 'step' | 'follow', step: 'push' | 'replace' = 'replace') {
    clearTimeout(settled);
    const write = () => {
      const whole = next.from <= 0 && next.to >= length.peek();
      options.update({ window: whole ? undefined : next }, step);
    };
    if (how === 'follow') {
      motion.stop();
      window.value = next;
      settled = setTimeout(write, 250);
      return;
    }
    void motion.moveTo(next, STEP_MS).then(() => {
      settled = setTimeout(write, 50);
    });
  }

  let last = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: AbortController | undefined;
  let wantedKey = '';
  function request(): void {
    const { from, to } = window.peek();
    const wanted = inSight.peek().filter(({ isHeading }) => !isHeading);
    if (tracks.peek().value === undefined || plotWidth.peek() <= 1 || wanted.length === 0) return;
    const wait = last + REQUEST_GAP_MS - performance.now();
    clearTimeout(timer);
    if (wait > 0) {
      timer = setTimeout(request, wait);
      return;
    }
    const span = to - from;
    const asked = { from: from - span * MARGIN, to: to + span * MARGIN };
    const width = plotWidth.peek() * (1 + 2 * MARGIN);
    const { spec, search } = input.peek();
    const params = {
      view: spec,
      ...asked,
      width,
      tracks: wanted.map(({ track, isOpen }) => ({
        track: track.track,
        first_row: 0,
        rows: isOpen ? 200 : 0,
      })),
      search,
    };
    const key = JSON.stringify(params);
    if (key === wantedKey) return;
    wantedKey = key;
    last = performance.now();
    running?.abort();
    const abort = new AbortController();
    running = abort;
    engine.call('lanes', params, { signal: abort.signal }).then(
      (answer) => {
        if (abort.signal.aborted) return;
        const rows = new Map(knownRows.peek());
        params.tracks.forEach(({ track, rows: wantedRows }, index) => {
          if (wantedRows > 0) rows.set(track, answer.result.rows[index] ?? 0);
        });
        batch(() => {
          error.value = undefined;
          hovered.value = undefined;
          const asked_of = params.tracks.map(({ track }) => track);
          scene.value = { answer, window: asked, width, tracks: asked_of, search };
          const before = knownRows.peek();
          const changed = [...rows].some(([track, count]) => before.get(track) !== count);
          if (changed) knownRows.value = rows;
        });
      },
      (reason: unknown) => {
        if (abort.signal.aborted) return;
        wantedKey = '';
        error.value = asEngineError(reason);
      },
    );
  }
  const stopRequests = effect(() => {
    input.value.spec;
    input.value.search;
    window.value;
    inSight.value;
    plotWidth.value;
    request();
  });

  /** The pixel of a time. */
  const xOf = (time: number) => gutter.peek() + (time - window.peek().from) / unit.peek();
  const timeAt = (x: number) => window.peek().from + (x - gutter.peek()) * unit.peek();

  function placeOf(track: number): PlacedTrack | undefined {
    return places.peek().find((place) => place.track.track === track);
  }

  function hit(x: number, y: number): Pointed | undefined {
    const height = y - RULER + scroll.peek();
    const place = places
      .peek()
      .find(({ top, height: tall }) => height >= top && height < top + tall);
    if (y < RULER || place === undefined) return undefined;
    const isName = gutter.peek() === 0 && height - place.top < NAME_ROOM;
    if (x < gutter.peek() || isName) return { kind: 'name', track: place.track.track };
    const drawn = scene.peek();
    const of = drawn?.tracks.indexOf(place.track.track) ?? -1;
    if (drawn === undefined || of < 0) return undefined;
    const columns = drawn.answer.columns;
    const time = timeAt(x);
    const near = 3 * unit.peek();
    const inTrack = height - place.top;
    if (place.marks !== undefined && inTrack < place.chart) {
      let best: number | undefined;
      columns.mark_of.forEach((track, mark) => {
        if (track !== of) return;
        const away = Math.abs(columns.mark_time[mark]! - time);
        if (
          away <= near * 2 &&
          (best === undefined || away < Math.abs(columns.mark_time[best]! - time))
        )
          best = mark;
      });
      return best === undefined ? undefined : { kind: 'mark', mark: best };
    }
    if (!place.isOpen) return undefined;
    const row = Math.floor((inTrack - place.chart) / ROW);
    for (let bar = 0; bar < columns.bar_of.length; bar++) {
      if (columns.bar_of[bar] !== of || columns.bar_row[bar] !== row) continue;
      const [begin, end] = [columns.bar_begin[bar]!, columns.bar_end[bar]!];
      if (time >= begin && time < Math.max(end, begin + unit.peek())) return { kind: 'bar', bar };
    }
    return undefined;
  }

  function scrollTo(top: number): void {
    const most = Math.max(0, heightOf(places.peek()) - (size.peek().height - RULER));
    scroll.value = Math.min(most, Math.max(0, top));
  }

  function toggle(track: number): void {
    const { toggled } = input.peek().view;
    const next = toggled.includes(track)
      ? toggled.filter((one) => one !== track)
      : [...toggled, track];
    options.update({ toggled: next }, 'replace');
  }

  function select(span: number | undefined): void {
    options.update({ span }, 'replace');
  }
  const stopSelection = effect(() => {
    const span = selected.value.value;
    if (span !== undefined && !selected.value.pending) options.select(span.path);
  });

  /** Brings a stretch of a track into sight. */
  function show(track: number, row: number, begin: number, lasts: number): void {
    const { from, to } = window.peek();
    const isInside = begin >= from && begin + lasts <= to;
    if (!isInside || lasts / unit.peek() < 3) go(windowAround(begin, lasts, length.peek()), 'step');
    const place = placeOf(track);
    if (place === undefined) return;
    if (!place.isOpen) toggle(track);
    const top = place.top + place.chart + row * ROW;
    const room = size.peek().height - RULER;
    if (top < scroll.peek() || top + ROW > scroll.peek() + room) scrollTo(top - room / 3);
  }

  async function jump(back: boolean): Promise<void> {
    const { spec, search, view } = input.peek();
    if (search === '') return;
    try {
      const { result } = await engine.call('find_span', {
        view: spec,
        search,
        from: window.peek().from,
        span: view.span === undefined ? 0 : view.span + 1,
        back,
      });
      found.value = { at: result.at, count: result.count };
      if (result.span === 0) return;
      select(result.span - 1);
      show(result.track, result.row, result.begin, result.length);
    } catch (reason) {
      options.fail(reason);
    }
  }

  /** The bar of the selected span in the picture, if it is in it. */
  function selectedBar(): number | undefined {
    const span = input.peek().view.span;
    if (span === undefined) return undefined;
    const bar = scene.peek()?.answer.columns.bar_span.indexOf(span + 1) ?? -1;
    return bar < 0 ? undefined : bar;
  }

  /** Goes from bar to bar, as far as they are drawn. */
  function walk(where: 'left' | 'right' | 'up' | 'down'): void {
    const drawn = scene.peek();
    if (drawn === undefined) return;
    const columns = drawn.answer.columns;
    const { from, to } = window.peek();
    const at = selectedBar();
    const all = [...columns.bar_of.keys()].filter((bar) => columns.bar_span[bar]! > 0);
    if (at === undefined) {
      const first = all.find((bar) => columns.bar_end[bar]! > from && columns.bar_begin[bar]! < to);
      if (first !== undefined) select(columns.bar_span[first]! - 1);
      return;
    }
    const [track, row] = [columns.bar_of[at]!, columns.bar_row[at]!];
    const [begin, end] = [columns.bar_begin[at]!, columns.bar_end[at]!];
    const rowOf = (bar: number, wanted: number) =>
      columns.bar_of[bar] === track && columns.bar_row[bar] === wanted;
    const longest = (bars: readonly number[]) =>
      bars.reduce<number | undefined>((best, bar) => {
        const lasts = (one: number) => columns.bar_end[one]! - columns.bar_begin[one]!;
        return best === undefined || lasts(bar) > lasts(best) ? bar : best;
      }, undefined);
    const next = {
      left: () => all.findLast((bar) => rowOf(bar, row) && columns.bar_begin[bar]! < begin),
      right: () => all.find((bar) => rowOf(bar, row) && columns.bar_begin[bar]! > begin),
      up: () =>
        all.find(
          (bar) =>
            rowOf(bar, row - 1) && columns.bar_begin[bar]! <= begin && columns.bar_end[bar]! >= end,
        ),
      down: () =>
        longest(
          all.filter(
            (bar) =>
              rowOf(bar, row + 1) &&
              columns.bar_begin[bar]! >= begin &&
              columns.bar_end[bar]! <= end,
          ),
        ),
    }[where]();
    if (next === undefined) return;
    select(columns.bar_span[next]! - 1);
    const [first, lasts] = [
      columns.bar_begin[next]!,
      columns.bar_end[next]! - columns.bar_begin[next]!,
    ];
    show(drawn.tracks[track]!, columns.bar_row[next]!, first, lasts);
  }

  return {
    size,
    scroll: scroll as ReadonlySignal<number>,
    window: window as ReadonlySignal<Window>,
    length,
    gutter,
    plotWidth,
    unit,
    tracks,
    places,
    inSight,
    scene: scene as ReadonlySignal<TimelineScene | undefined>,
    error: error as ReadonlySignal<EngineError | undefined>,
    selected: selected as ReadonlySignal<{ value: SpanResult | undefined }>,
    found: found as ReadonlySignal<{ at: number; count: number } | undefined>,
    hovered,
    dragged,
    input,
    xOf,
    timeAt,
    placeOf,
    hit,
    scrollTo,
    toggle,
    select,
    walk,
    jump,
    zoomBy(factor: number, anchor: number, how: 'step' | 'follow') {
      const from = how === 'step' ? motion.goal() : window.peek();
      go(zoomWindow(from, factor, anchor, length.peek()), how);
    },
    panBy(share: number, how: 'step' | 'follow') {
      const from = how === 'step' ? motion.goal() : window.peek();
      go(panWindow(from, share, length.peek()), how);
    },
    look(at: Window, how: 'step' | 'follow' = 'step') {
      go(clampWindow(at, length.peek()), how);
    },
    /** Zooms to a stretch. */
    zoomTo(begin: number, lasts: number) {
      go(windowAround(begin, lasts, length.peek()), 'step', 'push');
    },
    whole() {
      go({ from: 0, to: length.peek() }, 'step', 'push');
    },
    /** Makes a stretch the range that everything else shows. */
    choose(at: Window) {
      options.choose(at, unit.peek());
    },
    dispose() {
      clearTimeout(timer);
      clearTimeout(settled);
      running?.abort();
      motion.stop();
      stopRequests();
      stopWindow();
      stopSelection();
      stopTracks();
      stopSelected();
    },
  };
}

/** What is told of all tracks. */
export type { TracksResult };
