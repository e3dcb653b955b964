import { expect, it } from 'vitest';
import { linesOf, rowOf, tooShort } from './lines.ts';

it('counts lines as editors do', () => {
  expect(linesOf('a\r\nb\n').texts).toEqual(['a', 'b']);
  expect(linesOf('a\n\n').texts).toEqual(['a', '']);
  expect(linesOf('').texts).toEqual(['']);
});

it('knows how wide a text is', () => {
  expect(linesOf('ab\n\tcd\na\tb').columns).toBe(6);
  const long = linesOf(`${'x'.repeat(5000)}\ny`);
  expect([long.columns, long.cut]).toEqual([2001, 1]);
});

it('finds what was measured', () => {
  const lines = Uint32Array.of(3, 7, 9);
  expect([1, 3, 4, 7, 9, 10].map((line) => rowOf(lines, line))).toEqual([
    undefined,
    0,
    undefined,
    1,
    2,
    undefined,
  ]);
  expect(rowOf(new Uint32Array(), 1)).toBeUndefined();
});

it('does not believe a text that is too short', () => {
  const none = new BigInt64Array();
  const values = { line: Uint32Array.of(9), self_value: none, total_value: none, scale: none };
  expect(tooShort(9, 4, values)).toBeUndefined();
  expect(tooShort(8, 4, values)).toContain('line 9');
  expect(tooShort(8, 10, undefined)).toContain('line 10');
});
