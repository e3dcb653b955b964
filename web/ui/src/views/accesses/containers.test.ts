import type { AccessedContainer } from '@hotframe/engine';
import { describe, expect, it } from 'vitest';
import type { AccessesRun } from '../../state/accesses.ts';
import { chosenOf, chosenText, find, isSame, labelsOf } from './containers.ts';

function of(...containers: readonly (readonly [string, readonly number[]])[]) {
  const all = containers.map(
    ([name, shape]) => ({ name, shape: [...shape] }) as Partial<AccessedContainer>,
  );
  return { result: { containers: all } } as unknown as Pick<AccessesRun, 'result'>;
}

describe('chosen elements', () => {
  it('are the same at other sizes, or none', () => {
    const [small, large] = [of(['a', [4, 5]]), of(['a', [6, 9]])];
    const chosen = chosenOf(small, { number: 0, element: 13 });
    expect(chosenText(small, chosen)).toBe('a[2, 3]');
    expect(chosenText(large, chosen)).toBe('a[2, 3]');
    expect(find(large, chosen)).toEqual({ number: 0, element: 21 });
    expect(find(of(['a', [2, 9]]), chosen)).toBeUndefined();
    expect(find(of(['b', [4, 5]]), chosen)).toBeUndefined();
    expect(find(of(['a', [4, 5, 6]]), chosen)).toBeUndefined();
  });

  it('may be given by their place', () => {
    const own = of(['a', [4, 5]], ['s', []]);
    expect(find(own, { container: 'a', indices: [13] })).toEqual({ number: 0, element: 13 });
    expect(find(own, { container: 'a', indices: [20] })).toBeUndefined();
    expect(find(own, { container: 's', indices: [] })).toEqual({ number: 1, element: 0 });
    const both = [[13], [2, 3]].map((indices) => ({ container: 'a', indices }));
    expect(isSame(own, both[0]!, both[1]!)).toBe(true);
  });

  it('tell containers of one name apart', () => {
    const own = of(['t', [2]], ['a', [2]], ['t', [3]]);
    expect(labelsOf(own)).toEqual(['t', 'a', 't (2)']);
    const chosen = chosenOf(own, { number: 2, element: 2 });
    expect(find(own, chosen)).toEqual({ number: 2, element: 2 });
  });
});
