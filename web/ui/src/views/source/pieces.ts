/** A part of a text, and what it is in its language. */
export interface Piece {
  readonly text: string;
  /** As highlight.js names it; undefined for what is nothing special. */
  readonly scope: string | undefined;
}

/** What is drawn in an ink of its own. */
export type Ink = 'keyword' | 'string' | 'number' | 'comment' | 'title' | 'meta';

const INKS: Readonly<Record<string, Ink>> = {
  keyword: 'keyword',
  type: 'keyword',
  literal: 'number',
  number: 'number',
  string: 'string',
  regexp: 'string',
  char: 'string',
  comment: 'comment',
  doctag: 'comment',
  title: 'title',
  meta: 'meta',
};

/** The ink of a piece; undefined for that of the text. */
export function inkOf({ scope }: Piece): Ink | undefined {
  // `title.function`, `char.escape`
  const [first = ''] = scope?.split('.') ?? [];
  return INKS[first];
}

/** Pieces by line; lines are those of `linesOf`: cut where they are too long. */
export function piecesByLine(
  pieces: readonly Piece[],
  lines: readonly string[],
): readonly (readonly Piece[])[] {
  const all: Piece[][] = [];
  let line: Piece[] = [];
  let letters = 0;
  const add = (text: string, scope: string | undefined) => {
    const most = lines[all.length]?.length ?? 0;
    const shown = text.slice(0, Math.max(0, most - letters));
    letters += text.length;
    if (shown !== '') line.push({ text: shown, scope });
  };
  for (const { text, scope } of pieces) {
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) {
        all.push(line);
        line = [];
        letters = 0;
      }
      add(part.replace(/\r$/, ''), scope);
    }
  }
  all.push(line);
  return all.slice(0, lines.length);
}
