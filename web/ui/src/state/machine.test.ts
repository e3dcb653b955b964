import { describe, expect, it } from 'vitest';
import { createMachine, measuredMachine } from './machine.ts';

function storage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

describe('the machine of a roofline', () => {
  it('is remembered where it was typed', () => {
    const here = storage();
    createMachine(here).value = { bandwidth: 12.5, peak: 80, origin: 'typed' };
    expect(createMachine(here).value).toEqual({ bandwidth: 12.5, peak: 80, origin: 'typed' });
    createMachine(here).value = { bandwidth: 21, peak: 90, origin: 'measured' };
    expect(createMachine(here).value.origin).toBe('example');
  });

  it('is an example where nothing is remembered, or nonsense', () => {
    const here = storage();
    here.setItem('hotframe.machine', 'a b');
    expect(createMachine(here).value).toEqual(createMachine(undefined).value);
    // Pages before wrote the example down.
    here.setItem('hotframe.machine', '40 500');
    expect(createMachine(here).value.origin).toBe('example');
    expect(createMachine(undefined).value.bandwidth).toBeGreaterThan(0);
  });

  it('is what was measured, in 10^9', () => {
    const measured = { bandwidth: 20_123_456_789, peak: 61_987_654_321 };
    expect(measuredMachine({ measured, threads: 2, caches: '' })).toEqual({
      bandwidth: 20.1,
      peak: 62,
      origin: 'measured',
    });
    expect(measuredMachine({ measured: null, threads: 0, caches: '' })).toBeUndefined();
  });
});
