import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { shortenLabel, shortenName, shortenPath, textColumns, visible } from './names.ts';

const TABLE = new URL('../../../../testdata/names.tsv', import.meta.url);

it('shortens names as the engine does', () => {
  const lines = readFileSync(TABLE, 'utf8').split('\n');
  const cases = lines.filter((line) => line !== '' && !line.startsWith('#'));
  expect(cases.length).toBeGreaterThan(30);
  for (const line of cases) {
    const [name = '', label = '', columns, text] = line.split('\t');
    expect(shortenLabel(name, label, Number(columns)), `${label} in ${columns}`).toBe(text);
  }
});

it('keeps both ends of any name in any room', () => {
  const random = generator(7);
  const pieces = [
    'a',
    'serve',
    '::',
    '/',
    '.',
    '<',
    '>',
    '(',
    ')',
    ' ',
    '漢',
    '🦀',
    '\n',
    'é',
    '[x]',
  ];
  const wrong: string[] = [];
  for (let round = 0; round < 2000; round++) {
    const length = 1 + Math.floor(random() * 14);
    const name = Array.from({ length }, () => pieces[Math.floor(random() * pieces.length)]).join(
      '',
    );
    const whole = visible(name);
    for (let columns = 0; columns < 24; columns++) {
      const text = shortenName(name, columns);
      const [head = '', ...rest] = text.split('…');
      // The last part alone, where nothing of the beginning has room.
      const ends =
        rest.length === 0
          ? whole.endsWith(text) || isBare(whole, text)
          : whole.includes(head) && (whole.endsWith(rest.at(-1)!) || isBare(whole, rest.at(-1)!));
      const empty = text === '' && columns >= 4;
      if (textColumns(text) > columns || !ends || empty) wrong.push(`${name} ${columns} ${text}`);
    }
  }
  expect(wrong).toEqual([]);
});

/** Whether only a list of arguments stands behind a part of a name. */
function isBare(whole: string, part: string): boolean {
  return /[)>\]]$/.test(whole) && ['(', '<', '['].some((open) => whole.includes(part + open));
}

/** The same numbers from 0 to 1 every time. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

it('shows what would control the page', () => {
  expect(visible('main::<é, 漢> 🦀')).toBe('main::<é, 漢> 🦀');
  expect(visible('a\u001b]0;x\u0007\n\r\t\u009b')).toBe('a\\u{1b}]0;x\\u{7}\\n\\r\\t\\u{9b}');
  expect(visible('\u202eevil\u2066\u2028')).toBe('\\u{202e}evil\\u{2066}\\u{2028}');
  expect(shortenName('a\nb', 10)).toBe('a\\nb');
  expect(shortenPath('src/a\u202e.c', 20)).toBe('src/a\\u{202e}.c');
});

it.each([
  ['/usr/src/sync/waitgroup.go:258', 40, '/usr/src/sync/waitgroup.go:258'],
  ['/usr/src/sync/waitgroup.go:258', 21, 'sync/waitgroup.go:258'],
  ['/usr/src/sync/waitgroup.go:258', 17, 'waitgroup.go:258'],
  ['/usr/src/sync/waitgroup.go:258', 8, '….go:258'],
])('shortens the path %s to %i columns as %s', (path, columns, text) => {
  expect(shortenPath(path, columns)).toBe(text);
});
