import type { ReadonlySignal } from '@preact/signals';
import { distinct } from './distinct.ts';

/**
 * What `make` gives, and what it gave last while it gives nothing: a view stays on screen for a turn
 * after what it shows is gone. Changes only when its JSON does.
 */
export function kept<T>(make: () => T | undefined): ReadonlySignal<T> {
  let last: T | undefined;
  return distinct(() => (last = make() ?? last)!);
}
