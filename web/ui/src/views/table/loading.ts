import type { Engine, EngineError, RowsParams } from '@hotframe/engine';
import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { specKey } from '../../state/nodes.ts';
import { type Pruned, pruningOf } from '../../state/pruning.ts';
import { asEngineError, isStopped } from '../../state/resource.ts';
import type { Selection } from '../../state/selection.ts';
import { keepStopped } from '../../state/stopped.ts';
import type { TableInput } from './controller.ts';
import { createPrunedListing } from './listing-pruned.ts';
import { allRows, MOST_PRUNED } from './pages.ts';
import { isWhole, sliceOf } from './pruned.ts';
import { partOf, type RowsPart, type RowWindow } from './rows.ts';
import type { Unfolding } from './unfolding.ts';

export type TableRows = ReturnType<typeof createTableRows>;

/** Rows as the engine answered them. */
interface LoadedRows {
  readonly part: RowsPart;
  /** Whether they are all rows of the window, whatever they are called. */
  readonly isUnfiltered: boolean;
}

/** The rows of a table, as far as they are needed: those in sight, or all where some are left out. */
export function createTableRows(options: {
  readonly engine: Engine;
  readonly selection: Pick<Selection, 'selected'>;
  readonly input: ReadonlySignal<TableInput>;
  /** What is left out of the rows. */
  readonly pruned: ReadonlySignal<Pruned | undefined>;
  readonly unfolding: Unfolding;
  /** Rows have come; called while they are taken over. */
  arriving(known: RowsPart): void;
  /** They have been taken over. */
  arrived(): void;
}) {
  const { engine, input, unfolding } = options;
  const window = signal<RowWindow>({ first: 0, count: 60 });
  const loaded = signal<LoadedRows | undefined>(undefined);
  const error = signal<EngineError | undefined>(undefined);
  const attempt = signal(0);
  /** Forgets what was stopped. */
  let forget = () => {};
  let treeKey: string | undefined;

  const tooMany = computed(() => (loaded.value?.part.totalRows ?? 0) > MOST_PRUNED);
  const pruned = computed(() => {
    const { spec, filter } = input.value;
    const asked = options.pruned.value;
    // What a filter finds is wanted, however little it is.
    if (asked === undefined || filter !== '') return undefined;
    return pruningOf(asked, spec.metric) === undefined ? undefined : asked;
  });
  const isPruned = computed(() => pruned.value !== undefined && !tooMany.value);
  const unfiltered = computed(() => (loaded.value?.isUnfiltered ? loaded.value.part : undefined));
  const listing = createPrunedListing(unfiltered, pruned, options.selection);
  const part = computed(() => {
    const shown = listing.value ?? loaded.value?.part;
    if (shown === undefined || !isWhole(shown)) return shown;
    return sliceOf(shown, window.value.first, window.value.count);
  });
  const known = () => listing.peek() ?? part.peek();

  function request(first: number, count: number): RowsParams {
    const { spec, sort, filter } = input.peek();
    return {
      view: spec,
      instance: unfolding.instance() ?? null,
      root: 0,
      expanded: [...unfolding.expanded.peek().keys()],
      sort,
      filter,
      first,
      count,
    };
  }

  async function load(abort: AbortSignal): Promise<void> {
    const { spec, filter } = input.peek();
    const key = specKey(spec);
    if (key !== treeKey) {
      treeKey = key;
      unfolding.forget();
      await unfolding.relocate(spec, abort);
      if (abort.aborted) return;
    }
    const { first, count } = window.peek();
    const page = async (from: number, most: number) => {
      const answer = await engine.call('rows', request(from, most), { signal: abort });
      // Further pages are of the same tree.
      if (!abort.aborted) unfolding.learn(answer.result.instance, []);
      return answer;
    };
    const ask = async () =>
      isPruned.peek() ? allRows(spec, page) : partOf(spec, first, await page(first, count));
    let rows: RowsPart;
    try {
      rows = await ask();
    } catch (reason) {
      if (asEngineError(reason).code !== 'view_expired') throw reason;
      await unfolding.relocate(input.peek().spec, abort);
      rows = await ask();
    }
    if (abort.aborted) return;
    unfolding.learn(rows.instance, rows.rows);
    batch(() => {
      error.value = undefined;
      loaded.value = { part: rows, isUnfiltered: filter === '' };
      options.arriving(known()!);
    });
    options.arrived();
  }

  function fail(reason: unknown): void {
    const failure = asEngineError(reason);
    if (failure.code !== 'cancelled') error.value = failure;
  }

  const stop = effect(() => {
    input.value;
    // Where rows are left out, all are there already.
    if (!isPruned.value) window.value;
    unfolding.expanded.value;
    attempt.value;
    forget();
    const abort = new AbortController();
    load(abort.signal).catch((reason: unknown) => {
      if (abort.signal.aborted) return;
      if (isStopped(reason)) forget = keepStopped(() => attempt.value++);
      fail(reason);
    });
    return () => abort.abort();
  });

  return {
    part,
    /** All rows but those that are left out; undefined where none is. */
    listing,
    error: error as ReadonlySignal<EngineError | undefined>,
    /** The rows that are asked for; the list writes it as it is scrolled. */
    window,
    /** Whether nothing is left out though it was asked for, as too many rows are unfolded. */
    tooMany,
    isPruned,
    /** The rows that are known: all of them where some are left out. */
    known,
    /** What a request for rows of the table as it is folded now says; nothing is left out of them. */
    request,
    /** Shows why something that concerns the rows failed. */
    fail,
    dispose() {
      forget();
      stop();
    },
  };
}
