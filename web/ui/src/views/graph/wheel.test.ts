import { describe, expect, it } from 'vitest';
import { wheelWith } from '../../canvas/wheel.fixture.ts';
import { wheelEffect } from './wheel.ts';

describe('the wheel on a graph', () => {
  it('pans in all directions, and sideways with Shift', () => {
    const pan = (dx: number, dy: number) => ({ kind: 'pan', dx, dy });
    expect(wheelEffect(wheelWith({ deltaX: 3, deltaY: 100 }))).toEqual(pan(3, 100));
    expect(wheelEffect(wheelWith({ deltaY: 100, shiftKey: true }))).toEqual(pan(100, 0));
    expect(wheelEffect(wheelWith({ deltaX: 90, shiftKey: true }))).toEqual(pan(90, 0));
  });

  it.each(['ctrlKey', 'metaKey'])('zooms with %s, closer upwards', (key) => {
    const factor = (deltaY: number) => {
      const effect = wheelEffect(wheelWith({ deltaY, [key]: true }));
      return effect.kind === 'zoom' ? effect.factor : Number.NaN;
    };
    expect(factor(-100)).toBeCloseTo(Math.exp(0.28), 12);
    expect(factor(-10)).toBeCloseTo(Math.exp(0.1), 12);
    expect(factor(100) * factor(-100)).toBeCloseTo(1, 12);
  });
});
