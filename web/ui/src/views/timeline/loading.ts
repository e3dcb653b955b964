import type { Answer, Engine, EngineError, LanesWanted, ViewSpec } from '@hotframe/engine';
import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { asEngineError } from '../../state/resource.ts';
import type { PlacedTrack } from './places.ts';
import { MOST_ROWS } from './places.ts';
import type { Sight } from './sight.ts';
import type { Window } from './times.ts';

/** The answers that are drawn, as one, and what they were asked for. */
export interface TimelineScene {
  readonly answer: Answer<'lanes'>;
  /** By entry of how busy tracks are, and by entry of values: when its view unit begins. */
  readonly busyAt: Float64Array;
  readonly valueAt: Float64Array;
  /** Nanoseconds of a view unit. */
  readonly unit: number;
  readonly tracks: readonly number[];
  readonly search: string;
}

/** More than is in sight is asked for, so that small moves need no answer. */
const MARGIN = 0.5;
const REQUEST_GAP_MS = 40;

/** Asks for what is in sight whenever that changes. */
export function createLanes(options: {
  readonly engine: Engine;
  readonly input: ReadonlySignal<{ readonly spec: ViewSpec; readonly search: string }>;
  readonly sight: Sight;
  readonly width: ReadonlySignal<number>;
  readonly inSight: ReadonlySignal<readonly PlacedTrack[]>;
  /** A scene is there, with the numbers of rows of the asked tracks. */
  arrived(scene: TimelineScene, rows: ReadonlyMap<number, number>): void;
}) {
  const { engine, input, sight, width, inSight } = options;
  const error = signal<EngineError | undefined>(undefined);
  let last = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: AbortController | undefined;
  let wantedKey = '';

  function request(): void {
    const { from, to } = sight.window.peek();
    const wanted = inSight.peek().filter(({ isHeading }) => !isHeading);
    if (width.peek() <= 1 || wanted.length === 0) return;
    const wait = last + REQUEST_GAP_MS - performance.now();
    clearTimeout(timer);
    if (wait > 0) {
      timer = setTimeout(request, wait);
      return;
    }
    const margin = (to - from) * MARGIN;
    const axis = sight.axis.peek();
    const parts = axis.parts({
      from: Math.max(0, from - margin),
      to: Math.min(axis.length, to + margin),
    });
    const unit = sight.unit.peek();
    const { spec, search } = input.peek();
    const tracks = wanted.map(({ track, isOpen, sum }) => ({
      track: track.track,
      first_row: 0,
      rows: isOpen ? MOST_ROWS : 0,
      group: sum !== undefined,
    }));
    const key = JSON.stringify({ spec, search, tracks, parts, unit });
    if (key === wantedKey) return;
    wantedKey = key;
    last = performance.now();
    running?.abort();
    const abort = new AbortController();
    running = abort;
    const ask = (part: Window) =>
      engine.call(
        'lanes',
        { view: spec, ...widened(part, unit), tracks, search },
        { signal: abort.signal },
      );
    Promise.all(parts.map(ask)).then(
      (answers) => {
        if (abort.signal.aborted) return;
        error.value = undefined;
        const scene = together(answers, parts, unit, tracks, search);
        const rows = new Map(
          tracks.flatMap(({ track, rows: asked }, index) =>
            asked > 0 ? [[track, scene.answer.result.rows[index] ?? 0]] : [],
          ),
        );
        options.arrived(scene, rows);
      },
      (reason: unknown) => {
        if (abort.signal.aborted) return;
        abort.abort();
        wantedKey = '';
        error.value = asEngineError(reason);
      },
    );
  }
  const stop = effect(() => {
    input.value.spec;
    input.value.search;
    sight.window.value;
    sight.axis.value;
    inSight.value;
    width.value;
    request();
  });
  return {
    error: error as ReadonlySignal<EngineError | undefined>,
    dispose() {
      clearTimeout(timer);
      running?.abort();
      stop();
    },
  };
}

/** A part of whole view units. */
function widened({ from, to }: Window, unit: number) {
  const width = Math.max(1, Math.ceil((to - from) / unit));
  return { from, to: from + width * unit, width };
}

/** Answers of several parts of time as one. */
function together(
  answers: readonly Answer<'lanes'>[],
  parts: readonly Window[],
  unit: number,
  tracks: readonly LanesWanted[],
  search: string,
): TimelineScene {
  const begins = (column: 'busy_unit' | 'value_unit') =>
    Float64Array.from(
      answers.flatMap(({ columns }, part) =>
        Array.from(columns[column], (at) => parts[part]!.from + at * unit),
      ),
    );
  const scene = {
    busyAt: begins('busy_unit'),
    valueAt: begins('value_unit'),
    unit,
    tracks: tracks.map(({ track }) => track),
    search,
  };
  const [first, ...others] = answers;
  if (first === undefined) return { ...scene, answer: nothing(tracks.length) };
  if (others.length === 0) return { ...scene, answer: first };
  const names: string[] = [];
  const columns: Record<string, Uint32Array | Float64Array> = {};
  const starts = answers.map(({ result }) => {
    const start = names.length;
    names.push(...result.names);
    return start;
  });
  for (const name of Object.keys(first.columns) as (keyof typeof first.columns)[]) {
    const isName = name.endsWith('_name');
    const all = answers.flatMap((answer, part) =>
      Array.from(answer.columns[name], (value) => value + (isName ? starts[part]! : 0)),
    );
    const Kind = first.columns[name].constructor as typeof Float64Array;
    columns[name] = Kind.from(all);
  }
  const rows = tracks.map((_, index) =>
    answers.reduce((most, { result }) => Math.max(most, result.rows[index] ?? 0), 0),
  );
  const is_cut = answers.some(({ result }) => result.is_cut);
  return { ...scene, answer: { result: { names, rows, is_cut }, columns: columns as never } };
}

function nothing(tracks: number): Answer<'lanes'> {
  const columns = new Proxy({}, { get: () => new Float64Array(0) }) as never;
  const result = { names: [], rows: Array.from({ length: tracks }, () => 0), is_cut: false };
  return { result, columns };
}
