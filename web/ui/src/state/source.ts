import type { Selected } from './selection.ts';

/** A line of a source file; 0 where only the file is known. */
export interface SourcePlace {
  readonly file: string;
  readonly line: number;
}

/** Where a selected frame is in the source: its line that costs most, else where it starts. */
export function sourceOf(selected: Selected): SourcePlace | undefined {
  if (selected.isProgram) return undefined;
  const { lines, file, line, start_line: start } = selected.details.result;
  const hottest = lines.find((one) => one.file !== '' && one.line > 0);
  if (hottest !== undefined) return { file: hottest.file, line: hottest.line };
  return file === '' ? undefined : { file, line: line || start };
}
