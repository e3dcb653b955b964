import type { Stream } from '@hotframe/engine';

/** Characters that are kept. */
export const MOST_CHARACTERS = 2 ** 20;
/** Characters that are one piece on the page. */
const PIECE = 2 ** 14;

/** A piece of what a script wrote; `note` is what the page says itself. */
export interface Piece {
  readonly of: Stream | 'note';
  readonly text: string;
}

/** What a script wrote, in order; of more than is kept the last. */
export interface Written {
  readonly pieces: readonly Piece[];
  /** Characters that were left out before the first piece. */
  readonly dropped: number;
}

export const NOTHING: Written = { pieces: [], dropped: 0 };

/** What was written with more behind it. */
export function withMore(written: Written, more: readonly Piece[]): Written {
  const pieces = [...written.pieces];
  for (const { of, text } of more) {
    const last = pieces.at(-1);
    if (last?.of === of && of !== 'note' && last.text.length + text.length <= PIECE) {
      pieces[pieces.length - 1] = { of, text: last.text + text };
    } else if (text !== '') pieces.push({ of, text });
  }
  let { dropped } = written;
  let count = pieces.reduce((sum, { text }) => sum + text.length, 0);
  let first = 0;
  while (count > MOST_CHARACTERS) {
    const piece = pieces[first];
    if (piece === undefined) break;
    const over = Math.min(piece.text.length, count - MOST_CHARACTERS);
    count -= over;
    dropped += over;
    if (over === piece.text.length) first++;
    else pieces[first] = { of: piece.of, text: piece.text.slice(over) };
  }
  return { pieces: pieces.slice(first), dropped };
}
