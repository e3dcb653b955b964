import { describe, expect, it } from 'vitest';
import { logAxis, SLIDER_STEPS, sizeFrom, sliderAt, sliderEnd, sliderValue } from './axis.ts';
import { inkOn, RAMP_STEPS, rampSteps, soften, stepOf } from './ramp.ts';

describe('a logarithmic axis', () => {
  it('goes from power to power and holds all values', () => {
    const axis = logAxis([3, 40, 700], 0, 300, 10)!;
    expect(axis.ticks).toEqual([1, 10, 100, 1000]);
    expect(axis.at(10)).toBeCloseTo(100);
  });

  it('has few ticks however far it goes', () => {
    const axis = logAxis([1, 2 ** 60], 0, 300, 2)!;
    expect(axis.ticks.length).toBeLessThanOrEqual(7);
    expect(axis.ticks[1]! / axis.ticks[0]!).toBe(1024);
  });

  it('is none without positive values', () => {
    expect(logAxis([0, -1, Number.NaN], 0, 1, 10)).toBeUndefined();
  });
});

describe('a slider over a size', () => {
  it('meets powers of two', () => {
    const end = sliderEnd(256);
    expect(end).toBe(2 ** 20);
    for (const value of [1, 2, 64, 256, 4096, 2 ** 20]) {
      expect(sliderValue(sliderAt(value, end), end)).toBe(value);
    }
  });

  it('reaches beyond large suggestions, and moves at each step', () => {
    expect(sliderEnd(2 ** 30)).toBe(2 ** 34);
    const end = sliderEnd(256);
    expect(sliderValue(SLIDER_STEPS, end)).toBe(end);
    expect(sliderValue(210, end)).toBeGreaterThan(sliderValue(205, end));
  });
});

describe('a ramp', () => {
  const ramp = rampSteps(['#000000', '#808080', '#ffffff']);

  it('has the colours that it is made from', () => {
    expect(ramp).toHaveLength(RAMP_STEPS);
    expect(ramp[0]).toBe('#000000');
    expect(ramp.at(-1)).toBe('#ffffff');
    expect(stepOf(-1)).toBe(0);
    expect(stepOf(7)).toBe(RAMP_STEPS - 1);
  });

  it('is written on in a colour that reads', () => {
    expect(inkOn('#ffffff')).toBe('#12151b');
    expect(inkOn('#a00000')).toBe('#ffffff');
  });

  it('is softer on boxes, and as it is where the ground is not a plain colour', () => {
    expect(soften(['#000000'], '#ffffff')).toEqual(['#333333']);
    expect(soften(['#000000'], '#fff')).toEqual(['#333333']);
    expect(soften(['#000000'], 'rgb(1 2 3)')).toEqual(['#000000']);
  });
});

describe('a size that was typed', () => {
  it('is a whole number that an address keeps', () => {
    expect([3.7, 0, -5, 1e30].map(sizeFrom)).toEqual([4, 0, 0, Number.MAX_SAFE_INTEGER]);
  });
});
