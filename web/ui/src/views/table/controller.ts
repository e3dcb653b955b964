import type { Engine, EngineError, RowsParams, Sort, ViewSpec } from '@hotframe/engine';
import {
  batch,
  computed,
  effect,
  type ReadonlySignal,
  type Signal,
  signal,
  untracked,
} from '@preact/signals';
import { type Place, specKey } from '../../state/nodes.ts';
import { type Pruned, pruningOf } from '../../state/pruning.ts';
import { asEngineError, isStopped } from '../../state/resource.ts';
import type { Selection } from '../../state/selection.ts';
import { keepStopped } from '../../state/stopped.ts';
import { createPrunedListing } from './listing-pruned.ts';
import { allRows, MOST_PRUNED } from './pages.ts';
import { isWhole, sliceOf } from './pruned.ts';
import {
  clampRow,
  foldEffect,
  indexOfNode,
  type ListedRow,
  partOf,
  rowAt,
  type RowEffect,
  type RowsPart,
  type RowWindow,
  unfoldEffect,
} from './rows.ts';
import { createUnfolding } from './unfolding.ts';

export interface TableInput {
  readonly spec: ViewSpec;
  readonly sort: Sort;
  readonly filter: string;
}

export interface TableController {
  readonly part: ReadonlySignal<RowsPart | undefined>;
  readonly error: ReadonlySignal<EngineError | undefined>;
  readonly window: Signal<RowWindow>;
  /** Marked rows reach from the anchor to the cursor. */
  readonly cursor: ReadonlySignal<number>;
  readonly anchor: ReadonlySignal<number>;
  /** A row that should be scrolled into view. */
  readonly wanted: Signal<number | undefined>;
  /** Whether nothing is left out though it was asked for, as too many rows are unfolded. */
  readonly tooMany: ReadonlySignal<boolean>;
  row(index: number): ListedRow | undefined;
  moveTo(index: number, extend: boolean): void;
  toggle(row: ListedRow): void;
  fold(): void;
  unfold(): void;
  expandHottest(): void;
  /** Rows as they are listed, where some are left out. */
  listed(first: number, count: number): RowsPart | undefined;
  /** What a request for rows of the table as it is folded now says; nothing is left out of them. */
  request(first: number, count: number): RowsParams | undefined;
  dispose(): void;
}

/** Rows that are looked through to find where a selected node has its row. */
const MOST_SEARCHED = 20_000;

export function createTableController(options: {
  readonly engine: Engine;
  readonly selection: Selection;
  readonly input: ReadonlySignal<TableInput>;
  /** What is left out of the rows. */
  readonly pruned: ReadonlySignal<Pruned | undefined>;
  /** Keys of the nodes that are unfolded from the start. */
  readonly open: readonly (readonly number[])[];
  onPick(path: readonly number[]): void;
  /** What is left out below a node is to be listed. */
  onReveal(path: readonly number[]): void;
  /** Other nodes are unfolded now, by their keys as far as those are known. */
  onUnfold(paths: readonly (readonly number[])[]): void;
}): TableController {
  const { engine, selection, input } = options;
  const loaded = signal<RowsPart | undefined>(undefined);
  const error = signal<EngineError | undefined>(undefined);
  const window = signal<RowWindow>({ first: 0, count: 60 });
  const tooMany = signal(false);
  const pruned = computed(() => {
    const { spec, filter } = input.value;
    const asked = options.pruned.value;
    // What a filter finds is wanted, however little it is.
    if (asked === undefined || filter !== '') return undefined;
    return pruningOf(asked, spec.metric) === undefined ? undefined : asked;
  });
  const isPruned = computed(() => pruned.value !== undefined && !tooMany.value);
  /** Whether the loaded rows are all there are, whatever they are called. */
  const isUnfiltered = signal(false);
  const unfiltered = computed(() => (isUnfiltered.value ? loaded.value : undefined));
  const listing = createPrunedListing(unfiltered, pruned, selection);
  const part = computed(() => {
    const shown = listing.value ?? loaded.value;
    if (shown === undefined || !isWhole(shown)) return shown;
    return sliceOf(shown, window.value.first, window.value.count);
  });
  /** The rows that are known: all of them where some are left out. */
  const known = () => listing.peek() ?? part.peek();
  /** A node whose row is gone to once it is listed. */
  const sought = signal<number | undefined>(undefined);
  const cursor = signal(0);
  const anchor = signal(0);
  const wanted = signal<number | undefined>(undefined);
  const unfolding = createUnfolding(engine, options.open);
  let treeKey: string | undefined;
  const attempt = signal(0);
  /** Forgets what was stopped. */
  let forget = () => {};
  /** A row to go to once it is known. */
  let pending: { readonly index: number; readonly extend: boolean } | undefined;

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
      loaded.value = rows;
      isUnfiltered.value = filter === '';
      tooMany.value = rows.totalRows > MOST_PRUNED;
      followSelection(known()!);
    });
    if (pending !== undefined && rowAt(known(), pending.index) !== undefined) {
      const { index, extend } = pending;
      pending = undefined;
      moveTo(index, extend);
    }
  }

  function followSelection(current: RowsPart): void {
    const at = indexOfNode(current, selection.nodeIn(current.spec, current.instance));
    if (at === undefined || at === cursor.peek()) return;
    cursor.value = at;
    anchor.value = at;
  }

  function moveTo(index: number, extend: boolean): void {
    const current = known();
    if (current === undefined || current.totalRows === 0) return;
    const next = clampRow(current, index);
    const row = rowAt(current, next);
    wanted.value = next;
    if (row === undefined) {
      pending = { index: next, extend };
      return;
    }
    batch(() => {
      cursor.value = next;
      if (!extend) anchor.value = next;
      if (row.rest !== undefined) return;
      const path = unfolding.pathOf(row.node);
      const place: Place = { instance: current.instance, node: row.node, nodes: [] };
      selection.pick({ spec: current.spec, place, path });
      if (path !== undefined) options.onPick(path);
    });
  }

  function toggle(row: ListedRow): void {
    if (!row.has_children) return;
    if (row.rest !== undefined) {
      options.onReveal(row.rest.below);
      return;
    }
    unfolding.set(input.peek().spec, row, !row.expanded).catch(report);
  }

  function apply(does: RowEffect | undefined): void {
    if (does?.kind === 'toggle') toggle(does.row);
    if (does?.kind === 'move') moveTo(does.index, false);
  }

  async function expandHottest(): Promise<void> {
    const { spec } = input.peek();
    const instance = unfolding.instance();
    const start = selection.nodeIn(spec, instance ?? -1) ?? 0;
    const { result } = await engine.call('hottest_path', {
      view: spec,
      instance: start === 0 ? null : (instance ?? null),
      node: start,
    });
    const last = result.nodes.at(-1);
    if (last === undefined || last === 0) return;
    const details = await engine.call('details', {
      view: spec,
      instance: result.instance,
      node: last,
    });
    const nodes = details.result.path;
    const path = nodes.map(({ key }) => key);
    unfolding.learn(result.instance, []);
    batch(() => {
      showNode(nodes);
      selection.pick({ spec, place: { instance: result.instance, node: last, nodes }, path });
      options.onPick(path);
    });
  }

  /** Unfolds the way to a node and scrolls to it. */
  function showNode(way: readonly { readonly node: number; readonly key: number }[]): void {
    unfolding.openWay(way);
    scrollToNode(way.at(-1)!.node).catch(report);
  }

  async function scrollToNode(node: number): Promise<void> {
    const here = indexOfNode(known(), node);
    if (here !== undefined) {
      wanted.value = here;
      return;
    }
    if (isPruned.peek()) {
      sought.value = node;
      return;
    }
    const { result } = await engine.call('rows', request(0, MOST_SEARCHED));
    const index = result.rows.findIndex((row) => row.node === node);
    if (index < 0) return;
    batch(() => {
      wanted.value = index;
      cursor.value = index;
      anchor.value = index;
    });
  }

  function report(reason: unknown): void {
    const failure = asEngineError(reason);
    if (failure.code !== 'cancelled') error.value = failure;
  }

  const disposers = [
    effect(() => {
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
        report(reason);
      });
      return () => abort.abort();
    }),
    effect(() => {
      const known = [...unfolding.expanded.value.values()];
      if (unfolding.instance() === undefined) return;
      // Not before what unfolded them has done the rest, such as selecting one of them.
      queueMicrotask(() => options.onUnfold(known.filter((path) => path !== undefined)));
    }),
    // Rows go and come as they are left out or not.
    effect(() => {
      const current = listing.value;
      const node = sought.value;
      const index = indexOfNode(current, node);
      untracked(() => {
        batch(() => {
          if (index !== undefined) {
            sought.value = undefined;
            wanted.value = index;
            cursor.value = index;
            anchor.value = index;
          } else if (current !== undefined) followSelection(current);
        });
      });
    }),
    // A node that was picked elsewhere is unfolded to and scrolled to.
    effect(() => {
      const { value: found, pending: waiting } = selection.selected.value;
      const { spec } = input.value;
      if (found === undefined || waiting || found.isProgram) return;
      if (specKey(found.spec) !== specKey(spec)) return;
      if (found.place.instance !== unfolding.instance()) return;
      const shown = rowAt(known(), cursor.peek());
      if (shown?.node === found.place.node) return;
      showNode(found.place.nodes);
    }),
  ];

  return {
    part,
    error,
    window,
    cursor,
    anchor,
    wanted,
    tooMany,
    row: (index) => rowAt(known(), index),
    moveTo,
    toggle,
    fold: () => apply(foldEffect(known(), cursor.peek())),
    unfold: () => apply(unfoldEffect(known(), cursor.peek())),
    expandHottest: () => {
      expandHottest().catch(report);
    },
    listed: (first, count) => listing.peek() && sliceOf(listing.peek()!, first, count),
    request: (first, count) => (part.peek() === undefined ? undefined : request(first, count)),
    dispose() {
      forget();
      for (const stop of disposers) stop();
    },
  };
}
