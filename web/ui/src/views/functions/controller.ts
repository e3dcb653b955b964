import type {
  ChangeDirection,
  Engine,
  EngineError,
  FunctionInfo,
  FunctionsParams,
  Sort,
  ViewSpec,
} from '@hotframe/engine';
import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { distinct } from '../../state/distinct.ts';
import { resource } from '../../state/resource.ts';
import { type RowWindow } from '../table/rows.ts';

export interface FunctionsInput {
  readonly spec: ViewSpec;
  readonly metrics: readonly number[];
  readonly sort: Sort;
  readonly filter: string;
  readonly direction: ChangeDirection | undefined;
}

/** A part of the list of functions, as the engine answered. */
export interface FunctionsPart {
  readonly totalRows: number;
  readonly first: number;
  readonly estimated: boolean;
  readonly rows: readonly FunctionInfo[];
  /** Of a row of the part in a metric. */
  value(row: number, kind: 'self' | 'total', metric: number): bigint;
  /** Total of the program in a metric. */
  whole(metric: number): bigint;
}

export interface FunctionsController {
  readonly part: ReadonlySignal<FunctionsPart | undefined>;
  readonly error: ReadonlySignal<EngineError | undefined>;
  readonly window: Signal<RowWindow>;
  readonly wanted: Signal<number | undefined>;
  /** The row that keys go on from. */
  readonly cursor: ReadonlySignal<number>;
  row(index: number): FunctionInfo | undefined;
  moveTo(index: number): void;
  /** What a request for the whole list says. */
  request(): FunctionsParams;
  dispose(): void;
}

/** What the engine is asked for a part of the list. */
function request(input: FunctionsInput, { first, count }: RowWindow): FunctionsParams {
  const { spec, metrics, sort, filter, direction } = input;
  return {
    view: spec,
    metrics: [...metrics],
    sort,
    filter,
    direction: direction ?? null,
    first,
    count,
  };
}

export function createFunctionsController(options: {
  readonly engine: Engine;
  readonly input: ReadonlySignal<FunctionsInput>;
  onPick(key: number): void;
}): FunctionsController {
  const { engine, input } = options;
  const window = signal<RowWindow>({ first: 0, count: 60 });
  const wanted = signal<number | undefined>(undefined);
  const cursor = signal(0);
  /** A row to go to once it is there. */
  let pending: number | undefined;
  const asked = computed(() => ({ input: input.value, window: window.value }));
  const { state, dispose } = resource(asked, async (question, abort): Promise<FunctionsPart> => {
    const { result, columns } = await engine.call(
      'functions',
      request(question.input, question.window),
      { signal: abort },
    );
    const { metrics } = question.input;
    const placeOf = new Map(metrics.map((metric, place) => [metric, place]));
    return {
      totalRows: result.total_rows,
      first: question.window.first,
      estimated: result.estimated,
      rows: result.rows,
      value(row, kind, metric) {
        const values = kind === 'self' ? columns.self_value : columns.total_value;
        return values[row * metrics.length + (placeOf.get(metric) ?? 0)] ?? 0n;
      },
      whole: (metric) => columns.scale[placeOf.get(metric) ?? 0] ?? 0n,
    };
  });
  const part = computed(() => state.value.value);

  function row(index: number): FunctionInfo | undefined {
    const current = part.peek();
    return current?.rows[index - current.first];
  }

  function moveTo(index: number): void {
    const total = part.peek()?.totalRows ?? 0;
    if (total === 0) return;
    const next = Math.min(Math.max(0, index), total - 1);
    cursor.value = next;
    wanted.value = next;
    const info = row(next);
    pending = info === undefined ? next : undefined;
    if (info !== undefined) options.onPick(info.key);
  }

  // Another list begins at its top; a row that was gone to and was not there yet is picked.
  const list = distinct(() => {
    const { spec, sort, filter, direction } = input.value;
    return { spec, sort, filter, direction };
  });
  let listed = list.peek();
  const stops = [
    effect(() => {
      if (list.value === listed) return;
      listed = list.value;
      cursor.value = 0;
      wanted.value = 0;
    }),
    effect(() => {
      const current = part.value;
      const info = pending === undefined ? undefined : current?.rows[pending - current.first];
      if (info === undefined) return;
      pending = undefined;
      options.onPick(info.key);
    }),
  ];
  return {
    part,
    error: computed(() => state.value.error),
    window,
    wanted,
    cursor,
    row,
    moveTo,
    request: () => request(input.peek(), { first: 0, count: 0 }),
    dispose() {
      dispose();
      for (const stop of stops) stop();
    },
  };
}
