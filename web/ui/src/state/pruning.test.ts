import type { MetricInfo } from '@hotframe/engine';
import { describe, expect, it } from 'vitest';
import {
  cutOf,
  HIDE_BELOW,
  LEVELS,
  nextChoice,
  pruningOf,
  restText,
  totalsAddUp,
} from './pruning.ts';

const metrics = [{ adds_up: true }, { adds_up: false }] as MetricInfo[];

describe('what is left out of a tree', () => {
  it('is what is small or deep, as far as was asked for', () => {
    const pruning = { least: 1, levels: 3 };
    expect(cutOf(pruning, 3, 10n, 1000n)).toBeUndefined();
    expect(cutOf(pruning, 3, 9n, 1000n)).toBe('least');
    expect(cutOf(pruning, 4, 900n, 1000n)).toBe('levels');
    expect(cutOf(pruning, 1, -20n, -1000n)).toBeUndefined();
    expect(cutOf({ least: 0, levels: undefined }, 99, 0n, 1000n)).toBeUndefined();
  });

  it('is not told by shares where values are none', () => {
    expect(
      pruningOf({ hideBelow: 1, levels: undefined, metrics, isComparison: false }, 0),
    ).toMatchObject({ least: 1 });
    expect(
      pruningOf({ hideBelow: 1, levels: undefined, metrics, isComparison: false }, 1),
    ).toBeUndefined();
    expect(pruningOf({ hideBelow: 1, levels: 2, metrics, isComparison: false }, 1)).toEqual({
      least: 0,
      levels: 2,
    });
  });

  it('is counted, and added up where nothing is in two of it', () => {
    const pruning = { least: 0.5, levels: 2 };
    expect(restText({ count: 1200, why: 'least' }, pruning)).toBe('1,200 more below 0.5 %');
    expect(restText({ count: 1, why: 'levels' }, pruning)).toBe('1 below level 2');
    const adds = (kind: 'top_down' | 'all_callers' | 'flat', metric: number, isProgram: boolean) =>
      totalsAddUp({ kind }, metrics[metric], isProgram);
    expect([adds('top_down', 0, true), adds('all_callers', 0, false)]).toEqual([true, true]);
    expect([adds('top_down', 1, true), adds('all_callers', 0, true)]).toEqual([false, false]);
    expect(adds('flat', 0, false)).toBe(false);
  });

  it('goes round with a key', () => {
    expect(nextChoice(HIDE_BELOW, '5')).toBe('0');
    expect(nextChoice(LEVELS, '')).toBe('2');
    // One that an address has is none of them.
    expect(nextChoice(HIDE_BELOW, '7')).toBe('0');
  });
});
