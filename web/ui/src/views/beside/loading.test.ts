import { describe, expect, it } from 'vitest';
import { type BesidePane, onlyIn, shareOfSelf } from './loading.ts';

const pane = (names: string, unlisted = 0): BesidePane => ({
  document: 0,
  title: names,
  metric: { name: 'time', unit: 'nanoseconds' } as BesidePane['metric'],
  bars: undefined,
  scatter: undefined,
  functions: [...names].map((name, at) => ({ name, key: at, self: BigInt(at), total: 9n })),
  unlisted,
  whole: 10n,
});

describe('functions of one profile only', () => {
  it('are those whose names no other has, the largest first', () => {
    const names = onlyIn([pane('abcd'), pane('bx'), pane('ab')])?.map((functions) =>
      functions.map(({ name }) => name).join(''),
    );
    expect(names).toEqual(['dc', 'x', '']);
  });

  it('are not known where lists are cut', () => {
    expect(onlyIn([pane('ab'), pane('bc', 1)])).toBeUndefined();
  });

  it('have a share of their program', () => {
    const one = pane('abc');
    expect(shareOfSelf(one.functions, one)).toBe(0.3);
  });
});
