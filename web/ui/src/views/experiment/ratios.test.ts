import { describe, expect, test } from 'vitest';
import { rampClasses } from '../charts/ramp.ts';
import { heatClass, strongest } from './heat.ts';
import { linearAxis, placeOf, ratioAxis, tickText } from './ratios.ts';

describe('the axis of ratios', () => {
  test('has 1 in its middle, and equal factors at equal lengths', () => {
    const axis = ratioAxis([[0.5, 1.5]]);
    expect(placeOf(axis, 1)).toBeCloseTo(0.5);
    expect(placeOf(axis, 2) - 0.5).toBeCloseTo(0.5 - placeOf(axis, 0.5));
    expect(placeOf(axis, 0.5)).toBeGreaterThan(0);
    expect(placeOf(axis, 0.5)).toBeLessThan(0.1);
  });

  test('holds what is drawn, up to a limit where the rest is cut off', () => {
    for (const far of [1.001, 1.03, 1.4, 3, 15, 1000, Number.POSITIVE_INFINITY]) {
      const axis = ratioAxis([[1 / far, far]]);
      expect(axis.high).toBeGreaterThanOrEqual(Math.min(far, 16));
      expect(axis.high).toBeLessThanOrEqual(16);
      expect(placeOf(axis, far)).toBeLessThanOrEqual(1);
      expect(placeOf(axis, 0)).toBe(0);
    }
  });

  test('has few ticks, none beyond it, far enough apart to be read', () => {
    for (const far of [1.02, 1.1, 1.5, 2, 5, 16]) {
      const axis = ratioAxis([[1, far]]);
      expect(axis.ticks).toContain(1);
      expect(axis.ticks.length).toBeGreaterThanOrEqual(3);
      expect(axis.ticks.length).toBeLessThanOrEqual(5);
      const places = axis.ticks.map((tick) => placeOf(axis, tick));
      const gaps = places.slice(1).map((place, at) => place - places[at]!);
      expect(Math.min(...gaps), `up to ${far}`).toBeGreaterThan(0.12);
    }
  });

  test('says how many times', () => {
    expect([0.5, 1 / 1.05, 1, 1.2, 4].map(tickText)).toEqual([
      '÷2',
      '÷1.05',
      'equal',
      '×1.2',
      '×4',
    ]);
  });
});

test('the axis of values has round numbers, and no negative ones without need', () => {
  const { low, high, ticks } = linearAxis([0.101, 0.17]);
  expect(low).toBeLessThanOrEqual(0.101);
  expect(high).toBeGreaterThanOrEqual(0.17);
  expect(ticks.length).toBeLessThanOrEqual(7);
  expect(linearAxis([0.1, 4]).low).toBe(0);
  expect(linearAxis([-3, 4]).low).toBeLessThanOrEqual(-3);
  expect(linearAxis([5]).high).toBeGreaterThan(5);
  expect(linearAxis([]).ticks).toEqual([0]);
});

test('the least is weakest, the most strongest, and small differences stay weak', () => {
  const classes = rampClasses();
  const most = strongest([1, 3, null]);
  expect(heatClass(1, most)).toBe(classes[0]);
  expect(heatClass(3, most)).toBe(classes.at(-1));
  expect(heatClass(null, most)).toBeUndefined();
  const near = strongest([1, 1.01]);
  expect(classes.indexOf(heatClass(1.01, near)!)).toBeLessThan(2);
});
