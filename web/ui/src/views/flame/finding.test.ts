import { describe, expect, it } from 'vitest';
import { matchBeside, type Matches } from './finding.ts';

function found(...nodes: number[]): Matches {
  const places = {
    node: Uint32Array.from(nodes),
    row: new Uint32Array(nodes.length),
    x: new Float64Array(nodes.length),
    width: new Float64Array(nodes.length),
  };
  return { search: 'x', instance: 1, places, count: nodes.length, more: false };
}

describe('matches of a search', () => {
  it('begin with the widest and go around in both directions', () => {
    const matches = found(7, 3, 9);
    expect(matchBeside(matches, undefined, 1)).toBe(0);
    expect(matchBeside(matches, 7, 1)).toBe(1);
    expect(matchBeside(matches, 9, 1)).toBe(0);
    expect(matchBeside(matches, undefined, -1)).toBe(2);
    expect(matchBeside(matches, 7, -1)).toBe(2);
    expect(matchBeside(matches, 4, 1)).toBe(0);
  });

  it('may be none', () => {
    expect(matchBeside(found(), 7, 1)).toBeUndefined();
  });
});
