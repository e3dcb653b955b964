import { describe, expect, it } from 'vitest';
import { between, clampRange, clampTop, panRange, rangeAround, zoomRange } from './viewport.ts';

describe('the viewport', () => {
  it('keeps the point under the pointer while zooming', () => {
    const range = { from: 0.2, to: 0.6 };
    const next = zoomRange(range, 0.5, 0.25);
    expect(next.from + (next.to - next.from) * 0.25).toBeCloseTo(0.3, 12);
    expect(next.to - next.from).toBeCloseTo(0.2, 12);
  });

  it('never leaves the graph', () => {
    expect(zoomRange({ from: 0.1, to: 0.3 }, 100, 0.5)).toEqual({ from: 0, to: 1 });
    const panned = panRange({ from: 0.5, to: 0.9 }, 1);
    expect(panned.from).toBeCloseTo(0.6, 12);
    expect(panned.to).toBeCloseTo(1, 12);
    expect(clampRange({ from: -0.5, to: 0 })).toEqual({ from: 0, to: 0.5 });
  });

  it('stays finite however far one zooms', () => {
    let range = { from: 0, to: 1 };
    for (let step = 0; step < 200; step++) range = zoomRange(range, 0.5, 0.7);
    expect(range.to - range.from).toBeGreaterThan(0);
  });

  it('shows a narrow box with some room', () => {
    const range = rangeAround(0.5, 0.01);
    expect(range.from).toBeLessThan(0.5);
    expect(range.to).toBeGreaterThan(0.51);
  });

  it('scrolls only as far as there are rows', () => {
    expect(clampTop(500, 300, 400)).toBe(0);
    expect(clampTop(500, 800, 400)).toBe(400);
    expect(clampTop(-5, 800, 400)).toBe(0);
  });

  it('starts and ends an animation where it should', () => {
    const a = { from: 0, to: 1, top: 0 };
    const b = { from: 0.4, to: 0.401, top: 200 };
    expect(between(a, b, 0)).toEqual(a);
    const end = between(a, b, 1);
    expect(end.from).toBeCloseTo(b.from, 12);
    expect(end.to).toBeCloseTo(b.to, 12);
    const middle = between(a, b, 0.5);
    expect(middle.from).toBeLessThan(b.from);
    expect(middle.to).toBeGreaterThan(b.to);
  });
});
