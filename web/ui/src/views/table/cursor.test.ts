import { expect, it } from 'vitest';
import type { Target } from '../../state/selection.ts';
import { createCursor } from './cursor.ts';
import { partWith } from './rows.fixture.ts';
import type { RowsPart } from './rows.ts';

/** A cursor in some rows, and what its moves led to. */
function cursorIn(rows: RowsPart) {
  const table = { rows, selected: undefined as number | undefined };
  const picked: (Target | undefined)[] = [];
  const paths: (readonly number[])[] = [];
  const cursor = createCursor({
    selection: { nodeIn: () => table.selected, pick: (target) => void picked.push(target) },
    known: () => table.rows,
    pathOf: (node) => [node * 10],
    onPick: (path) => void paths.push(path),
  });
  return { table, picked, paths, cursor, marked: () => [cursor.anchor.value, cursor.cursor.value] };
}

it('selects the node that it goes to, and scrolls there', () => {
  const { cursor, picked, paths, marked } = cursorIn(partWith('-a\n  b\nc'));
  cursor.move(1, false);
  cursor.move(2, true);
  expect(marked()).toEqual([1, 2]);
  expect(cursor.wanted.value).toBe(2);
  expect(picked.map((target) => target?.place?.node)).toEqual([2, 3]);
  expect(paths).toEqual([[20], [30]]);
});

it('goes to a row once it has come, and only once', () => {
  const { cursor, table, picked, marked } = cursorIn(partWith('a\nb', 0, 9));
  cursor.move(8, false);
  expect(cursor.wanted.value).toBe(8);
  cursor.arrive();
  expect([marked(), picked]).toEqual([[0, 0], []]);
  table.rows = partWith('h\ni', 7);
  cursor.arrive();
  cursor.arrive();
  expect(marked()).toEqual([8, 8]);
  expect(picked).toHaveLength(1);
});

it('stands on what is left out without selecting anything', () => {
  const { rows, ...part } = partWith('-a\n  b');
  const rest = { ...rows[1]!, rest: { below: [1], count: 3 } };
  const { cursor, picked, marked } = cursorIn({ ...part, rows: [rows[0]!, rest] });
  cursor.move(1, false);
  expect([marked(), picked]).toEqual([[1, 1], []]);
});

it('stays at the selected node when rows come, and does not scroll', () => {
  const { cursor, table, picked, marked } = cursorIn(partWith('a\nb'));
  table.selected = 2;
  cursor.follow(partWith('a\nc\nd\nb'));
  expect(marked()).toEqual([3, 3]);
  expect([cursor.wanted.value, picked]).toEqual([undefined, []]);
});
