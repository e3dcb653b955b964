import { expect, it } from 'vitest';
import { MOST_CHARACTERS, NOTHING, withMore, type Written } from './output.ts';

const textOf = ({ pieces }: Written) => pieces.map(({ text }) => text).join('');

it('keeps both streams in order and joins what belongs together', () => {
  const written = withMore(NOTHING, [
    { of: 'stdout', text: 'a' },
    { of: 'stdout', text: 'b\n' },
    { of: 'stderr', text: 'c\n' },
    { of: 'stdout', text: '' },
    { of: 'stdout', text: 'd' },
  ]);
  expect(written).toEqual({
    pieces: [
      { of: 'stdout', text: 'ab\n' },
      { of: 'stderr', text: 'c\n' },
      { of: 'stdout', text: 'd' },
    ],
    dropped: 0,
  });
});

it('keeps the last of what is too much, and knows how much it left out', () => {
  let written = NOTHING;
  const line = `${'x'.repeat(99_999)}\n`;
  for (let at = 0; at < 30; at++) written = withMore(written, [{ of: 'stdout', text: line }]);
  written = withMore(written, [{ of: 'stderr', text: 'end' }]);
  expect(textOf(written).length).toBe(MOST_CHARACTERS);
  expect(written.dropped).toBe(30 * line.length + 3 - MOST_CHARACTERS);
  expect(textOf(written).endsWith('x\nend')).toBe(true);
});
