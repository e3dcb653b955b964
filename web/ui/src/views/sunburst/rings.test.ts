import { describe, expect, it } from 'vitest';
import { around, outline, ringsOf } from './rings.ts';

const SIZE = { width: 220, height: 300 };

describe('rings', () => {
  it('are as wide as each other, or as large', () => {
    const { middle, ends } = ringsOf(SIZE, 5, false);
    expect(middle).toEqual([110, 150]);
    const widths = ends.slice(1).map((end, row) => end - ends[row]!);
    for (const width of widths) expect(width).toBeCloseTo(21);
    expect(ends.at(-1)).toBeCloseTo(100);
    const areas = ringsOf(SIZE, 5, true).ends.map((end) => end ** 2);
    const grown = areas.slice(1).map((area, row) => area - areas[row]!);
    for (const area of grown) expect(area).toBeCloseTo(grown[0]!);
  });

  it('go clockwise from above', () => {
    const near = (share: number) => around([0, 0], share, 10).map((one) => Math.round(one) + 0);
    expect([near(0), near(0.25), near(0.5), near(0.75)]).toEqual([
      [0, -10],
      [10, 0],
      [0, 10],
      [-10, 0],
    ]);
  });

  it('are outlined, whole ones too', () => {
    const quarter = outline([0, 0], { from: 0, to: 0.25, inner: 5, outer: 10 });
    expect(quarter).toBe(
      'M0.00 -10.00A10.00 10.00 0 0 1 10.00 0.00L5.00 0.00A5.00 5.00 0 0 0 0.00 -5.00Z'.replace(
        '10.00 0.00L5.00 0.00',
        '10.00 -0.00L5.00 -0.00',
      ),
    );
    const whole = outline([0, 0], { from: 0, to: 1, inner: 0, outer: 10 });
    expect(whole.match(/A/g)).toHaveLength(2);
  });
});
