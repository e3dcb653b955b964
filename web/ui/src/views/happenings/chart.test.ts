import { describe, expect, it } from 'vitest';
import { areaOf, stepsOf } from './chart.ts';

describe('a chart of steps', () => {
  it('goes along the values, equal ones as one step', () => {
    expect(stepsOf([0, 2, 2, 1], 2, 10)).toBe('M0 9H1V1H3V5H4');
    expect(areaOf([2], 2, 10)).toBe('M0 1H1V10H0Z');
  });

  it('is nothing without values', () => {
    expect(stepsOf([], 1, 10)).toBe('');
    expect(areaOf([], 1, 10)).toBe('');
  });
});
