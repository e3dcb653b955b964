import type { Answer } from '@hotframe/engine';

/** Letters of a line that are shown; what is longer was not written by people. */
const MOST_LETTERS = 2_000;
/** Columns from one tab stop to the next; the style sheet has the same. */
const TAB = 4;

/** The lines of a text as they are shown. */
export interface Lines {
  readonly texts: readonly string[];
  /** Columns of the widest. */
  readonly columns: number;
  /** How many were cut. */
  readonly cut: number;
}

export function linesOf(text: string): Lines {
  const whole = text.split(/\r?\n/);
  // What ends the last line begins none.
  if (whole.length > 1 && whole.at(-1) === '') whole.pop();
  const isLong = (line: string) => line.length > MOST_LETTERS;
  const texts = whole.map((line) => (isLong(line) ? `${line.slice(0, MOST_LETTERS)}…` : line));
  const columns = texts.reduce((most, line) => Math.max(most, columnsOf(line)), 0);
  return { texts, columns, cut: whole.filter(isLong).length };
}

function columnsOf(line: string): number {
  if (!line.includes('\t')) return line.length;
  let columns = 0;
  for (const letter of line) columns += letter === '\t' ? TAB - (columns % TAB) : 1;
  return columns;
}

/** Where the values of a line stand in an answer, if it was measured; lines there are sorted. */
export function rowOf(lines: Uint32Array, line: number): number | undefined {
  let [from, to] = [0, lines.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (lines[middle]! < line) from = middle + 1;
    else to = middle;
  }
  return lines[from] === line ? from : undefined;
}

/** What makes it certain that a text is not the one that was measured; undefined where nothing does. */
export function tooShort(
  count: number,
  wanted: number,
  values: Answer<'source_lines'>['columns'] | undefined,
): string | undefined {
  const last = Math.max(wanted, values?.line.at(-1) ?? 0);
  if (last <= count) return undefined;
  return `The file ends at line ${count}, but the profile has line ${last}: it is another version.`;
}
