import { expect, it } from 'vitest';
import { plainHtml, withFileLinks } from './markup.ts';

it('keeps headings, lists, tables and links', () => {
  expect(
    plainHtml(
      '<h1 data-line="0" id="a">A &lt;b&gt;</h1>\n<ul><li>x</li></ul>' +
        '<table><tr><td style="text-align:right">1</td></tr></table><a href="https://a.b/">c</a>',
    ),
  ).toBe(
    '<h1>A &lt;b&gt;</h1>\n<ul><li>x</li></ul>' +
      '<table><tr><td class="right">1</td></tr></table><a href="https://a.b/">c</a>',
  );
});

it('leaves nothing that acts', () => {
  expect(plainHtml('<script>a()</script><img src=x onerror=a()><svg/onload=a()>')).toBe('a()');
  expect(plainHtml('<p onclick="a()">b</p>')).toBe('<p>b</p>');
  expect(plainHtml('<a href="javascript:a()">b</a><a href="command:x">c</a>')).toBe(
    '<a>b</a><a>c</a>',
  );
  expect(plainHtml('<p title="<script>">a</p>')).toBe(
    '&lt;p title="">a</p>'.replace('">', '"&gt;'),
  );
  expect(plainHtml('1 < 2 > 1 <<script>script>')).toBe('1 &lt; 2 &gt; 1 &lt;script&gt;');
  expect(plainHtml('<h1 <b>')).toBe('&lt;h1 ');
});

it('opens lines of files by a command', () => {
  expect(withFileLinks('[d](file:///x)')).toBe('[d](hotframe-file:///x)');
  const html = plainHtml('<a href="hotframe-file:///x/a%20b.py#L3" title="c">d</a>');
  const [, args = ''] = /^<a href="command:hotframe\.openLine\?([^"]*)">d<\/a>$/.exec(html) ?? [];
  expect(JSON.parse(decodeURIComponent(args))).toEqual(['file:///x/a%20b.py', 2]);
});
