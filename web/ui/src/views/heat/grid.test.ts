import { expect, test } from 'vitest';
import { rangesOf } from '../timeline/times.ts';
import {
  chosenCells,
  columnChoices,
  gridOf,
  rectangleOf,
  rectanglePattern,
  ROWS,
  standardColumn,
  stretchesOf,
} from './grid.ts';

const S = 1e9;

test('columns are seconds where that gives a picture', () => {
  expect(standardColumn(60 * S)).toBe(S);
  expect(standardColumn(8 * S)).toBe(S);
  expect(standardColumn(1 * S)).toBe(1e7);
  expect(standardColumn(3600 * S)).toBe(30 * S);
  expect(standardColumn(1)).toBe(100);
  for (const length of [1, 777, 1e6, 3e9, 1e11, 1e14]) {
    const column = standardColumn(length);
    expect(Number.isInteger(column / ROWS)).toBe(true);
    expect(columnChoices(length).length).toBeGreaterThan(0);
  }
});

test('a rectangle is one stretch a column, and those that touch are one', () => {
  const grid = gridOf(0, 10 * S, S);
  const part = rectangleOf([4, 30], [2, 10]);
  expect(stretchesOf(grid, part)).toEqual([
    { from: 2.2 * S, to: 2.62 * S },
    { from: 3.2 * S, to: 3.62 * S },
    { from: 4.2 * S, to: 4.62 * S },
  ]);
  expect(stretchesOf(grid, rectangleOf([2, 0], [4, ROWS - 1]))).toEqual([
    { from: 2 * S, to: 5 * S },
  ]);
});

test('a rectangle is read back from its filter', () => {
  const origin = 123_456_789;
  const grid = gridOf(origin, 10 * S - origin, S);
  const part = rectangleOf([1, 5], [3, 9]);
  const pattern = rectanglePattern(origin, grid, part);
  expect(pattern).toBe('1.1s..1.2s,2.1s..2.2s,3.1s..3.2s');
  const back = chosenCells(grid, rangesOf(origin, 10 * S, pattern));
  const expected = new Uint8Array(10 * ROWS);
  for (const column of [1, 2, 3]) expected.fill(1, column * ROWS + 5, column * ROWS + 10);
  expect([...back]).toEqual([...expected]);
});
