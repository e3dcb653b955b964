import { describe, expect, it } from 'vitest';
import type { Mark, ScatterScene } from '../scatter/marks.ts';
import { onSharedAxes, perRun } from './axes.ts';

const scene = (
  across: readonly [number, number],
  up: readonly [number, number],
  largest: bigint,
  marks: readonly Partial<Mark>[],
) => ({ across, up, largest, marks, diagonals: [{}] }) as unknown as ScatterScene;

describe('scatters on shared axes', () => {
  it('have marks where their figures are', () => {
    const [first, second] = onSharedAxes([
      scene([1, 100], [1, 10], 100n, [{ zone: 'plot', x: 0.5, y: 1, radius: 1 }]),
      scene([100, 10_000], [0.1, 1], 25n, [
        { zone: 'plot', x: 0.5, y: 0, radius: 1 },
        { zone: 'no_calls', x: 0.5, y: 0.3, radius: 0.5 },
        { zone: 'no_value', x: 0, y: 0.5, radius: 0.5 },
      ]),
    ]);
    expect(first!.across).toEqual([1, 10_000]);
    expect(second!.up).toEqual([0.1, 10]);
    const near = (value: number) => Math.round(value * 1000) / 1000;
    const places = (of: ScatterScene) =>
      of.marks.map(({ x, y, radius }) => [x, y, radius].map(near));
    // 10 of 1 to 10,000 is a quarter, 1,000 three quarters; 10 is at the top, 0.1 at the bottom.
    expect(places(first!)).toEqual([[0.25, 1, 1]]);
    expect(places(second!)).toEqual([
      [0.75, 0, 0.5],
      [0.5, 0.3, 0.25],
      [0.5, 0.5, 0.25],
    ]);
  });
});

it('a scatter of four runs has a quarter of their calls', () => {
  const four = scene([10, 1000], [1, 10], 100n, [
    { zone: 'plot', x: 0.5, y: 1, radius: 1 },
    { zone: 'no_calls', x: 0.5, y: 0.3, radius: 0.5 },
  ]);
  const { across, largest, marks } = perRun(four, 4);
  // 100 calls are 25 a run.
  expect(across).toEqual([1, 1000]);
  expect(marks[0]!.x).toBeCloseTo(Math.log10(25) / 3);
  expect(marks[1]!.x).toBe(0.5);
  expect(largest).toBe(25n);
});
