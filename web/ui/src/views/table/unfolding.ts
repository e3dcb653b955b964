import type { Engine, RowInfo, ViewSpec } from '@hotframe/engine';
import { type ReadonlySignal, signal } from '@preact/signals';
import { locate } from '../../state/nodes.ts';
import { type Expanded, foundAgain, pathsOf, withWay } from './rows.ts';

/** Unfolded nodes that are found again when the tree changes. */
const MOST_RELOCATED = 300;

/** Which nodes of a tree are unfolded, by the numbers that they have in it now. */
export interface Unfolding {
  readonly expanded: ReadonlySignal<Expanded>;
  /** The build of the tree that the numbers belong to. */
  instance(): number | undefined;
  /** Keys of a node that has been a row. */
  pathOf(node: number): readonly number[] | undefined;
  /** Numbers belong to `instance` now, and these rows are shown. */
  learn(instance: number, rows: readonly RowInfo[]): void;
  /** Numbers belong to no tree any more. */
  forget(): void;
  /** Finds the unfolded nodes' numbers in a tree. */
  relocate(spec: ViewSpec, abort: AbortSignal): Promise<void>;
  set(spec: ViewSpec, row: RowInfo, open: boolean): Promise<void>;
  openWay(way: readonly { readonly node: number; readonly key: number }[]): void;
}

/** `open` are the keys of nodes that are unfolded from the start. */
export function createUnfolding(engine: Engine, open: readonly (readonly number[])[]): Unfolding {
  // Their numbers are not known yet: `relocate` finds them.
  const expanded = signal<Expanded>(new Map(open.map((path, index) => [-1 - index, path])));
  let paths = new Map<number, readonly number[]>();
  let instance: number | undefined;

  async function askPath(spec: ViewSpec, node: number): Promise<readonly number[]> {
    const { result } = await engine.call('details', {
      view: spec,
      instance: instance ?? null,
      node,
    });
    return result.path.map(({ key }) => key);
  }

  return {
    expanded,
    instance: () => instance,
    pathOf: (node) => paths.get(node),
    learn(now, rows) {
      instance = now;
      for (const [node, path] of pathsOf(rows, paths)) paths.set(node, path);
    },
    forget() {
      instance = undefined;
    },
    async relocate(spec, abort) {
      const known = [...expanded.peek().values()]
        .filter((path) => path !== undefined)
        .slice(0, MOST_RELOCATED);
      const places = await Promise.all(known.map((path) => locate(engine, spec, path, abort)));
      if (abort.aborted) return;
      const found = foundAgain(known, places);
      instance = found.instance;
      paths = new Map(found.paths);
      expanded.value = found.paths;
    },
    async set(spec, row, open) {
      const next = new Map(expanded.peek());
      if (!open) next.delete(row.node);
      else next.set(row.node, paths.get(row.node) ?? (await askPath(spec, row.node)));
      expanded.value = next;
    },
    openWay(way) {
      expanded.value = withWay(expanded.peek(), way);
    },
  };
}
