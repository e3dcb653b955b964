import { expect, it } from 'vitest';
import {
  packageOf,
  shortenLabel,
  shortenName,
  shortenPath,
  textColumns,
  visible,
} from './names.ts';

it.each([
  ['net/http.(*conn).serve', 40, 'net/http.(*conn).serve'],
  ['net/http.(*conn).serve', 21, 'net/…(*conn).serve'],
  ['net/http.(*conn).serve', 13, 'net/…serve'],
  ['net/http.(*conn).serve', 8, 'ne…serve'],
  ['net/http.(*conn).serve', 4, 's…ve'],
  // As `profile::shortened` has them.
  ['github.com/jmoiron/sqlx/reflectx.(*Mapper).TypeMap', 30, 'github.com/…(*Mapper).TypeMap'],
  ['github.com/jmoiron/sqlx/reflectx.(*Mapper).TypeMap', 20, 'github.com/…TypeMap'],
  ['std::collections::hash::map::HashMap<K, V>::insert', 27, 'std::…HashMap<K, V>::insert'],
  ['std::collections::hash::map::HashMap<K, V>::insert', 26, 'std::…insert'],
  ['std::collections::hash::map::HashMap<K, V>::insert', 10, 'std…insert'],
  ['std::collections::hash::map::HashMap<K, V>::insert', 5, 'i…ert'],
  ['abcdefghijkl', 12, 'abcdefghijkl'],
  ['abcdefghijkl', 7, 'ab…ijkl'],
  ['漢字漢字漢字', 7, '漢…漢字'],
  // Arguments say less than the name does.
  ['a::b<c::d>::evaluate(std::string const&)', 15, 'a::…evaluate(…)'],
  ['a::b<c::d>::evaluate(std::string const&)', 11, 'evaluate(…)'],
  ['a::b::evaluate(std::string const&)', 7, 'ev…uate'],
  ['a::b::evaluate(std::string const&)', 8, 'evaluate'],
  ['Expand[go.shape.*uint8]', 10, 'Expand[…]'],
  ['void a::b::c(int) const', 16, 'voi…c(int) const'],
  // A place is no argument list.
  ['load [libvery_long_name.so]', 16, 'load …g_name.so]'],
  ['handler src/api/v2/users.py:14', 24, 'handler src/…users.py:14'],
  // What says nothing without the function around it.
  ['a::b::run::{{closure}}', 21, 'a::…run::{{closure}}'],
  ['main.(*desk).handle.func1', 20, 'main.…handle.func1'],
  ['memcpy', 3, ''],
])('shortens %s to %i columns as %s', (name, columns, text) => {
  expect(shortenName(name, columns)).toBe(text);
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

it.each([
  ['read', 'read src/plugins/jsx/index.js', 29, 'read src/plugins/jsx/index.js'],
  ['read', 'read src/plugins/jsx/index.js', 18, 'read jsx/index.js'],
  ['read', 'read src/tokenizer/index.js', 20, 'read index.js'],
  ['read', 'read src/plugins/jsx/index.js', 9, 'read'],
  ['read', 'read src/plugins/jsx/index.js', 12, 'read …dex.js'],
  ['pkg.read', 'pkg.read', 7, 'pk…read'],
])('shortens %s, shown as %s, to %i columns as %s', (name, label, columns, text) => {
  expect(shortenLabel(name, label, columns)).toBe(text);
});

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
  ['net/http.(*conn).serve', 'net/http'],
  ['github.com/a/b/pkg.Func', 'github.com/a/b/pkg'],
  ['main.main.func1', 'main'],
  ['std::vec::Vec<a::B>::push', 'std::vec'],
  ['a::b::c(d::e)', 'a::b'],
  ['memcpy', ''],
  ['libc.so.6', ''],
  ['runtime/asm_amd64.s', 'runtime'],
  ['main.Setup', 'main'],
  ['', ''],
  ['[kernel]', ''],
])('finds the package of %s', (name, group) => {
  expect(packageOf(name)).toBe(group);
});

it.each([
  ['/usr/src/sync/waitgroup.go:258', 40, '/usr/src/sync/waitgroup.go:258'],
  ['/usr/src/sync/waitgroup.go:258', 21, 'sync/waitgroup.go:258'],
  ['/usr/src/sync/waitgroup.go:258', 17, 'waitgroup.go:258'],
  ['/usr/src/sync/waitgroup.go:258', 8, '….go:258'],
])('shortens the path %s to %i columns as %s', (path, columns, text) => {
  expect(shortenPath(path, columns)).toBe(text);
});
