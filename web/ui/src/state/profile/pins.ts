import type { ViewSpec } from '@hotframe/engine';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { samePath, specKey } from '../nodes.ts';

/** A node whose values over members are kept in sight. */
export interface Pin {
  readonly label: string;
  readonly spec: ViewSpec;
  readonly path: readonly number[];
}

/** Which distributions are in sight. */
export interface Pins {
  /** Whether that of the selected frame stands at the frame. */
  readonly atFrame: Signal<boolean>;
  /** Whether all metrics are told, or the shown one alone. */
  readonly allMetrics: Signal<boolean>;
  /** Those that were pinned, side by side. */
  readonly pinned: ReadonlySignal<readonly Pin[]>;
  /** Pins a node, or takes it away if it is pinned. */
  togglePin(pin: Pin): void;
  isPinned(pin: Pin): boolean;
  clearPins(): void;
}

/** More have no room side by side. */
const MOST_PINS = 12;

export function createPins(): Pins {
  const pinned = signal<readonly Pin[]>([]);
  const isPinned = (pin: Pin) => pinned.value.some((other) => isSame(pin, other));
  return {
    atFrame: signal(false),
    allMetrics: signal(false),
    pinned,
    isPinned,
    togglePin(pin) {
      const others = pinned.peek().filter((other) => !isSame(pin, other));
      const isNew = others.length === pinned.peek().length;
      // The oldest makes room.
      pinned.value = isNew ? [...others.slice(1 - MOST_PINS), pin] : others;
    },
    clearPins() {
      pinned.value = [];
    },
  };
}

function isSame(a: Pin, b: Pin): boolean {
  return samePath(a.path, b.path) && specKey(a.spec) === specKey(b.spec);
}
