import { describe, expect, it } from 'vitest';
import type { AccessesRun } from '../../state/accesses.ts';
import { sameIteration, valuesAt } from './iterations.ts';

/** One access in each iteration of two loops, in the order of their names. */
function run(
  variables: readonly string[],
  iterations: readonly (readonly number[])[],
): AccessesRun {
  return {
    result: { variables, references: [{ loops: variables.map((_, at) => at) }] },
    columns: {
      start: Uint32Array.from(iterations.keys()),
      reference: new Uint32Array(iterations.length),
      value: Float64Array.from(iterations.flat()),
    },
  } as unknown as AccessesRun;
}

const rows = [0, 1].flatMap((outer) => [0, 1, 2].map((inner) => [outer, inner]));

describe('the same iteration of other loops', () => {
  const plain = run(['i', 'j'], rows);

  it('is where loops of the same names are', () => {
    const turned = run(
      ['j', 'i'],
      [0, 1, 2].flatMap((j) => [0, 1].map((i) => [j, i])),
    );
    for (let at = 0; at < rows.length; at += 1) {
      const same = sameIteration(plain, at, turned)!;
      expect([...valuesAt(turned, same)].reverse()).toEqual([...valuesAt(plain, at)]);
    }
    expect(sameIteration(plain, 1, turned)).toBe(2);
  });

  it('is found from within tiles, and not where there are none', () => {
    const tiled = run(
      ['i_tile', 'i', 'j'],
      rows.map(([i, j]) => [0, i!, j!]),
    );
    expect(sameIteration(tiled, 4, plain)).toBe(4);
    expect(sameIteration(plain, 4, tiled)).toBeUndefined();
  });
});
