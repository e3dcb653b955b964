import { describe, expect, it } from 'vitest';
import type { BarsScene } from '../bars/rows.ts';
import { barsPerRun, type CellChart, inCell } from './cell-loading.ts';
import { NO_VALUE } from '../../text/units.ts';

describe('values of a cell', () => {
  const chart = {
    cell: 0,
    runs: 4,
    whole: 25,
    pane: {
      functions: [
        { name: 'f', key: 7, self: 10n, total: 50n },
        { name: 'g', key: 3, self: NO_VALUE, total: 100n },
      ],
    },
    at: new Map([
      [7, 0],
      [3, 1],
    ]),
  } as unknown as CellChart;

  it('are means of its runs, with shares of what a run takes', () => {
    expect(inCell(chart, 7)).toEqual({
      name: 'f',
      self: 2.5,
      total: 12.5,
      selfShare: 0.1,
      totalShare: 0.5,
    });
  });

  it('are none where there is no value or no such function', () => {
    expect(inCell(chart, 3)).toMatchObject({ self: Number.NaN, total: 25, totalShare: 1 });
    expect(inCell(chart, 8)).toBeUndefined();
  });
});

it('bars are means of all runs, of those without the function, too', () => {
  const bar = { value: 12n, length: 6, spread: [2, 10] };
  const scene = { rows: [{ info: {}, self: bar, total: bar }] } as unknown as BarsScene;
  expect(barsPerRun(scene, 3).rows[0]!.self).toEqual({ ...bar, length: 4 });
});
