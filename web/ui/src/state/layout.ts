import { effect, type Signal, signal } from '@preact/signals';
import type { Store } from './host.ts';

/** How people arranged the page: sizes of its parts by name, 0 for what they closed. */
export interface Layout {
  sizeOf(name: string): number | undefined;
  /** Undefined for what it is at first. */
  setSize(name: string, size: number | undefined): void;
}

/** How a part of the page is sized. */
export interface Sized {
  /** What the layout knows it by. */
  readonly name: string;
  /** In CSS pixels, or as a share of what it is in. */
  readonly standard: number;
  readonly least: number;
  readonly most: number;
}

const STORAGE_KEY = 'hotframe.layout';
/** No part is larger; what says otherwise was not written by the page. */
const MOST = 10_000;

/** The arrangement that was remembered, and remembers each change. */
export function createLayout(store: Store): Layout {
  const sizes: Signal<Readonly<Record<string, number>>> = signal(parse(store.getItem(STORAGE_KEY)));
  effect(() => store.setItem(STORAGE_KEY, JSON.stringify(sizes.value)));
  return {
    sizeOf: (name) => (Object.hasOwn(sizes.value, name) ? sizes.value[name] : undefined),
    setSize(name, size) {
      const { [name]: _, ...others } = sizes.peek();
      sizes.value = size === undefined ? others : { ...others, [name]: size };
    },
  };
}

/** What was remembered; what is not a size is left out. */
function parse(text: string | null): Readonly<Record<string, number>> {
  let known: unknown;
  try {
    known = JSON.parse(text ?? '{}');
  } catch {
    return {};
  }
  if (typeof known !== 'object' || known === null) return {};
  const isSize = (size: unknown) => typeof size === 'number' && size >= 0 && size <= MOST;
  return Object.fromEntries(Object.entries(known).filter(([, size]) => isSize(size)));
}
