import type { Engine, NodeName } from '@hotframe/engine';
import { batch, effect, type ReadonlySignal, signal, untracked } from '@preact/signals';
import { specKey } from '../../state/nodes.ts';
import type { Selection } from '../../state/selection.ts';
import type { TableInput } from './controller.ts';
import type { Cursor } from './cursor.ts';
import type { TableRows } from './loading.ts';
import { indexOfNode, rowAt } from './rows.ts';
import type { Unfolding } from './unfolding.ts';

/** Rows that are looked through to find where a selected node has its row. */
const MOST_SEARCHED = 20_000;

/** Brings nodes into sight that were not picked in the table. */
export function createSeeking(options: {
  readonly engine: Engine;
  readonly selection: Selection;
  readonly input: ReadonlySignal<TableInput>;
  readonly rows: TableRows;
  readonly cursor: Cursor;
  readonly unfolding: Unfolding;
  onPick(path: readonly number[]): void;
}) {
  const { engine, selection, input, rows, cursor, unfolding } = options;
  /** A node whose row is gone to once it is listed. */
  const sought = signal<number | undefined>(undefined);

  /** Unfolds the way to a node and scrolls to it. */
  function showNode(way: readonly NodeName[]): void {
    unfolding.openWay(way);
    scrollToNode(way.at(-1)!.node).catch(rows.fail);
  }

  async function scrollToNode(node: number): Promise<void> {
    const index = indexOfNode(rows.known(), node);
    if (index !== undefined) {
      cursor.scrollTo(index);
      return;
    }
    if (rows.isPruned.peek()) {
      sought.value = node;
      return;
    }
    const { result } = await engine.call('rows', rows.request(0, MOST_SEARCHED));
    const place = result.rows.findIndex((row) => row.node === node);
    if (place >= 0) batch(() => cursor.show(place));
  }

  /** Selects the end of the hottest path below what is selected. */
  async function seekHottest(): Promise<void> {
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
    const place = { instance: result.instance, node: last };
    const details = await engine.call('details', { view: spec, ...place });
    const nodes = details.result.path;
    const path = nodes.map(({ key }) => key);
    unfolding.learn(result.instance, []);
    batch(() => {
      showNode(nodes);
      selection.pick({ spec, place: { ...place, nodes }, path });
      options.onPick(path);
    });
  }

  const stops = [
    // Rows go and come as they are left out or not.
    effect(() => {
      const listed = rows.listing.value;
      const index = indexOfNode(listed, sought.value);
      untracked(() => {
        batch(() => {
          if (index !== undefined) {
            sought.value = undefined;
            cursor.show(index);
          } else if (listed !== undefined) cursor.follow(listed);
        });
      });
    }),
    // A node that was picked elsewhere is unfolded to and scrolled to.
    effect(() => {
      const { value: found, pending } = selection.selected.value;
      const { spec } = input.value;
      if (found === undefined || pending || found.isProgram) return;
      if (specKey(found.spec) !== specKey(spec)) return;
      if (found.place.instance !== unfolding.instance()) return;
      const shown = rowAt(rows.known(), cursor.cursor.peek());
      if (shown?.node === found.place.node) return;
      showNode(found.place.nodes);
    }),
  ];

  return {
    seekHottest: () => {
      seekHottest().catch(rows.fail);
    },
    dispose() {
      for (const stop of stops) stop();
    },
  };
}
