import { expect, test } from 'vitest';
import { gridOf, ROWS } from './grid.ts';
import { dragTo, letGo, NOTHING, press, release, walk } from './held.ts';

const GRID = gridOf(0, 3e9, 1e9);

test('a drag goes from where it was pressed to where it is let go', () => {
  const dragged = dragTo(dragTo(press(NOTHING, [0, 5]), [1, 9]), [2, 3]);
  expect(release(dragged, false)).toEqual({
    held: NOTHING,
    chosen: { from: [0, 5], to: [2, 3] },
  });
  // Without a press there is none.
  expect(dragTo(NOTHING, [1, 1])).toBe(NOTHING);
  expect(release(NOTHING, true)).toEqual({ held: NOTHING, chosen: undefined });
});

test('the second cells of a comparison are kept until others are dragged over', () => {
  const { held, chosen } = release(press(NOTHING, [1, 1]), true);
  expect(chosen).toBeUndefined();
  expect(held.second).toEqual({ from: [1, 1], to: [1, 1] });
  expect(release(press(held, [2, 2]), false).held.second).toBeUndefined();
});

test('the keyboard begins in the first cell, and a press ends its walk', () => {
  const first = walk(NOTHING, GRID, [1, 0], false);
  expect(first.walked).toEqual({ from: [0, 0], to: [0, 0] });
  expect(walk(first, GRID, [0, 1], false).walked).toEqual({ from: [0, 1], to: [0, 1] });
  expect(press(first, [2, 2]).walked).toBeUndefined();
});

test('the keyboard extends from where it stands, and stays inside', () => {
  let held = walk(NOTHING, GRID, [0, -1], false);
  for (let step = 0; step < ROWS + 5; step++) held = walk(held, GRID, [1, 1], true);
  expect(held.walked).toEqual({ from: [0, 0], to: [GRID.columns - 1, ROWS - 1] });
});

test('the second cells are let go of first', () => {
  const walked = walk(NOTHING, GRID, [1, 0], false);
  const both = { ...walked, second: walked.walked };
  expect(letGo(both)).toEqual(walked);
  expect(letGo(walked)).toEqual(NOTHING);
  expect(letGo(NOTHING)).toBeUndefined();
});
