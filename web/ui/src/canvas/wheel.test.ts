import { describe, expect, it } from 'vitest';
import { wheelWith } from './wheel.fixture.ts';
import { isZoom, zoomFactor } from './wheel.ts';

describe('a wheel', () => {
  it('counts pixels, lines and pages', () => {
    const dys = [0, 1, 2].map((deltaMode) => wheelWith({ deltaY: 3, deltaMode }).dy);
    expect(dys).toEqual([3, 48, 1200]);
    expect(wheelWith({ deltaX: -2, deltaMode: 1 }).dx).toBe(-32);
  });

  it('jumps from a notch on, in any direction', () => {
    expect(wheelWith({ deltaY: 39 }).jumps).toBe(false);
    expect(wheelWith({ deltaY: -40 }).jumps).toBe(true);
    expect(wheelWith({ deltaX: 20, deltaY: -20 }).jumps).toBe(true);
    expect(wheelWith({ deltaY: 3, deltaMode: 1 }).jumps).toBe(true);
  });

  it('zooms with a key', () => {
    expect(isZoom(wheelWith({ deltaY: 1 }))).toBe(false);
    expect(isZoom(wheelWith({ deltaY: 1, shiftKey: true }))).toBe(false);
    expect(isZoom(wheelWith({ deltaY: 1, ctrlKey: true }))).toBe(true);
    expect(isZoom(wheelWith({ deltaY: 1, metaKey: true }))).toBe(true);
  });

  it('leads away downwards, and back by the same turn upwards', () => {
    for (let deltaY = 1; deltaY < 400; deltaY += 3) {
      for (const mayPinch of [true, false]) {
        const away = zoomFactor(wheelWith({ deltaY }), mayPinch, 0.002);
        const closer = zoomFactor(wheelWith({ deltaY: -deltaY }), mayPinch, 0.002);
        expect(away).toBeGreaterThan(1);
        expect(away * closer).toBeCloseTo(1, 12);
      }
    }
    expect(zoomFactor(wheelWith({ deltaX: 90 }), true, 0.002)).toBe(1);
  });

  it('is faster in small turns with a key, as a pinch is', () => {
    const turn = wheelWith({ deltaY: 10 });
    expect(zoomFactor(turn, true, 0.002)).toBeGreaterThan(zoomFactor(turn, false, 0.002));
    const notch = wheelWith({ deltaY: 100 });
    expect(zoomFactor(notch, true, 0.002)).toBe(zoomFactor(notch, false, 0.002));
  });
});
