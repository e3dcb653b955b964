import { describe, expect, it } from 'vitest';
import { gridOf } from './grid.ts';
import { MOST_CELLS, scaleOf, sharesOf, sheetOf } from './cell-sheet.ts';

/** A grid of so many rows and columns, in blocks; all cells ran. */
function grid(rows: number, columns: number, blocks = 1) {
  const levels = (count: number) => Array.from({ length: count }, (_, at) => String(at));
  const factors = [
    { name: 'row', levels: levels(rows) },
    { name: 'column', levels: levels(columns) },
    { name: 'block', levels: levels(blocks) },
  ];
  const cells = levels(blocks).flatMap((_, block) =>
    levels(rows).flatMap((_, row) =>
      levels(columns).map((_, column) => ({
        title: `${block}.${row}.${column}`,
        levels: [row, column, block],
        runs: 1,
        left_out: 0,
        pattern: 'member=x',
      })),
    ),
  );
  return { cells, grid: gridOf(factors, cells, 'row', 'column') };
}

const drawn = (sheet: ReturnType<typeof sheetOf>) => sheet.grid.rows.flatMap(({ cells }) => cells);

describe('what of a grid is drawn', () => {
  it('is all where there is room', () => {
    const { cells, grid: whole } = grid(6, 4);
    const sheet = sheetOf(whole, cells, 0);
    expect(drawn(sheet)).toEqual(whole.rows.flatMap((row) => row.cells));
    expect([sheet.left, sheet.before, sheet.after]).toEqual([0, undefined, undefined]);
  });

  it('is whole rows, and goes on over blocks to the end', () => {
    const { cells, grid: whole } = grid(3, 5, 3);
    const seen: (number | undefined)[] = [];
    for (let row: number | undefined = 0; row !== undefined;) {
      const sheet = sheetOf(whole, cells, row);
      expect(drawn(sheet).length).toBeLessThanOrEqual(MOST_CELLS);
      expect(sheet.left).toBe(cells.length - drawn(sheet).length);
      // Blocks count their rows from the first that is drawn.
      sheet.grid.blocks.forEach((block) =>
        expect(sheet.grid.rows[block.first]).toBe(block.rows[0]),
      );
      seen.push(...drawn(sheet));
      expect(sheet.before === undefined).toBe(row === 0);
      row = sheet.after;
    }
    expect(new Set(seen)).toEqual(new Set(cells.keys()));
  });

  it('ends where an address leads beyond the last row', () => {
    const { cells, grid: whole } = grid(10, 6);
    const sheet = sheetOf(whole, cells, 99_999);
    expect(drawn(sheet)).toHaveLength(24);
    expect([sheet.firstRow, sheet.after]).toEqual([6, undefined]);
  });

  it('is one row of many columns', () => {
    const { cells, grid: whole } = grid(2, 40);
    const sheet = sheetOf(whole, cells, 0);
    expect([drawn(sheet).length, sheet.left]).toEqual([24, 56]);
  });
});

describe('the scale', () => {
  it('has the largest at its full width, and half of it at half', () => {
    const shares = sharesOf(2, [2, 1, 0, -3]);
    expect(shares).toEqual([1, 0.5, 0, 0]);
    expect(scaleOf('flame', shares[1]!)).toEqual([0.5, 1]);
  });

  it('has areas that are values', () => {
    for (const kind of ['sunburst', 'treemap'] as const) {
      const [x, y] = scaleOf(kind, 0.5);
      expect(x * y).toBeCloseTo(0.5);
    }
  });

  it('is the same for all where nothing is above 0', () => {
    expect(sharesOf(0, [0, 0])).toEqual([1, 1]);
  });
});
