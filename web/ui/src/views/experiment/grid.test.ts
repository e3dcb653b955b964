import type { ExperimentCell } from '@hotframe/engine';
import { describe, expect, test } from 'vitest';
import {
  cellsBetween,
  choose,
  gridOf,
  groupTitle,
  known,
  moved,
  patternOf,
  reason,
  widen,
} from './grid.ts';

const factors = [
  { name: 'interpreter', levels: ['3.9', '3.12'] },
  { name: 'numpy', levels: ['1.26', '2.0', '2.2'] },
  { name: 'seconds', levels: ['1', '2'] },
];

function cell(levels: (number | null)[], change: Partial<ExperimentCell> = {}): ExperimentCell {
  const title = levels.join(' ');
  return { title, levels, runs: 3, left_out: 0, pattern: `member=(?-i)^(${title})$`, ...change };
}

/** All but 3.12 with 2.2 of two seconds, in the order in which they ran. */
const cells = [0, 1]
  .flatMap((seconds) =>
    [0, 1, 2].flatMap((numpy) => [0, 1].map((interpreter) => [interpreter, numpy, seconds])),
  )
  .filter((levels) => levels.join() !== '1,2,1')
  .map((levels) => cell(levels));

describe('the grid', () => {
  const grid = gridOf(factors, cells, undefined, undefined);

  test('has the first two factors as rows and columns, and a block for each level of others', () => {
    expect([grid.rowFactor, grid.columnFactor]).toEqual(['interpreter', 'numpy']);
    expect(grid.columns).toEqual(['1.26', '2.0', '2.2']);
    expect(grid.blocks.map(({ title, first }) => [title, first])).toEqual([
      ['seconds=1', 0],
      ['seconds=2', 2],
    ]);
    expect(grid.rows.map(({ title }) => title)).toEqual(['3.9', '3.12', '3.9', '3.12']);
  });

  test('has every cell once, where its levels are', () => {
    const placed = grid.rows.flatMap(({ cells: row }) => row);
    expect(placed.filter((one) => one !== undefined).toSorted((a, b) => a - b)).toEqual(
      cells.map((_, at) => at),
    );
    expect(cells[grid.rows[1]!.cells[2]!]!.levels).toEqual([1, 2, 0]);
    expect(grid.rows[3]!.cells[2]).toBeUndefined();
  });

  test('takes the factors that are asked for, and others than these for what is not there', () => {
    const axes = (rows?: string, columns?: string) => {
      const { rowFactor, columnFactor } = gridOf(factors, cells, rows, columns);
      return [rowFactor, columnFactor];
    };
    expect(axes('seconds')).toEqual(['seconds', 'interpreter']);
    expect(axes(undefined, 'interpreter')).toEqual(['numpy', 'interpreter']);
    expect(axes('numpy', 'numpy')).toEqual(['numpy', 'interpreter']);
    expect(axes('gone', 'seconds')).toEqual(['interpreter', 'seconds']);
  });

  test('is a column of one factor, and a cell of none', () => {
    const one = gridOf(factors.slice(0, 1), [cell([0]), cell([null])], undefined, undefined);
    expect(one.columnFactor).toBeUndefined();
    expect(one.rows).toEqual([
      { title: '3.9', cells: [0] },
      { title: '–', cells: [1] },
    ]);
    const none = gridOf([], [cell([])], undefined, undefined);
    expect(none.rows).toEqual([{ title: 'all', cells: [0] }]);
  });

  test('holds who moves, and gives rectangles whichever corner comes first', () => {
    expect(moved(grid, { row: 0, column: 0 }, { row: -1, column: 9 })).toEqual({
      row: 0,
      column: 2,
    });
    const rectangle = cellsBetween(grid, { row: 3, column: 2 }, { row: 2, column: 1 });
    expect(rectangle).toEqual(cellsBetween(grid, { row: 2, column: 1 }, { row: 3, column: 2 }));
    expect(rectangle.map((at) => cells[at]!.levels.join())).toEqual(['0,1,1', '0,2,1', '1,1,1']);
  });
});

describe('what is chosen', () => {
  test('is the base, then the new side, then a base anew', () => {
    let sides = choose({ base: [], now: [] }, [1]);
    expect(sides).toEqual({ base: [1], now: [] });
    sides = choose(sides, [2, 3]);
    expect(sides).toEqual({ base: [1], now: [2, 3] });
    expect(choose(sides, [4])).toEqual({ base: [4], now: [] });
  });

  test('lets go of the same cell, and has no cell on both sides', () => {
    expect(choose({ base: [1], now: [] }, [1])).toEqual({ base: [], now: [] });
    expect(choose({ base: [1], now: [] }, [1, 2])).toEqual({ base: [1], now: [2] });
    expect(choose({ base: [1, 2], now: [] }, [1])).toEqual({ base: [1], now: [] });
    expect(widen({ base: [1], now: [2] }, [1, 2, 3])).toEqual({ base: [1], now: [2, 3] });
    expect(widen({ base: [1], now: [] }, [1, 2])).toEqual({ base: [1, 2], now: [] });
    expect(known({ base: [1, 9], now: [1, 2] }, 5)).toEqual({ base: [1], now: [2] });
  });

  test('is called by the levels that tell it from the others', () => {
    const having = (factor: number, level: number) =>
      cells.flatMap(({ levels }, at) => (levels[factor] === level ? [at] : []));
    expect(groupTitle(factors, cells, having(0, 1))).toBe('interpreter=3.12');
    const two = [...having(1, 2), ...having(1, 0)];
    expect(groupTitle(factors, cells, two)).toBe('numpy=1.26|2.2');
    expect(groupTitle(factors, cells, [3])).toBe(cells[3]!.title);
  });

  test('is one filter of the runs that count', () => {
    const some = [cell([0]), cell([1], { runs: 0, pattern: 'member=(?-i)^()$' }), cell([2])];
    expect(patternOf(some, [0, 1, 2])).toBe('member=(?-i)^(0)$,(?-i)^(2)$');
    expect(patternOf(some, [1])).toBeUndefined();
  });
});

test('a cell without a value says why', () => {
  const value = { mean: null, runs: 0, to_best: null, to_best_text: '' };
  expect(reason(undefined, undefined)).toBe('did not run');
  expect(reason(cell([0], { runs: 0, left_out: 4 }), value)).toBe('all runs failed');
  expect(reason(cell([0]), value)).toBe('not measured');
  const mean = { value: 1, low: null, high: null, text: '1', interval: '' };
  expect(reason(cell([0]), { ...value, mean })).toBeUndefined();
});
