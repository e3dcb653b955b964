import { expect, it } from 'vitest';
import { followNode, markedAt, moveTo } from './marks.ts';
import { partWith } from './rows.fixture.ts';

const PART = partWith('-a\n  b\n  c\nd');

it('a move marks one row, and one that extends keeps where it began', () => {
  expect(moveTo(PART, markedAt(1), 3, false)?.marks).toEqual({ anchor: 3, cursor: 3 });
  expect(moveTo(PART, markedAt(1), 3, true)?.marks).toEqual({ anchor: 1, cursor: 3 });
  expect(moveTo(PART, markedAt(1), 3, false)?.row?.name).toBe('d');
});

it('a move ends at the last row, and there is none without rows', () => {
  expect(moveTo(PART, markedAt(3), 4, false)?.index).toBe(3);
  expect(moveTo(PART, markedAt(0), -1, false)?.index).toBe(0);
  expect(moveTo(partWith(''), markedAt(0), 0, false)).toBeUndefined();
  expect(moveTo(undefined, markedAt(0), 0, false)).toBeUndefined();
});

it('a row that is not known yet has to be waited for', () => {
  const move = moveTo(partWith('e\nf', 4, 20), markedAt(4), 15, false);
  expect(move?.index).toBe(15);
  expect(move?.row).toBeUndefined();
});

it('marks follow their node, and stay where they extend from it or it has no row', () => {
  const extended = { anchor: 0, cursor: 2 };
  expect(followNode(PART, extended, PART.rows[2]!.node)).toBe(extended);
  expect(followNode(PART, extended, PART.rows[1]!.node)).toEqual(markedAt(1));
  expect(followNode(PART, extended, 77)).toBe(extended);
  expect(followNode(PART, extended, undefined)).toBe(extended);
});
