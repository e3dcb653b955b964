import type { Engine, Sort, ViewSpec } from '@hotframe/engine';
import { effect, type ReadonlySignal } from '@preact/signals';
import type { Pruned } from '../../state/pruning.ts';
import type { Selection } from '../../state/selection.ts';
import { createCursor } from './cursor.ts';
import { createTableRows } from './loading.ts';
import { sliceOf } from './pruned.ts';
import { foldEffect, type ListedRow, rowAt, type RowEffect, unfoldEffect } from './rows.ts';
import { createSeeking } from './seeking.ts';
import { createUnfolding } from './unfolding.ts';

export interface TableInput {
  readonly spec: ViewSpec;
  readonly sort: Sort;
  readonly filter: string;
}

export type TableController = ReturnType<typeof createTableController>;

/** Everything about the table of a tree that is not drawn. */
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
}) {
  const unfolding = createUnfolding(options.engine, options.open);
  const rows = createTableRows({
    ...options,
    unfolding,
    arriving: (known) => cursor.follow(known),
    arrived: () => cursor.arrive(),
  });
  const { part, listing, known } = rows;
  const cursor = createCursor({ ...options, known, pathOf: unfolding.pathOf });
  const stopUnfolded = effect(() => {
    const paths = [...unfolding.expanded.value.values()];
    if (unfolding.instance() === undefined) return;
    // Not before what unfolded them has done the rest, such as selecting one of them.
    queueMicrotask(() => options.onUnfold(paths.filter((path) => path !== undefined)));
  });
  const seeking = createSeeking({ ...options, rows, cursor, unfolding });

  function toggle(row: ListedRow): void {
    if (!row.has_children) return;
    if (row.rest !== undefined) options.onReveal(row.rest.below);
    else unfolding.set(options.input.peek().spec, row, !row.expanded).catch(rows.fail);
  }

  function apply(does: RowEffect | undefined): void {
    if (does?.kind === 'toggle') toggle(does.row);
    if (does?.kind === 'move') cursor.move(does.index, false);
  }

  return {
    part,
    error: rows.error,
    window: rows.window,
    cursor: cursor.cursor,
    anchor: cursor.anchor,
    wanted: cursor.wanted,
    tooMany: rows.tooMany,
    row: (index: number) => rowAt(known(), index),
    moveTo: cursor.move,
    toggle,
    fold: () => apply(foldEffect(known(), cursor.cursor.peek())),
    unfold: () => apply(unfoldEffect(known(), cursor.cursor.peek())),
    expandHottest: seeking.seekHottest,
    /** Rows as they are listed, where some are left out. */
    listed: (first: number, count: number) =>
      listing.peek() && sliceOf(listing.peek()!, first, count),
    /** What a request for rows of the table says, once it has any. */
    request: (first: number, count: number) =>
      part.peek() === undefined ? undefined : rows.request(first, count),
    dispose() {
      rows.dispose();
      stopUnfolded();
      seeking.dispose();
    },
  };
}
