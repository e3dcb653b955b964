import { type Signal, signal } from '@preact/signals';
import type { ComponentType, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { useApp } from '../state/services.ts';

/** A part of the page whose script is loaded when it is first needed. */
export interface Part<T> {
  /** What was loaded; undefined until then. */
  readonly value: Signal<T | undefined>;
  /** Loads it once; again where that failed. */
  load(): Promise<void>;
}

const parts: Part<unknown>[] = [];

/** A part of the page, which is not loaded yet. */
export function part<T>(from: () => Promise<T>): Part<T> {
  const value = signal<T | undefined>(undefined);
  let loading: Promise<void> | undefined;
  const made: Part<T> = {
    value,
    load() {
      loading ??= from().then(
        (found) => {
          value.value = found;
        },
        (error: unknown) => {
          loading = undefined;
          throw error;
        },
      );
      return loading;
    },
  };
  parts.push(made as Part<unknown>);
  return made;
}

/** Loads all parts, for tests that look at the page at once. */
export async function loadAllParts(): Promise<void> {
  await Promise.all(parts.map((one) => one.load()));
}

/** A component whose script is loaded when it is first shown; nothing is there until then. */
export function lazy<Props extends object>(
  from: () => Promise<ComponentType<Props>>,
): (props: Props) => JSX.Element | null {
  const loaded = part(from);
  return function Lazy(props: Props) {
    const app = useApp();
    useEffect(() => void loaded.load().catch(app.notices.fail), []);
    const Shown = loaded.value.value;
    return Shown === undefined ? null : <Shown {...props} />;
  };
}
