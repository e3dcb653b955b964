// @vitest-environment happy-dom
import { render } from 'preact';
import { expect, it } from 'vitest';
import { gridOf, rectangleOf, ROWS } from './grid.ts';
import { CellSummary } from './CellSummary.tsx';

const SECOND = 1e9;
const GRID = gridOf(0, 4 * SECOND, SECOND);

/** What is said of some cells, of which each has two. */
function summaryOf(one: readonly [number, number], other: readonly [number, number]): string {
  const root = document.createElement('div');
  const values = new Float64Array(4 * ROWS).fill(2);
  const cells = { grid: GRID, values, origin: 0, sum: 8 * ROWS };
  render(
    <CellSummary
      rectangle={rectangleOf(one, other)}
      {...cells}
      format={(value) => `${value} samples`}
    />,
    root,
  );
  return root.textContent;
}

it('tells what some cells are together, and when', () => {
  expect(summaryOf([1, 0], [1, ROWS - 1])).toMatch(/^100 samples 25\.0 % 1 s to 2 s · 1 s$/);
  expect(summaryOf([0, 0], [3, ROWS - 1])).toMatch(/^400 samples 100\.0 % 0 ns to 4 s · 4 s$/);
});

it('tells how long parts of several columns are', () => {
  expect(summaryOf([0, 5], [2, 9])).toMatch(/^30 samples .* · 3 parts, 300 ms together$/);
});
