import type { RowsParams } from '@hotframe/engine';
import { afterEach, expect, it, vi } from 'vitest';
import { turn } from '../../state/engine.fixture.ts';
import { createTableController, type TableController } from './controller.ts';
import { below, tableOf } from './table.fixture.ts';

const STACKS = `
  main;compute;sort 60
  main;compute;hash 30
  main;read 8
  idle 2
`;
/** Functions have keys in the order of their names. */
const KEYS = { compute: 10, hash: 11, idle: 12, main: 13, read: 14, sort: 15 };

const open = new Set<TableController>();
afterEach(() => {
  for (const table of open) table.dispose();
  open.clear();
});

async function openTable() {
  const given = tableOf(STACKS);
  const [onPick, onReveal, onUnfold] = [vi.fn(), vi.fn(), vi.fn()];
  const table = createTableController({ ...given, open: [], onPick, onReveal, onUnfold });
  open.add(table);
  await turn();
  const { spec } = given.input.value;
  return {
    ...given,
    table,
    onPick,
    onReveal,
    onUnfold,
    atCursor: () => table.row(table.cursor.value)?.name,
    /** Something else than the table selects a node. */
    async pick(...path: (keyof typeof KEYS)[]) {
      const keys = path.map((name) => KEYS[name]);
      given.selection.pick({ spec, place: undefined, path: keys });
      await vi.waitFor(() => expect(given.selection.selected.value.pending).toBe(false));
      await turn();
    },
  };
}

it('unfolds to what is selected elsewhere', async () => {
  const { pick, atCursor, table, onUnfold, onPick } = await openTable();
  await pick('main', 'compute', 'hash');
  expect(atCursor()).toBe('hash');
  expect(table.wanted.value).toBe(3);
  expect(onUnfold).toHaveBeenLastCalledWith([[KEYS.main], [KEYS.main, KEYS.compute]]);
  // Who selected it knows it.
  expect(onPick).not.toHaveBeenCalled();
});

it('does not scroll to what is selected in the table itself', async () => {
  const { table, selection } = await openTable();
  table.moveTo(1, false);
  table.wanted.value = undefined;
  await turn();
  expect(selection.selected.value.value?.path).toEqual([KEYS.idle]);
  expect(table.wanted.value).toBeUndefined();
});

it('looks for a row that is out of sight among all of them', async () => {
  const { pick, table, last } = await openTable();
  table.window.value = { first: 0, count: 1 };
  await turn();
  await pick('idle');
  expect(last<RowsParams>('rows')?.count).toBeGreaterThan(1000);
  expect([table.cursor.value, table.wanted.value]).toEqual([1, 1]);
});

it('waits for a row that is left out until it is listed', async () => {
  const { pruned, atCursor, table } = await openTable();
  pruned.value = { ...below(0), levels: 1 };
  await turn();
  table.expandHottest();
  await turn();
  expect(atCursor()).toBe('sort');
  expect(table.wanted.value).toBe(2);
});

it('goes down the hottest path from what is selected', async () => {
  const { table, pick, atCursor, onPick } = await openTable();
  table.expandHottest();
  await turn();
  expect(atCursor()).toBe('sort');
  expect(onPick).toHaveBeenLastCalledWith([KEYS.main, KEYS.compute, KEYS.sort]);
  await pick('main', 'read');
  table.expandHottest();
  await turn();
  expect(onPick).toHaveBeenLastCalledWith([KEYS.main, KEYS.read]);
});

it('folds to the row around, and shows what is left out on demand', async () => {
  const { table, pick, atCursor, pruned, onReveal } = await openTable();
  await pick('main', 'compute', 'hash');
  table.fold();
  expect(atCursor()).toBe('compute');
  table.fold();
  await turn();
  expect(table.part.value?.rows.map(({ name }) => name)).toEqual([
    'main',
    'compute',
    'read',
    'idle',
  ]);
  pruned.value = below(5);
  await turn();
  table.toggle(table.row(3)!);
  expect(onReveal).toHaveBeenCalledWith([]);
});
