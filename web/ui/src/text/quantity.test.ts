import { describe, expect, it } from 'vitest';
import { formatAllDigits, formatDifference } from './quantity.ts';

describe('a quantity', () => {
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
