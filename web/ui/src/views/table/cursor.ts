import { batch, computed, type Signal, signal } from '@preact/signals';
import type { Place } from '../../state/nodes.ts';
import type { Selection } from '../../state/selection.ts';
import { followNode, markedAt, type Marks, moveTo } from './marks.ts';
import { rowAt, type RowsPart } from './rows.ts';

export type Cursor = ReturnType<typeof createCursor>;

/** Which rows are marked. A move of the cursor selects the node of its row. */
export function createCursor(options: {
  readonly selection: Pick<Selection, 'nodeIn' | 'pick'>;
  /** The rows that are known. */
  known(): RowsPart | undefined;
  /** Keys of a node that has been a row. */
  pathOf(node: number): readonly number[] | undefined;
  onPick(path: readonly number[]): void;
}) {
  const { selection, known } = options;
  const marks = signal<Marks>(markedAt(0));
  const wanted = signal<number | undefined>(undefined);
  /** A row to go to once it is known. */
  let awaited: { readonly index: number; readonly extend: boolean } | undefined;

  function move(index: number, extend: boolean): void {
    const current = known();
    const next = moveTo(current, marks.peek(), index, extend);
    if (current === undefined || next === undefined) return;
    const { row } = next;
    wanted.value = next.index;
    if (row === undefined) {
      awaited = { index: next.index, extend };
      return;
    }
    batch(() => {
      marks.value = next.marks;
      if (row.rest !== undefined) return;
      const path = options.pathOf(row.node);
      const place: Place = { instance: current.instance, node: row.node, nodes: [] };
      selection.pick({ spec: current.spec, place, path });
      if (path !== undefined) options.onPick(path);
    });
  }

  return {
    cursor: computed(() => marks.value.cursor),
    anchor: computed(() => marks.value.anchor),
    /** A row to scroll to; the list empties it once it has done so. */
    wanted: wanted as Signal<number | undefined>,
    move,
    /** Marks a row and scrolls to it; what is selected stays. */
    show(index: number) {
      wanted.value = index;
      marks.value = markedAt(index);
    },
    /** Scrolls to a row; marks stay. */
    scrollTo(index: number) {
      wanted.value = index;
    },
    /** Rows have come or gone: the selected one stays marked. */
    follow(rows: RowsPart) {
      marks.value = followNode(rows, marks.peek(), selection.nodeIn(rows.spec, rows.instance));
    },
    /** Makes the move that waited for its row, once that is known. */
    arrive() {
      if (awaited === undefined || rowAt(known(), awaited.index) === undefined) return;
      const { index, extend } = awaited;
      awaited = undefined;
      move(index, extend);
    },
  };
}
