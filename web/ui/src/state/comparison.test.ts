import type { SummaryResult } from '@hotframe/engine';
import { expect, it } from 'vitest';
import { differenceOf } from './comparison.ts';

const compared = (kind: 'absolute' | 'total' | 'frame') =>
  ({ comparison: { normalise: { kind } } }) as unknown as SummaryResult;

it.each(['total', 'frame'] as const)('equals what scaling to equal %ss rounds apart', (kind) => {
  const summary = compared(kind);
  expect(differenceOf(summary, 10_000_000_000n, 10_000_000_001n)).toBe(0n);
  expect(differenceOf(summary, -4_285_714_286n, -4_285_714_285n)).toBe(0n);
  // More than one of a thousand million is a change, as is whatever there was none of.
  expect(differenceOf(summary, 10_000_000_000n, 10_000_000_011n)).toBe(11n);
  expect(differenceOf(summary, 100n, 99n)).toBe(-1n);
  expect(differenceOf(summary, 0n, 1n)).toBe(1n);
});

it('leaves values that were not scaled as they are', () => {
  expect(differenceOf(compared('absolute'), 10_000_000_000n, 10_000_000_001n)).toBe(1n);
  expect(differenceOf(undefined, 2n ** 62n, 2n ** 62n - 1n)).toBe(-1n);
});
