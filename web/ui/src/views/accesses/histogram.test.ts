import { describe, expect, it } from 'vitest';
import { barsOf } from './histogram.ts';

describe('bars of distances', () => {
  const near = [0, 1, 8, 9, 10, 15, 40].map((distance) => [distance, 1] as const);
  const all = { cold: 0, far: 0, near };

  it('are of hits or of misses', () => {
    const bars = barsOf(all, 10);
    expect(bars).toEqual([
      { from: 0, to: 0, count: 1 },
      { from: 1, to: 1, count: 1 },
      { from: 8, to: 9, count: 2 },
      { from: 10, to: 15, count: 2 },
      { from: 32, to: 63, count: 1 },
    ]);
    const misses = bars.filter(({ from }) => from >= 10);
    expect(misses.reduce((sum, { count }) => sum + count, 0)).toBe(3);
  });

  it('go by powers of two where a cache ends between them, or is unknown', () => {
    const ends = [
      [0, 0],
      [1, 1],
      [8, 15],
      [32, 63],
    ];
    for (const lines of [8, 16, undefined]) {
      expect(barsOf(all, lines).map(({ from, to }) => [from, to])).toEqual(ends);
    }
  });
});
