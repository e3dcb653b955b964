import { describe, expect, it } from 'vitest';
import { decodeBranches, encodeBranches, MOST_BRANCHES, writtenBranches } from './branches.ts';

describe('unfolded branches', () => {
  it('are written each key once, and read again', () => {
    const branches = [[1], [1, 40], [1, 40, 3], [1, 5], [2], [2, 9], [2, 9, 9], [2, 9, 9, 9], [4]];
    const text = encodeBranches(branches);
    expect(text).toBe('1.14.3*5*2.9.9.9***4');
    expect(decodeBranches(text)).toEqual(branches);
    expect(encodeBranches(decodeBranches(text))).toBe(text);
    expect(encodeBranches([])).toBe('');
    expect(decodeBranches('')).toEqual([]);
  });

  it('stand below unfolded ones', () => {
    expect(writtenBranches([[7, 8], [1, 2], [1]])).toEqual([[1], [1, 2]]);
  });

  it('are no more than an address holds', () => {
    const wide = Array.from({ length: 300 }, (_, key) => [key]);
    expect(writtenBranches([...wide, [3, 4]])).toHaveLength(MOST_BRANCHES);
    const deep = Array.from({ length: 300 }, (_, depth) =>
      Array.from({ length: depth + 1 }, () => 5),
    );
    const read = decodeBranches(encodeBranches(deep));
    expect(read).toEqual(deep.slice(0, MOST_BRANCHES));
  });

  it('that are no such text are none', () => {
    for (const bad of ['.', '1..2', '1***2', '*1', '1-', 'zzzzzzzzzzzzzzzz', '<']) {
      expect(decodeBranches(bad)).toEqual([]);
    }
  });
});
