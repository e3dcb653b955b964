import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { asEngineError, type Loaded } from '../resource.ts';
import { isCancelled } from '@hotframe/engine';

/** An answer that is asked for again and again. */
export interface Polled<T> {
  readonly state: ReadonlySignal<Loaded<T>>;
  /** Asks now, for something was done that changes it. */
  again(): void;
  dispose(): void;
}

/** When it is asked again. */
export interface Pace<T> {
  /** Counts connections. */
  readonly epoch: ReadonlySignal<number>;
  readonly page: Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>;
  /** Whether an answer is not the last one. */
  goesOn(answer: T): boolean;
  readonly delayMs: number;
}

/** After something went wrong it is asked less often. */
const PATIENCE = 5;

/**
 * What `load` answers for the current input, asked once more after each answer that goes on, as long
 * as somebody looks. What was answered stays while the connection is lost, and for the next answer.
 */
export function poll<I, T>(
  input: ReadonlySignal<I | undefined>,
  load: (input: I, abort: AbortSignal) => Promise<T>,
  { epoch, page, goesOn, delayMs }: Pace<T>,
): Polled<T> {
  const state = signal<Loaded<T>>({ value: undefined, error: undefined, pending: false });
  const asked = signal(0);
  let last: I | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isHidden = () => page.visibilityState === 'hidden';
  /** Whether something was due while nobody looked. */
  let isDue = false;

  const stop = effect(() => {
    asked.value;
    const current = input.value;
    if (current !== last) state.value = { value: undefined, error: undefined, pending: false };
    last = current;
    clearTimeout(timer);
    if (current === undefined || epoch.value === 0) return undefined;
    if (isHidden()) {
      isDue = true;
      return undefined;
    }
    isDue = false;
    const controller = new AbortController();
    state.value = { ...state.peek(), pending: true };
    const next = (ms: number) => {
      timer = setTimeout(() => asked.value++, ms);
    };
    load(current, controller.signal).then(
      (value) => {
        if (controller.signal.aborted) return;
        state.value = { value, error: undefined, pending: false };
        if (goesOn(value)) next(delayMs);
      },
      (reason: unknown) => {
        const error = asEngineError(reason);
        if (controller.signal.aborted || isCancelled(reason)) return;
        // The next connection asks by itself.
        const isLost = error.code === 'disconnected';
        const { value } = state.peek();
        state.value = { value, error: isLost ? undefined : error, pending: false };
        if (!isLost) next(PATIENCE * delayMs);
      },
    );
    return () => controller.abort();
  });

  const seen = () => {
    if (!isHidden() && isDue) asked.value++;
  };
  page.addEventListener('visibilitychange', seen);
  return {
    state,
    again: () => asked.value++,
    dispose() {
      page.removeEventListener('visibilitychange', seen);
      clearTimeout(timer);
      stop();
    },
  };
}
