import { describe, expect, it } from 'vitest';
import { ROW_HEIGHT } from '../../canvas/paint.ts';
import { panRange, WHOLE, zoomRange } from '../../canvas/viewport.ts';
import { serves, windowFor } from './window.ts';

const SIZE = { width: 1020, height: 400 };
const DEEP = 10_000;

describe('what is asked for', () => {
  it('serves what it was asked for, wherever that is', () => {
    let range = WHOLE;
    for (let step = 0; step < 60; step++) {
      range = panRange(zoomRange(range, 0.8, (step % 10) / 10), 0.1);
      const view = { ...range, top: step * 37 };
      expect(serves(windowFor(view, SIZE), DEEP, view, SIZE)).toBe(true);
    }
  });

  it('serves what is a little further, but neither much further nor much closer', () => {
    const view = { from: 0.4, to: 0.5, top: 1000 };
    const have = windowFor(view, SIZE);
    const after = (share: number) => ({ ...view, ...panRange(view, share) });
    expect(serves(have, DEEP, after(0.24), SIZE)).toBe(true);
    expect(serves(have, DEEP, after(-0.24), SIZE)).toBe(true);
    expect(serves(have, DEEP, after(0.3), SIZE)).toBe(false);
    expect(serves(have, DEEP, { ...view, ...zoomRange(view, 0.9, 0.5) }, SIZE)).toBe(false);
    expect(serves(have, DEEP, { ...view, ...zoomRange(view, 1.4, 0.5) }, SIZE)).toBe(true);
    expect(serves(have, DEEP, { ...view, ...zoomRange(view, 1.6, 0.5) }, SIZE)).toBe(false);
  });

  it('is finer where the picture is wider', () => {
    const view = { ...WHOLE, top: 0 };
    const have = windowFor(view, SIZE);
    expect(serves(have, DEEP, view, { ...SIZE, width: 1040 })).toBe(true);
    expect(serves(have, DEEP, view, { ...SIZE, width: 1400 })).toBe(false);
    expect(serves(have, DEEP, view, { ...SIZE, width: 200 })).toBe(false);
  });

  it('has rows around those in sight, as far as there are any', () => {
    const view = { ...WHOLE, top: 100 * ROW_HEIGHT };
    const have = windowFor(view, SIZE);
    const scrolled = (rows: number) => ({ ...view, top: view.top + rows * ROW_HEIGHT });
    expect(serves(have, DEEP, scrolled(10), SIZE)).toBe(true);
    expect(serves(have, DEEP, scrolled(-10), SIZE)).toBe(true);
    expect(serves(have, DEEP, scrolled(20), SIZE)).toBe(false);
    expect(serves(have, DEEP, scrolled(-20), SIZE)).toBe(false);
    // There are no rows below those that it has.
    expect(serves(have, 110, scrolled(20), SIZE)).toBe(true);
    expect(windowFor({ ...WHOLE, top: 0 }, SIZE).firstRow).toBe(0);
  });
});
