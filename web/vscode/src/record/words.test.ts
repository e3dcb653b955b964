import { expect, it } from 'vitest';
import { wordsOf } from './words.ts';

it('splits a command line as a shell does', () => {
  expect(wordsOf(`  ./a  'b c' "d \\" $e" f\\ g '' --h="i j"`)).toEqual([
    './a',
    'b c',
    'd " $e',
    'f g',
    '',
    '--h=i j',
  ]);
  expect(wordsOf('')).toEqual([]);
});

it('refuses what only a shell can do', () => {
  expect(() => wordsOf('a | b')).toThrow(/"\|" is for a shell/);
  expect(() => wordsOf('a > b')).toThrow(/"sh", "-c"/);
  expect(() => wordsOf("a 'b")).toThrow(/not closed/);
  expect(wordsOf("sh -c 'a | b'")).toEqual(['sh', '-c', 'a | b']);
});
