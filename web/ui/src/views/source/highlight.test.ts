import { expect, it } from 'vitest';
import { highlighted } from './highlight.ts';
import { linesOf } from './lines.ts';
import { inkOf, piecesByLine } from './pieces.ts';

const RUST = 'fn main() {\n    /* two\r\n lines */ let s = "</script>"; // end\n}\n';

it('keeps every letter, line by line', () => {
  const pieces = highlighted(RUST, '/src/a.rs');
  expect(pieces?.map(({ text }) => text).join('')).toBe(RUST);
  const lines = linesOf(RUST).texts;
  const rows = piecesByLine(pieces ?? [], lines);
  expect(rows.map((row) => row.map(({ text }) => text).join(''))).toEqual(lines);
});

it('tells keywords, strings and comments, also over lines', () => {
  const rows = piecesByLine(highlighted(RUST, 'a.rs') ?? [], linesOf(RUST).texts);
  const inks = rows.map((row) =>
    row.flatMap((piece) => (inkOf(piece) === undefined ? [] : [[inkOf(piece), piece.text]])),
  );
  expect(inks[0]).toContainEqual(['keyword', 'fn']);
  expect(inks[0]).toContainEqual(['title', 'main']);
  expect(inks[1]).toEqual([['comment', '/* two']]);
  expect(inks[2]?.[0]).toEqual(['comment', ' lines */']);
  expect(inks[2]).toContainEqual(['string', '"</script>"']);
});

it('cuts what the listing cuts', () => {
  const text = `x = "${'y'.repeat(5000)}"\nz = 1\n`;
  const { texts } = linesOf(text);
  const rows = piecesByLine(highlighted(text, 'a.py') ?? [], texts);
  expect(rows[0]?.map((piece) => piece.text).join('').length).toBeLessThanOrEqual(
    texts[0]?.length ?? 0,
  );
  expect(rows[1]?.map((piece) => piece.text).join('')).toBe('z = 1');
});

it('leaves what it does not know', () => {
  expect(highlighted('text', 'README')).toBeUndefined();
  expect(highlighted('text', 'a.constructor')).toBeUndefined();
  expect(highlighted('x'.repeat(1_000_001), 'a.c')).toBeUndefined();
});
