import { type CallOptions, type Engine, isCancelled } from '@hotframe/engine';
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { ViewState } from './view-state.ts';

/** What of the address makes another document of the one that was opened. */
export type Variant = Pick<ViewState, 'members' | 'align'>;

/** As it was opened. */
export const AS_OPENED: Variant = { members: undefined, align: undefined };

/** Documents with other members, or on another axis of time, than they came with. */
export interface Variants {
  /** The document to show; undefined while it is being made. */
  readonly shown: ReadonlySignal<number | undefined>;
}

/** Asks the engine for the document that the address means by a document, its members and its axis. */
export function createVariants(
  engine: Engine,
  wanted: {
    readonly document: ReadonlySignal<number | undefined>;
    readonly view: ReadonlySignal<Variant>;
    /** Counts connections: another engine numbers documents anew. */
    readonly epoch: ReadonlySignal<number>;
  },
  failed: (error: unknown) => void,
): Variants {
  const known = signal<ReadonlyMap<string, number>>(new Map());
  const members = computed(() => wanted.view.value.members);
  const align = computed(() => wanted.view.value.align);
  const isOpened = computed(() => members.value === undefined && align.value === undefined);
  const key = computed(() =>
    JSON.stringify([wanted.epoch.value, wanted.document.value, align.value, members.value]),
  );
  effect(() => {
    const document = wanted.document.value;
    const asked = key.value;
    const variant = { align: align.value, members: members.value };
    if (document === undefined || isOpened.value || wanted.epoch.value === 0) return undefined;
    if (known.peek().has(asked)) return undefined;
    const controller = new AbortController();
    made(engine, document, variant, { signal: controller.signal }).then(
      (shown) => {
        known.value = new Map(known.peek()).set(asked, shown);
      },
      (error: unknown) => {
        if (!isCancelled(error)) failed(error);
      },
    );
    return () => controller.abort();
  });
  return {
    shown: computed(() => (isOpened.value ? wanted.document.value : known.value.get(key.value))),
  };
}

async function made(
  engine: Engine,
  document: number,
  { align, members }: Variant,
  options: CallOptions,
): Promise<number> {
  let shown = document;
  if (align !== undefined) {
    const { result } = await engine.call('align', { document: shown, by: align }, options);
    shown = result.document;
  }
  if (members !== undefined) {
    const { result } = await engine.call(
      'split_members',
      { document: shown, by: members },
      options,
    );
    shown = result.document;
  }
  return shown;
}
