import type { InstructionInfo, InstructionSection, InstructionsResult } from '@hotframe/engine';

/** What stands in a row of the list. */
export type Line =
  | {
      readonly kind: 'section';
      readonly section: InstructionSection;
    }
  | {
      readonly kind: 'instruction';
      /** Number among all instructions. */
      readonly row: number;
      readonly instruction: InstructionInfo;
      /** Whether a basic block begins there. */
      readonly isFirst: boolean;
    };

/** Sections with their instructions below them. */
export function linesOf({ sections, instructions }: InstructionsResult): readonly Line[] {
  const lines: Line[] = [];
  let row = 0;
  for (const section of sections) {
    const { count } = section;
    lines.push({ kind: 'section', section });
    const of = instructions.slice(row, row + count);
    of.forEach((instruction, index) => {
      const isFirst = index > 0 && of[index - 1]!.block !== instruction.block;
      lines.push({ kind: 'instruction', row: row + index, instruction, isFirst });
    });
    row += count;
  }
  return lines;
}

/** The line with the largest value; the first, where there is none. */
export function hottest(lines: readonly Line[], values: ArrayLike<bigint>): number {
  let [most, at] = [0n, 0];
  lines.forEach((line, index) => {
    if (line.kind === 'section') return;
    const value = values[line.row] ?? 0n;
    const size = value < 0n ? -value : value;
    if (size > most) [most, at] = [size, index];
  });
  return at;
}
