import { expect, it } from 'vitest';
import { scriptText } from './coding.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const latin = (text: string) => Uint8Array.from(text, (one) => one.charCodeAt(0));

it('reads UTF-8, with and without a mark of the byte order', () => {
  expect(scriptText(utf8("print('é')\n"))).toBe("print('é')\n");
  expect(scriptText(utf8("\ufeffprint('é')\n"))).toBe("print('é')\n");
  expect(scriptText(utf8('# coding: utf-8\né'))).toBe('# coding: utf-8\né');
  expect(scriptText(utf8(''))).toBe('');
});

it('honours the coding that a file says in its first two lines, and keeps it as UTF-8', () => {
  expect(scriptText(latin("# -*- coding: latin-1 -*-\nprint('é\x80')"))).toBe(
    "# -*- coding: utf-8 -*-\nprint('é\x80')",
  );
  expect(scriptText(latin('#!/usr/bin/python3\r\n# vim: fileencoding=iso_8859_1 :\r\né'))).toBe(
    '#!/usr/bin/python3\r\n# vim: fileencoding=utf-8 :\r\né',
  );
  expect(scriptText(latin('\n# coding: koi8_r\n\xc1'))).toBe('\n# coding: utf-8\nа');
  expect(() => scriptText(latin('x = 1\n# coding: latin-1\né'))).toThrow('not text in utf-8');
});

it('says what it cannot read', () => {
  expect(() => scriptText(latin('é'))).toThrow('not text in utf-8');
  expect(() => scriptText(latin('# coding: nonsense\n'))).toThrow('the coding nonsense');
});
