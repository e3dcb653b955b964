import {
  type Answer,
  type Engine,
  EngineError,
  isCancelled,
  type Method,
  type Params,
} from '@hotframe/engine';
import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { keepStopped } from './stopped.ts';

/** An answer that may still be under way; the previous value stays until the next one is there. */
export interface Loaded<T> {
  readonly value: T | undefined;
  readonly error: EngineError | undefined;
  readonly pending: boolean;
}

export interface Resource<T> {
  readonly state: ReadonlySignal<Loaded<T>>;
  readonly dispose: () => void;
}

/**
 * What `load` answers for the current input. A new input cancels the load of the one before;
 * an undefined input has no value.
 */
export function resource<I, T>(
  input: ReadonlySignal<I | undefined>,
  load: (input: I, signal: AbortSignal) => Promise<T>,
): Resource<T> {
  const state = signal<Loaded<T>>({ value: undefined, error: undefined, pending: false });
  const attempt = signal(0);
  let forget = () => {};
  const stop = effect(() => {
    attempt.value;
    forget();
    const current = input.value;
    if (current === undefined) {
      state.value = { value: undefined, error: undefined, pending: false };
      return undefined;
    }
    const controller = new AbortController();
    state.value = { ...state.peek(), pending: true };
    load(current, controller.signal).then(
      (value) => {
        if (!controller.signal.aborted) state.value = { value, error: undefined, pending: false };
      },
      (error: unknown) => {
        if (controller.signal.aborted || isCancelled(error)) return;
        if (isStopped(error)) forget = keepStopped(() => attempt.value++);
        state.value = { value: undefined, error: asEngineError(error), pending: false };
      },
    );
    return () => controller.abort();
  });
  return {
    state,
    dispose() {
      forget();
      stop();
    },
  };
}

/** What a method answers for the current parameters. */
export function answers<M extends Method>(
  engine: Engine,
  method: M,
  params: ReadonlySignal<Params<M> | undefined>,
): Resource<Answer<M>> {
  return resource(params, (current, signal) => engine.call(method, current, { signal }));
}

/** The same where it answers no columns. */
export function results<M extends Method>(
  engine: Engine,
  method: M,
  params: ReadonlySignal<Params<M> | undefined>,
): Resource<Answer<M>['result']> {
  return resource(params, (current, signal) =>
    engine.call(method, current, { signal }).then(({ result }) => result),
  );
}

/** Whether somebody did not want to wait for an answer. */
export function isStopped(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'stopped';
}

/** Any thrown value as an error that can be shown. */
export function asEngineError(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new EngineError({ code: 'bad_request', message, hint: '' });
}

/**
 * Like `resource`, but a load under way is not cancelled: while an input is dragged, answers keep
 * coming. One load at a time; what came in the meantime is loaded next, and only the newest of it.
 */
export function steadyResource<I, T>(
  input: ReadonlySignal<I | undefined>,
  load: (input: I) => Promise<T>,
): Resource<T> {
  const state = signal<Loaded<T>>({ value: undefined, error: undefined, pending: false });
  let loading = false;
  let next: I | undefined;
  function settle(result: Loaded<T>): void {
    loading = false;
    const wanted = next;
    next = undefined;
    if (input.peek() === undefined) return;
    state.value = wanted === undefined ? result : { ...result, pending: true };
    if (wanted !== undefined) begin(wanted);
  }
  let forget = () => {};
  function begin(wanted: I): void {
    loading = true;
    forget();
    load(wanted).then(
      (value) => settle({ value, error: undefined, pending: false }),
      (error: unknown) => {
        if (isStopped(error)) {
          forget = keepStopped(() => {
            state.value = { ...state.peek(), pending: true };
            begin(wanted);
          });
        }
        settle({ value: undefined, error: asEngineError(error), pending: false });
      },
    );
  }
  const stop = effect(() => {
    const current = input.value;
    if (current === undefined) {
      next = undefined;
      state.value = { value: undefined, error: undefined, pending: false };
    } else if (loading) {
      next = current;
    } else {
      state.value = { ...state.peek(), pending: true };
      begin(current);
    }
  });
  return {
    state,
    dispose() {
      forget();
      stop();
    },
  };
}
