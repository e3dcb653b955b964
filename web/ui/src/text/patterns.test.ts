import { expect, test } from 'vitest';
import { exactPattern, patternLabel, patternOf, typedOf } from './patterns.ts';

test('what is typed survives being a pattern', () => {
  for (const text of ['', 'main', 'a.*b', '(*Profile)', 'operator new[]', 'a\\.b', 'c++', '^main$'])
    for (const literal of [false, true])
      for (const matchCase of [false, true]) {
        const pattern = patternOf({ text, literal, matchCase });
        expect(patternOf(typedOf(pattern))).toBe(pattern);
        if (text !== '') expect(typedOf(pattern).matchCase).toBe(matchCase);
      }
});

test('literal text is shown as it was typed', () => {
  const typed = { text: '(*Profile).Write', literal: true, matchCase: false };
  expect(typedOf(patternOf(typed))).toEqual(typed);
  expect(patternLabel(patternOf(typed))).toBe('“(*Profile).Write”');
  expect(patternLabel('(?-i)main')).toBe('main (case counts)');
});

test('an exact pattern is that name and no other', () => {
  const name = 'a.(*T[int]).f{1}|^$+?\\';
  const expression = (text: string) => new RegExp(exactPattern(text).replace('(?-i)', ''));
  expect(expression(name).test(name)).toBe(true);
  expect(expression('a.b').test('axb')).toBe(false);
  expect(exactPattern('main')).toBe('(?-i)^main$');
  expect(patternLabel(exactPattern(name))).toBe(name);
  expect(patternLabel('thread=(?-i)^worker\\x2c 1$')).toBe('thread=worker, 1');
});

test('literal text with spaces is one expression, and reads as it was typed', () => {
  const typed = { text: 'operator new', literal: true, matchCase: false };
  expect(patternOf(typed)).toBe('operator\\ new');
  expect(typedOf(patternOf(typed))).toEqual(typed);
  expect(typedOf('operator new')).toEqual({ ...typed, literal: false });
});
