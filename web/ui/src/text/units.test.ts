import { expect, it } from 'vitest';
import { formatExact, formatShare, formatValue } from './units.ts';

it.each([
  [0n, 'nanoseconds', 0, '0'],
  [999n, 'nanoseconds', 0, '999 ns'],
  [1500n, 'nanoseconds', 0, '1.5 µs'],
  [999_999n, 'nanoseconds', 0, '1 ms'],
  [1_840_000_000n, 'nanoseconds', 0, '1.84 s'],
  [-9_270_000_000n, 'nanoseconds', 0, '-9.27 s'],
  [12_345_000_000_000n, 'ns', 0, '12345 s'],
  [1536n, 'bytes', 0, '1.5 KiB'],
  [1024n * 1024n * 20n, 'bytes', 0, '20 MiB'],
  [3n, 'kilobytes', 0, '3 KiB'],
  [1_234_567n, 'count', 0, '1,234,567'],
  [-1_234n, 'count', 0, '-1,234'],
  [1_234_500n, 'samples', 3, '1,234.5 samples'],
  [1500n, 'seconds', 3, '1.5 s'],
  [2n ** 63n - 1n, 'count', 0, '9,223,372,036,854,775,808'],
] as const)('reads %s %s (%s decimals) as %s', (value, unit, decimals, text) => {
  expect(formatValue(value, { unit, decimals })).toBe(text);
});

it.each([
  [2n ** 63n - 1n, 'count', 0, '9,223,372,036,854,775,807 count'],
  [-5n, 'nanoseconds', 0, '-5 nanoseconds'],
  [1_234_500n, 'samples', 3, '1,234.5 samples'],
  [5n, 'samples', 3, '0.005 samples'],
] as const)('keeps %s %s exact', (value, unit, decimals, text) => {
  expect(formatExact(value, { unit, decimals })).toBe(text);
});

it.each([
  [0, '0 %'],
  [0.814, '81.4 %'],
  [0.00123, '0.12 %'],
  [0.00001, '< 0.01 %'],
  [1, '100.0 %'],
  [Number.NaN, '–'],
])('reads the share %s as %s', (share, text) => {
  expect(formatShare(share)).toBe(text);
});
