import { describe, expect, it } from 'vitest';
import { inLine } from './Pick.tsx';

describe('what is chosen, within a line', () => {
  it.each([
    ['LRU', 'LRU'],
    ['Tree-PLRU', 'tree-PLRU'],
    ['Inclusive', 'inclusive'],
    ['32K bytes', '32K bytes'],
  ])('%s reads %s', (label, text) => {
    expect(inLine(label)).toBe(text);
  });
});
