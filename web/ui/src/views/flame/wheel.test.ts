import { describe, expect, it } from 'vitest';
import { wheelWith } from '../../canvas/wheel.fixture.ts';
import { wheelEffect, type WheelPlace } from './wheel.ts';

const FITS: WheelPlace = { width: 500, scrolls: false, span: 0.5, turned: 0 };
const TALL: WheelPlace = { ...FITS, scrolls: true };

describe('the wheel on a flame graph', () => {
  it('zooms where all rows fit, and scrolls where they do not', () => {
    expect(wheelEffect(wheelWith({ deltaY: 100 }), FITS)?.kind).toBe('zoom');
    expect(wheelEffect(wheelWith({ deltaY: 100 }), TALL)).toEqual({ kind: 'scroll', pixels: 100 });
    expect(wheelEffect(wheelWith({ deltaY: 100, ctrlKey: true }), TALL)?.kind).toBe('zoom');
    expect(wheelEffect(wheelWith({ deltaY: 100, metaKey: true }), TALL)?.kind).toBe('zoom');
  });

  it('pans sideways, and with Shift', () => {
    const pan = { kind: 'pan', share: 0.2 };
    expect(wheelEffect(wheelWith({ deltaX: 100, deltaY: 99 }), TALL)).toEqual(pan);
    expect(wheelEffect(wheelWith({ deltaY: 100, shiftKey: true }), TALL)).toEqual(pan);
    // Some browsers turn the wheel by themselves.
    expect(wheelEffect(wheelWith({ deltaX: 100, shiftKey: true }), FITS)).toEqual(pan);
    // Equally far in both directions goes up and down.
    expect(wheelEffect(wheelWith({ deltaX: 100, deltaY: 100 }), TALL)?.kind).toBe('scroll');
    const both = wheelWith({ deltaX: 100, deltaY: 10, ctrlKey: true });
    expect(wheelEffect(both, TALL)?.kind).toBe('zoom');
  });

  it('leads closer upwards and away downwards', () => {
    const factor = (deltaY: number) => {
      const effect = wheelEffect(wheelWith({ deltaY }), FITS);
      return effect?.kind === 'zoom' ? effect.factor : Number.NaN;
    };
    expect(factor(-100)).toBeLessThan(1);
    expect(factor(100)).toBeGreaterThan(1);
    expect(factor(-100) * factor(100)).toBeCloseTo(1, 12);
  });

  it('leaves the frame that fills the width, after a rest', () => {
    const whole = { ...FITS, span: 1, turned: 1000 };
    const out = (timeStamp: number) => wheelEffect(wheelWith({ deltaY: 100, timeStamp }), whole);
    expect(out(1200)).toBeUndefined();
    expect(out(1300)).toBeUndefined();
    expect(out(1301)).toEqual({ kind: 'leave' });
    expect(wheelEffect(wheelWith({ deltaY: -100, timeStamp: 1200 }), whole)?.kind).toBe('zoom');
  });
});
