import { describe, expect, it } from 'vitest';
import { placeOf, THRESHOLDS } from './threshold.ts';

describe('the slider of lines', () => {
  it('has a place for each number that it can be at, so that keys move it', () => {
    THRESHOLDS.forEach((lines, place) => expect(placeOf(lines)).toBe(place));
    expect(THRESHOLDS.slice(0, 12)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(THRESHOLDS.at(-1)).toBe(65536);
  });

  it('is at the nearest number where it has no place, and at its end beyond', () => {
    expect(THRESHOLDS[placeOf(1000)]).toBe(1024);
    expect(THRESHOLDS[placeOf(1e12)]).toBe(65536);
  });
});
