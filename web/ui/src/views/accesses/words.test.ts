import { describe, expect, it } from 'vitest';
import type { AccessesRun } from '../../state/accesses.ts';
import { addressText, allText, rangeText } from './words.ts';

const run = (hasEach: boolean) =>
  ({ result: { has_each: hasEach } }) as unknown as Pick<AccessesRun, 'result'>;

describe('what is counted', () => {
  it('is said where it is not all', () => {
    expect(rangeText(run(true), { from: 2, to: 1199 }, false)).toBe('iterations 3 to 1,200');
    expect(rangeText(run(true), { from: 2, to: 2 }, false)).toBe('iteration 3');
    expect(rangeText(run(true), { from: 0, to: 4 }, true)).toBe('accesses 1 to 5');
    expect(rangeText(run(true), undefined, false)).toBeUndefined();
    // Sums are always of all.
    expect(rangeText(run(false), { from: 2, to: 5 }, false)).toBeUndefined();
    expect([allText(false), allText(true)]).toEqual(['all iterations', 'all of the recording']);
  });

  it('stands at addresses as debuggers write them, where those were recorded', () => {
    expect([addressText(4096, true), addressText(4096, false)]).toEqual(['0x1000', '4,096']);
  });
});
