import type { Engine, EngineError, RowInfo, RowsParams, Sort, ViewSpec } from '@hotframe/engine';
import { batch, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { locate, type Place, specKey } from '../../state/nodes.ts';
import { asEngineError } from '../../state/resource.ts';
import type { Selection } from '../../state/selection.ts';

/** A row's number in the engine's tree and, as far as it is known, its keys. */
export interface RowValues {
  readonly self: readonly bigint[];
  readonly total: readonly bigint[];
}

/** A part of the table's rows, as the engine answered. */
export interface RowsPart {
  readonly spec: ViewSpec;
  readonly instance: number;
  readonly totalRows: number;
  readonly first: number;
  readonly rows: readonly RowInfo[];
  readonly values: readonly RowValues[];
  readonly scale: readonly bigint[];
}

export interface TableInput {
  readonly spec: ViewSpec;
  readonly sort: Sort;
  readonly filter: string;
}

export interface RowWindow {
  readonly first: number;
  readonly count: number;
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
  row(index: number): RowInfo | undefined;
  moveTo(index: number, extend: boolean): void;
  toggle(row: RowInfo): void;
  fold(): void;
  unfold(): void;
  expandHottest(): void;
  /** What a request for rows of the table as it is folded now says. */
  request(first: number, count: number): RowsParams | undefined;
  dispose(): void;
}

/** Rows that are looked through to find where a selected node has its row. */
const MOST_SEARCHED = 20_000;
/** Unfolded nodes that are found again when the tree changes. */
const MOST_RELOCATED = 300;

export function createTableController(options: {
  readonly engine: Engine;
  readonly selection: Selection;
  readonly input: ReadonlySignal<TableInput>;
  onPick(path: readonly number[]): void;
}): TableController {
  const { engine, selection, input } = options;
  const part = signal<RowsPart | undefined>(undefined);
  const error = signal<EngineError | undefined>(undefined);
  const window = signal<RowWindow>({ first: 0, count: 60 });
  const cursor = signal(0);
  const anchor = signal(0);
  const wanted = signal<number | undefined>(undefined);
  /** Unfolded nodes with their keys, where known. */
  const expanded = signal<ReadonlyMap<number, readonly number[] | undefined>>(new Map());
  /** Keys of nodes that have been rows. */
  let paths = new Map<number, readonly number[]>();
  let instance: number | undefined;
  let treeKey: string | undefined;
  let pending: { readonly index: number; readonly extend: boolean } | undefined;

  function request(first: number, count: number): RowsParams {
    const { spec, sort, filter } = input.peek();
    return {
      view: spec,
      instance: instance ?? null,
      root: 0,
      expanded: [...expanded.peek().keys()],
      sort,
      filter,
      first,
      count,
    };
  }

  /** Finds the unfolded nodes' numbers in the current tree. */
  async function relocate(abort: AbortSignal): Promise<void> {
    const known = [...expanded.peek().values()].filter((path) => path !== undefined);
    const { spec } = input.peek();
    const places = await Promise.all(
      known.slice(0, MOST_RELOCATED).map((path) => locate(engine, spec, path, abort)),
    );
    if (abort.aborted) return;
    const found = new Map<number, readonly number[]>();
    for (const [index, place] of places.entries()) {
      const path = known[index]!;
      if (place.nodes.length === path.length && place.instance !== undefined) {
        found.set(place.node, path);
        instance = place.instance;
      }
    }
    if (found.size === 0) instance = undefined;
    paths = new Map(found);
    expanded.value = found;
  }

  async function load(abort: AbortSignal): Promise<void> {
    const { spec } = input.peek();
    const key = specKey(spec);
    if (key !== treeKey) {
      treeKey = key;
      instance = undefined;
      await relocate(abort);
      if (abort.aborted) return;
    }
    const { first, count } = window.peek();
    const ask = () => engine.call('rows', request(first, count), { signal: abort });
    let answer: Awaited<ReturnType<typeof ask>>;
    try {
      answer = await ask();
    } catch (reason) {
      if (asEngineError(reason).code !== 'view_expired') throw reason;
      await relocate(abort);
      answer = await ask();
    }
    if (abort.aborted) return;
    const { result, columns } = answer;
    instance = result.instance;
    const slice = (column: BigInt64Array, row: number) =>
      Array.from(column.subarray(row * result.metrics, (row + 1) * result.metrics));
    learnPaths(result.rows);
    batch(() => {
      error.value = undefined;
      part.value = {
        spec,
        instance: result.instance,
        totalRows: result.total_rows,
        first,
        rows: result.rows,
        values: result.rows.map((_, row) => ({
          self: slice(columns.self_value, row),
          total: slice(columns.total_value, row),
        })),
        scale: Array.from(columns.scale),
      };
      followSelection();
    });
    if (pending !== undefined && rowAt(pending.index) !== undefined) {
      const { index, extend } = pending;
      pending = undefined;
      moveTo(index, extend);
    }
  }

  /** A row's keys are its parent's and its own; the parent is the last row less deep. */
  function learnPaths(rows: readonly RowInfo[]): void {
    const above: RowInfo[] = [];
    for (const row of rows) {
      above.length = Math.min(above.length, row.depth);
      const parent = above[row.depth - 1];
      const parentPath = row.depth === 0 ? [] : parent && paths.get(parent.node);
      if (parentPath !== undefined) paths.set(row.node, [...parentPath, row.key]);
      above[row.depth] = row;
    }
  }

  function rowAt(index: number): RowInfo | undefined {
    const current = part.peek();
    return current?.rows[index - current.first];
  }

  function followSelection(): void {
    const current = part.peek();
    if (current === undefined) return;
    const node = selection.nodeIn(current.spec, current.instance);
    const at = current.rows.findIndex((row) => row.node === node);
    if (at < 0 || current.first + at === cursor.peek()) return;
    cursor.value = current.first + at;
    anchor.value = current.first + at;
  }

  function moveTo(index: number, extend: boolean): void {
    const current = part.peek();
    if (current === undefined || current.totalRows === 0) return;
    const next = Math.min(Math.max(0, index), current.totalRows - 1);
    const row = rowAt(next);
    wanted.value = next;
    if (row === undefined) {
      pending = { index: next, extend };
      return;
    }
    batch(() => {
      cursor.value = next;
      if (!extend) anchor.value = next;
      const path = paths.get(row.node);
      const place: Place = { instance: current.instance, node: row.node, nodes: [] };
      selection.pick({ spec: current.spec, place, path });
      if (path !== undefined) options.onPick(path);
    });
  }

  async function setExpanded(row: RowInfo, open: boolean): Promise<void> {
    const next = new Map(expanded.peek());
    if (!open) next.delete(row.node);
    else next.set(row.node, paths.get(row.node) ?? (await askPath(row.node)));
    expanded.value = next;
  }

  async function askPath(node: number): Promise<readonly number[] | undefined> {
    const { spec } = input.peek();
    const { result } = await engine.call('details', {
      view: spec,
      instance: instance ?? null,
      node,
    });
    return result.path.map(({ key }) => key);
  }

  function toggle(row: RowInfo): void {
    if (!row.has_children) return;
    setExpanded(row, !row.expanded).catch(report);
  }

  async function expandHottest(): Promise<void> {
    const { spec } = input.peek();
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
    instance = result.instance;
    showNode(details.result.path.map(({ node, key }) => ({ node, key })));
    selection.pick({
      spec,
      place: { instance: result.instance, node: last, nodes: details.result.path },
      path: details.result.path.map(({ key }) => key),
    });
    options.onPick(details.result.path.map(({ key }) => key));
  }

  /** Unfolds the way to a node and scrolls to it. */
  function showNode(way: readonly { readonly node: number; readonly key: number }[]): void {
    const next = new Map(expanded.peek());
    for (const [depth, { node }] of way.slice(0, -1).entries()) {
      next.set(
        node,
        way.slice(0, depth + 1).map(({ key }) => key),
      );
    }
    if (next.size !== expanded.peek().size) expanded.value = next;
    scrollToNode(way.at(-1)!.node).catch(report);
  }

  async function scrollToNode(node: number): Promise<void> {
    const current = part.peek();
    const here = current?.rows.findIndex((row) => row.node === node) ?? -1;
    if (current !== undefined && here >= 0) {
      wanted.value = current.first + here;
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
      window.value;
      expanded.value;
      const abort = new AbortController();
      load(abort.signal).catch((reason: unknown) => {
        if (!abort.signal.aborted) report(reason);
      });
      return () => abort.abort();
    }),
    // A node that was picked elsewhere is unfolded to and scrolled to.
    effect(() => {
      const { value: found, pending: waiting } = selection.selected.value;
      const { spec } = input.value;
      if (found === undefined || waiting || found.isProgram) return;
      if (specKey(found.spec) !== specKey(spec) || found.place.instance !== instance) return;
      const shown = rowAt(cursor.peek());
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
    row: rowAt,
    moveTo,
    toggle,
    fold() {
      const row = rowAt(cursor.peek());
      if (row === undefined) return;
      if (row.expanded) {
        toggle(row);
        return;
      }
      for (let index = cursor.peek() - 1; index >= 0; index--) {
        const above = rowAt(index);
        if (above === undefined) return;
        if (above.depth < row.depth) {
          moveTo(index, false);
          return;
        }
      }
    },
    unfold() {
      const row = rowAt(cursor.peek());
      if (row === undefined || !row.has_children) return;
      if (row.expanded) moveTo(cursor.peek() + 1, false);
      else toggle(row);
    },
    expandHottest: () => {
      expandHottest().catch(report);
    },
    request: (first, count) => (part.peek() === undefined ? undefined : request(first, count)),
    dispose() {
      for (const stop of disposers) stop();
    },
  };
}
