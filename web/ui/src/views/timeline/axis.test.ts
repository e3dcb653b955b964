import { expect, test } from 'vitest';
import { axisOf } from './axis.ts';

test('without idle time places are times', () => {
  const axis = axisOf(100, []);
  expect(axis.length).toBe(100);
  expect(axis.placeOf(40)).toBe(40);
  expect(axis.parts({ from: 10, to: 30 })).toEqual([{ from: 10, to: 30 }]);
});

test('a long idle stretch is a narrow break, and every place has its time', () => {
  const axis = axisOf(1000, [
    [100, 900],
    // A hundredth of what stays is not long.
    [950, 952],
  ]);
  expect(axis.breaks).toHaveLength(1);
  const { begin, end } = axis.breaks[0]!;
  expect(begin).toBe(100);
  expect(end).toBeCloseTo(102.4);
  expect(axis.length).toBeCloseTo(202.4);
  for (const time of [0, 50, 100, 300, 900, 901, 1000]) {
    expect(axis.timeOf(axis.placeOf(time))).toBeCloseTo(time);
  }
  expect(axis.placeOf(500)).toBeCloseTo(101.2);
  expect(axis.parts({ from: 90, to: 110 })).toEqual([
    { from: 90, to: 100 },
    { from: 900, to: expect.closeTo(907.6) as number },
  ]);
  // A window inside of the break shows nothing.
  expect(axis.parts({ from: 100.5, to: 101 })).toEqual([]);
});

test('what is long depends on what stays', () => {
  // Without the first, the second is long as well.
  const axis = axisOf(10_000, [
    [0, 9_000],
    [9_100, 9_150],
  ]);
  expect(axis.breaks).toHaveLength(2);
  expect(axis.breaks[0]?.begin).toBe(0);
  expect(axis.timeOf(axis.length)).toBeCloseTo(10_000);
});

test('breaks of many take no more than a third of what stays', () => {
  const idle = Array.from({ length: 40 }, (_, at): [number, number] => [
    at * 100 + 1,
    at * 100 + 100,
  ]);
  const axis = axisOf(4000, idle);
  expect(axis.length).toBeCloseTo(40 * 1.3);
});

test('instants alone have a length', () => {
  const axis = axisOf(1e9, [[0, 1e9]]);
  expect(axis.length).toBeGreaterThan(0);
  expect(axis.timeOf(axis.length)).toBeCloseTo(1e9);
});
