import type { Engine, Filter, FilterKind, ViewSpec } from '@hotframe/engine';
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { stateOf } from '../../state/address-part.ts';
import { distinct } from '../../state/distinct.ts';
import type { ViewHistory } from '../../state/history.ts';
import { answers, results } from '../../state/resource.ts';
import { timeRanges, withRange } from '../timeline/times.ts';
import { gridOf, rectangleOf, rectanglePattern, ROWS, standardColumn } from './grid.ts';
import {
  type Cell,
  type Corners,
  dragTo,
  type Held,
  letGo,
  NOTHING,
  press,
  release,
  walk,
} from './held.ts';
import { HEAT_PART } from './state.ts';

/** Filters of which each side of a comparison may have its own. */
const SIDE_KINDS: ReadonlySet<FilterKind> = new Set<FilterKind>([
  'label_focus',
  'label_ignore',
  'time',
  'during',
  'around',
]);

/** Everything about a heat map that is not drawn. */
export function createHeatController(options: {
  readonly engine: Engine;
  readonly spec: ReadonlySignal<ViewSpec>;
  readonly history: ViewHistory;
  /** Compares what is left by some filters with what is left by others. */
  compare(base: readonly Filter[], now: readonly Filter[]): void;
  /** Says why nothing can be compared. */
  refuse(why: string): void;
}) {
  const { engine, spec } = options;
  const { view, update } = options.history;
  const held = signal<Held>(NOTHING);
  const hovered = signal<Cell | undefined>(undefined);

  const document = distinct(() => ({ document: spec.value.document }));
  const { state: tracks, dispose: stopTracks } = results(engine, 'tracks', document);
  const recording = computed(() => tracks.value.value ?? { origin: 0, length: 1 });
  const grid = computed(() => {
    if (tracks.value.value === undefined) return undefined;
    const length = Math.max(1, recording.value.length);
    const { column } = stateOf(view.value, HEAT_PART);
    return gridOf(recording.value.origin, length, column ?? standardColumn(length));
  });
  const input = distinct(() => {
    const known = grid.value;
    if (known === undefined) return undefined;
    const { search } = view.value;
    // The range that is chosen here does not take away what it is chosen from.
    const filters = spec.value.filters.filter(({ kind }) => kind !== 'time');
    const found: readonly Filter[] = search === '' ? [] : [{ kind: 'search', pattern: search }];
    const searched = { ...spec.value, filters: [...filters, ...found] };
    return { view: searched, from: known.begin, cell: known.cell, cells: known.columns * ROWS };
  });
  const { state: heat, dispose: stopHeat } = answers(engine, 'heat', input);
  const values = computed(() => {
    const known = heat.value.value?.columns.value;
    // A new grid's cells are not older grid's.
    return grid.value && known?.length === grid.value.columns * ROWS ? known : undefined;
  });
  const summary = computed(() => {
    let [most, sum] = [0, 0];
    for (const value of heat.value.value?.columns.value ?? []) {
      most = Math.max(most, value);
      sum += value;
    }
    return { most, sum };
  });
  const isRange = computed(() => view.value.filters.some(({ kind }) => kind === 'time'));

  const patternOf = ({ from, to }: Corners) => {
    const known = grid.peek();
    return known && rectanglePattern(recording.peek().origin, known, rectangleOf(from, to));
  };

  /** Keeps the time of some cells; all of it where there are none. */
  function choose(corners: Corners | undefined): void {
    if (grid.peek() === undefined) return;
    const filters = withRange(view.peek().filters, corners && patternOf(corners));
    update({ filters }, 'push');
  }

  return {
    tracks,
    /** Where the recording begins and how long it is, in nanoseconds. */
    recording,
    grid,
    heat,
    /** By cell; undefined until they are those of the grid. */
    values,
    /** The largest value, and all together. */
    summary,
    /** Whether a range is kept that others may be compared with. */
    isRange,
    /** The stretches of the range that is kept. */
    ranges: computed(() => {
      const { origin, length } = recording.value;
      return timeRanges(view.value.filters, origin, length);
    }),
    held: held as ReadonlySignal<Held>,
    /** The cells whose values are shown. */
    pointed: computed((): Corners | undefined => {
      const { pressed, walked } = held.value;
      const at = hovered.value;
      return pressed ?? walked ?? (at && { from: at, to: at });
    }),
    press(cell: Cell) {
      held.value = press(held.peek(), cell);
    },
    /** The pointer is over a cell, or nowhere. */
    moveTo(cell: Cell | undefined) {
      hovered.value = cell;
      if (cell !== undefined) held.value = dragTo(held.peek(), cell);
    },
    leave() {
      hovered.value = undefined;
    },
    release(isSecond: boolean) {
      const next = release(held.peek(), isSecond && isRange.peek());
      held.value = next.held;
      if (next.chosen !== undefined) choose(next.chosen);
    },
    cancel() {
      held.value = { ...held.peek(), pressed: undefined };
    },
    walk(by: Cell, extend: boolean) {
      const known = grid.peek();
      if (known !== undefined) held.value = walk(held.peek(), known, by, extend);
    },
    chooseWalked() {
      const { walked } = held.peek();
      if (walked !== undefined) choose(walked);
    },
    chooseAll: () => choose(undefined),
    escape() {
      const next = letGo(held.peek());
      if (next === undefined) choose(undefined);
      else held.value = next;
    },
    /** Compares what cells have with the range that is kept. */
    compare() {
      const { second, walked } = held.peek();
      const corners = second ?? walked;
      const pattern = corners && patternOf(corners);
      if (pattern === undefined) return;
      const base = view.peek().filters.filter(({ kind }) => SIDE_KINDS.has(kind));
      if (!isRange.peek()) options.refuse('Keep a range first: the other is compared with it.');
      else options.compare(base, withRange(base, pattern));
    },
    dispose() {
      stopTracks();
      stopHeat();
    },
  };
}
