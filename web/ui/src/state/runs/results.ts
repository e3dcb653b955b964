import type { Engine, RunStatusResult } from '@hotframe/engine';
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Documents } from '../documents.ts';
import type { Loaded } from '../resource.ts';

/** A result that was opened, and which one it was. */
interface Opened {
  readonly run: string;
  readonly document: number;
  readonly version: number;
}

/** What experiments gave, as documents. */
export interface Results {
  /** The experiment whose result is looked at and may grow. */
  readonly watched: ReadonlySignal<string | undefined>;
  /** The same, where there is more of it by now. */
  readonly newer: ReadonlySignal<string | undefined>;
  /** Opens what there is by now; what was opened before is closed. */
  open(run: string): Promise<void>;
  /** Opens what two gave, as a comparison. */
  compare(base: string, now: string): Promise<void>;
}

export interface ResultsParts {
  readonly engine: Engine;
  readonly documents: Documents;
  status(): ReadonlySignal<Loaded<RunStatusResult>>;
}

export function createResults({ engine, documents, status }: ResultsParts): Results {
  /** By experiment, what was opened last. */
  const opened = signal<ReadonlyMap<string, Opened>>(new Map());

  async function openOne(run: string): Promise<number> {
    // Asked before, so that what comes in between is told as newer.
    const { result_version: version } = (await engine.call('run_status', { run })).result;
    const { document } = (await engine.call('run_open', { run })).result;
    opened.value = new Map(opened.peek()).set(run, { run, document, version });
    return document;
  }

  const watched = computed(() => {
    const shown = documents.named.value;
    return [...opened.value.values()].find(({ document }) => document === shown)?.run;
  });
  return {
    watched,
    newer: computed(() => {
      const known = opened.value.get(watched.value ?? '');
      const now = status().value.value;
      if (known === undefined || now?.summary.run !== known.run) return undefined;
      return now.result_version > known.version ? known.run : undefined;
    }),
    async open(run) {
      const document = await openOne(run);
      await documents.refresh();
      documents.open(document);
    },
    async compare(base, now) {
      const sides = [await openOne(base), await openOne(now)] as const;
      for (const document of sides) await engine.call('wait', { document });
      const { result } = await engine.call('compare', {
        base: [sides[0]],
        new: [sides[1]],
        by_age: false,
        normalise: { kind: 'absolute' },
        noise: 0,
      });
      await documents.refresh();
      documents.open(result.document);
    },
  };
}
