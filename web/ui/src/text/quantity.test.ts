import { describe, expect, it } from 'vitest';
import { formatAllDigits, formatDifference, formatQuantity } from './quantity.ts';

describe('a quantity', () => {
  it.each([
    [0, 'bytes', '0 B'],
    [1024, 'bytes', '1 KiB'],
    [8.5899e9, 'bytes', '8 GiB'],
    [999.9e6, 'operations', '1 Gop'],
    [4_294_967_296, 'operations', '4.29 Gop'],
    [0, 'operations', '0 op'],
    [12, 'operations', '12 op'],
    [0.0833333, 'operations/byte', '0.083 op/B'],
    [0.0000123, '', '1.2e-5'],
    [1.5e-3, '', '0.0015'],
    [1e24, 'bytes', '1.00e24 B'],
    [2.5e30, 'operations', '2.50e30 op'],
    [1500, 'nanoseconds', '1.5 µs'],
    [2 ** 31, 'bytes/second', '2 GiB/s'],
    [Number.NaN, 'bytes', '–'],
    [Infinity, 'bytes', '∞'],
  ])('%d %s reads %s', (value, unit, text) => {
    expect(formatQuantity(value, unit)).toBe(text);
  });

  it('has a sign where it is a difference', () => {
    expect(formatDifference(2048, 'bytes')).toBe('+2 KiB');
    expect(formatDifference(-2048, 'bytes')).toBe('−2 KiB');
  });

  it('can be had with all digits', () => {
    expect(formatAllDigits(4294967296, '4294967296', 'operations')).toBe(
      '4,294,967,296 operations',
    );
    expect(formatAllDigits(1.25, null, '')).toBe('1.25');
  });
});
