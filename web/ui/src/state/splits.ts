import { type Engine, isCancelled } from '@hotframe/engine';
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { ViewState } from './view-state.ts';

/** Documents with other members than they came with. */
export interface Splits {
  /** The document to show; undefined while it is being made. */
  readonly shown: ReadonlySignal<number | undefined>;
}

/** Asks the engine for the document that the address means by a document and its members. */
export function createSplits(
  engine: Engine,
  wanted: {
    readonly document: ReadonlySignal<number | undefined>;
    readonly view: ReadonlySignal<Pick<ViewState, 'members'>>;
    /** Counts connections: another engine numbers documents anew. */
    readonly epoch: ReadonlySignal<number>;
  },
  failed: (error: unknown) => void,
): Splits {
  const known = signal<ReadonlyMap<string, number>>(new Map());
  const by = computed(() => wanted.view.value.members);
  const key = computed(() => `${wanted.epoch.value} ${wanted.document.value} ${by.value}`);
  effect(() => {
    const document = wanted.document.value;
    const members = by.value;
    const asked = key.value;
    if (document === undefined || members === undefined || wanted.epoch.value === 0)
      return undefined;
    if (known.peek().has(asked)) return undefined;
    const controller = new AbortController();
    const options = { signal: controller.signal };
    engine.call('split_members', { document, by: members }, options).then(
      ({ result }) => {
        known.value = new Map(known.peek()).set(asked, result.document);
      },
      (error: unknown) => {
        if (!isCancelled(error)) failed(error);
      },
    );
    return () => controller.abort();
  });
  return {
    shown: computed(() =>
      by.value === undefined ? wanted.document.value : known.value.get(key.value),
    ),
  };
}
