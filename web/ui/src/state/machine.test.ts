import { describe, expect, it } from 'vitest';
import { createMachine } from './machine.ts';

function storage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

describe('the machine of a roofline', () => {
  it('is remembered', () => {
    const here = storage();
    createMachine(here).value = { bandwidth: 12.5, peak: 80 };
    expect(createMachine(here).value).toEqual({ bandwidth: 12.5, peak: 80 });
  });

  it('is a usual one where nothing is remembered, or nonsense', () => {
    const here = storage();
    here.setItem('hotframe.machine', 'a b');
    expect(createMachine(here).value).toEqual(createMachine(undefined).value);
    expect(createMachine(undefined).value.bandwidth).toBeGreaterThan(0);
  });
});
