import { expect, it } from 'vitest';
import { blocksOf, MOST_CHARACTERS, NOTHING, withMore, type Written } from './output.ts';

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
    gone: 0,
  });
});

it('divides what is written at ends of lines, and keeps the numbers of blocks', () => {
  let written = withMore(NOTHING, [
    { of: 'stdout', text: 'a' },
    { of: 'stderr', text: 'b\n' },
    { of: 'stdout', text: 'c\n\n' },
    { of: 'stderr', text: 'd\n' },
  ]);
  const textsOf = (of: Written) =>
    blocksOf(of).map((block) => [block.number, block.pieces.map(({ text }) => text).join('')]);
  expect(textsOf(written)).toEqual([
    [0, 'ab'],
    [2, 'c\n\nd'],
  ]);
  const line = `${'x'.repeat(999)}\n`;
  const before = withMore(written, Array(900).fill({ of: 'stdout', text: line }));
  written = withMore(before, Array(300).fill({ of: 'stdout', text: line }));
  expect(written.gone).toBeGreaterThan(2);
  const known = new Map(textsOf(before) as [number, string][]);
  // Only the first, which is cut, and what is new differ.
  const changed = textsOf(written).filter(([number, text]) => known.get(Number(number)) !== text);
  expect(changed.length).toBeLessThan(25);
  expect(
    textsOf(written)
      .map(([, text]) => `${text}\n`)
      .join(''),
  ).toBe(textOf(written));
  expect(textOf(written).length).toBe(MOST_CHARACTERS);
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
