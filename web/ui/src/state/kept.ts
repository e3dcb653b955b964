import { computed, type ReadonlySignal } from '@preact/signals';

/**
 * What `make` gives, and what it gave last while it gives nothing: a view stays on screen for a turn
 * after what it shows is gone. Changes only when its JSON does.
 */
export function kept<T>(make: () => T | undefined): ReadonlySignal<T> {
  let last = 'null';
  const text = computed(() => {
    const now = make();
    if (now !== undefined) last = JSON.stringify(now);
    return last;
  });
  return computed(() => JSON.parse(text.value) as T);
}
