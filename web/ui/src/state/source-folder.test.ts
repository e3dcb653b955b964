import { expect, it } from 'vitest';
import type { Dropped } from './dropped.ts';
import { fileOf, textOf } from './source-folder.ts';

const file = (path: string, text = 'x'): Dropped => ({ path, file: new File([text], path) });
const FILES = ['shop/src/main.go', 'shop/api/src/main.go', 'shop/api/util.go', 'main.go'].map(
  (path) => file(path),
);

it('takes the longest end that paths have in common', () => {
  const found = (wanted: string) => {
    const of = fileOf(FILES, wanted);
    return 'found' in of ? [of.found.path, of.common] : of.problem;
  };
  expect(found('/build/x/api/src/main.go')).toEqual(['shop/api/src/main.go', 3]);
  expect(found('C:\\work\\shop\\src\\main.go')).toEqual(['shop/src/main.go', 3]);
  expect(found('./util.go')).toEqual(['shop/api/util.go', 1]);
  expect(found('/other/main.go')).toMatch(/^It may be .*: choose a folder further in$/);
  expect(found('/a/none.go')).toBe('The chosen folder has no file none.go');
  expect(found('')).toMatch(/has no file/);
});

it('reads what is a text', async () => {
  expect(await textOf(file('a.c', 'int x;'))).toBe('int x;');
  await expect(textOf(file('a.c', 'a\0b'))).rejects.toThrow('a.c is not text');
  const large = { path: 'a.c', file: { size: 9 * 2 ** 20 } as File };
  await expect(textOf(large)).rejects.toThrow('more than 8 MiB');
});
