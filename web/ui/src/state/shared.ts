import type { Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** Has something in a signal while a component is on screen; `make` gives undefined for nothing. */
export function useShared<T>(
  shared: Signal<T | undefined>,
  make: () => T | undefined,
  inputs?: readonly unknown[],
): void {
  useEffect(() => {
    const made = make();
    if (made === undefined) return undefined;
    shared.value = made;
    return () => {
      shared.value = undefined;
    };
  }, inputs);
}
