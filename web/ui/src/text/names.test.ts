import { expect, it } from 'vitest';
import { exactPattern, packageOf, shortenName, shortenPath, visible } from './names.ts';

it.each([
  ['net/http.(*conn).serve', 40, 'net/http.(*conn).serve'],
  ['net/http.(*conn).serve', 18, 'http.(*conn).serve'],
  ['net/http.(*conn).serve', 13, '(*conn).serve'],
  ['net/http.(*conn).serve', 6, 'serve'],
  ['compress/flate.(*huffmanEncoder).generate', 8, 'generate'],
  ['compress/flate.(*huffmanEncoder).generate', 6, '…erate'],
  ['a::b<c::d>::e(f::g)', 18, 'b<c::d>::e(f::g)'],
  ['a::b<c::d>::e(f::g)', 8, 'e(f::g)'],
  ['a::b<c::d>::evaluate(std::string const&)', 12, 'evaluate(…)'],
  ['a::b::evaluate(std::string const&)', 7, '…aluate'],
  ['pkg.Expand[go.shape.*uint8]', 10, 'Expand[…]'],
  ['a::b::run::{{closure}}', 18, 'run::{{closure}}'],
  ['memcpy', 3, ''],
  ['函数函数函数', 7, '…数函数'],
  ['int foo::bar', 4, 'bar'],
  ['main.(*desk).handle.func1', 20, '(*desk).handle.func1'],
  ['main.(*desk).handle.func1', 14, 'handle.func1'],
  ['main.(*desk).serve.func1.1', 10, '…e.func1.1'],
  ['libc.so.6+0x7f001c4aa9a3', 20, '…so.6+0x7f001c4aa9a3'],
])('shortens %s to %i columns as %s', (name, columns, text) => {
  expect(shortenName(name, columns)).toBe(text);
});

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

it('quotes every special character', () => {
  const name = 'a.(*T[int]).f{1}|^$+?\\';
  expect(new RegExp(exactPattern(name)).test(name)).toBe(true);
  expect(new RegExp(exactPattern('a.b')).test('axb')).toBe(false);
});
