import { type ReadonlySignal, useSignal } from '@preact/signals';

/** A property as a signal, for what a component makes once and what depends on the property. */
export function useFollowed<T>(value: T): ReadonlySignal<T> {
  const followed = useSignal(value);
  if (followed.peek() !== value) followed.value = value;
  return followed;
}
