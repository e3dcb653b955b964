import { computed, type ReadonlySignal, signal } from '@preact/signals';

/** What somebody stopped and may ask for again: each asks for one answer. */
const stopped = signal<ReadonlySet<() => void>>(new Set());

/** Whether something was stopped that is not asked for since. */
export const anyStopped: ReadonlySignal<boolean> = computed(() => stopped.value.size > 0);

/** Keeps how to ask again for an answer that was stopped; gives what forgets it. */
export function keepStopped(ask: () => void): () => void {
  stopped.value = new Set([...stopped.peek(), ask]);
  return () => {
    if (!stopped.peek().has(ask)) return;
    stopped.value = new Set([...stopped.peek()].filter((other) => other !== ask));
  };
}

/** Asks again for all that was stopped. */
export function askAgain(): void {
  const asks = stopped.peek();
  stopped.value = new Set();
  for (const ask of asks) ask();
}
