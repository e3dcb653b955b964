import type { Stream } from '@hotframe/engine';

/** Characters that are kept. */
export const MOST_CHARACTERS = 2 ** 20;
/** Characters that are one piece on the page, and of a piece whose last line does not end. */
const PIECE = 2 ** 14;
const LONGEST_PIECE = 2 ** 16;

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
  /** Pieces that were left out whole: with it each piece keeps a number. */
  readonly gone: number;
}

export const NOTHING: Written = { pieces: [], dropped: 0, gone: 0 };

/** Pieces that are drawn apart from others, for they end with a line. */
export interface Block {
  /** The number of its first piece, which stays when others are left out. */
  readonly number: number;
  readonly pieces: readonly Piece[];
}

/** A line that is not empty ends here: an empty one at the end of an element would not be drawn. */
const LINE_END = /[^\n]\n$/;

/**
 * What was written as blocks: what is added changes the last of them, and what is left out the first. A block
 * has no line end behind its last line, for the next block begins below it.
 */
export function blocksOf({ pieces, gone }: Written): readonly Block[] {
  const blocks: { number: number; pieces: Piece[] }[] = [];
  let isOpen = false;
  for (const [index, piece] of pieces.entries()) {
    const isWhole = LINE_END.test(piece.text);
    const shown = isWhole ? { of: piece.of, text: piece.text.slice(0, -1) } : piece;
    if (isOpen) blocks.at(-1)?.pieces.push(shown);
    else blocks.push({ number: gone + index, pieces: [shown] });
    isOpen = !isWhole;
  }
  return blocks;
}

/** Whether text belongs to a piece: pieces begin with lines if these are no longer than usual. */
function fits(piece: string, text: string): boolean {
  const length = piece.length + text.length;
  return length <= PIECE || (length <= LONGEST_PIECE && !piece.endsWith('\n'));
}

/** What was written with more behind it. */
export function withMore(written: Written, more: readonly Piece[]): Written {
  const pieces = [...written.pieces];
  for (const { of, text } of more) {
    const last = pieces.at(-1);
    if (last?.of === of && of !== 'note' && fits(last.text, text)) {
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
  return { pieces: pieces.slice(first), dropped, gone: written.gone + first };
}
