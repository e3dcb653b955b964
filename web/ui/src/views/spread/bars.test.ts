import { describe, expect, it } from 'vitest';
import { barsOf } from './bars.ts';

const values = (...list: number[]) => BigInt64Array.from(list, BigInt);

describe('the bars of a series', () => {
  it('stand side by side and share one scale', () => {
    const bars = barsOf(values(10, 5, 0), 300, 60);
    expect(bars.map(({ height }) => height)).toEqual([60, 30, 0]);
    expect(bars.map(({ x }) => x)).toEqual([0, 100, 200]);
  });

  it('show the highest where there is no room for each', () => {
    const many = Array.from({ length: 1000 }, (_, index) => (index === 501 ? 9 : 1));
    const bars = barsOf(values(...many), 300, 60);
    expect(bars.length).toBeLessThanOrEqual(200);
    const peak = bars.find(({ highest }) => highest === 501);
    expect(peak?.height).toBe(60);
    expect(bars.at(-1)?.last).toBe(999);
  });

  it('hang below zero where values are negative', () => {
    const [up, down] = barsOf(values(4, -4), 100, 80);
    expect(up).toMatchObject({ y: 0, height: 40 });
    expect(down).toMatchObject({ y: 40, height: 40 });
  });

  it('clip what stands too far apart', () => {
    const bars = barsOf(values(10, 8, 1000), 300, 60, new Set([2]));
    expect(bars.map(({ clipped }) => clipped)).toEqual([false, false, true]);
    expect(bars[0]!.height).toBe(48);
    expect(bars[2]!.height).toBe(60);
    expect(barsOf(values(10, 8, 20), 300, 60, new Set([2])).some((bar) => bar.clipped)).toBe(false);
  });

  it('are none for no values', () => {
    expect(barsOf(values(), 100, 80)).toEqual([]);
  });
});
