import { computed, type ReadonlySignal } from '@preact/signals';

/**
 * A computed value that stays the same object as long as it says the same, so that what depends on it
 * is not worked out again. It is made of what JSON has.
 */
export function distinct<T>(make: () => T): ReadonlySignal<T> {
  let last: { readonly text: string | undefined; readonly value: T } | undefined;
  return computed(() => {
    const value = make();
    const text = JSON.stringify(value) as string | undefined;
    if (last === undefined || last.text !== text) last = { text, value };
    return last.value;
  });
}
