import type { RowInfo, ViewSpec } from '@hotframe/engine';
import type { RowsPart } from './rows.ts';

export const SPEC = { document: 0 } as ViewSpec;

/**
 * Rows as text: indented by two for each level, `-` before an open row, `+` before one that can be
 * opened. The letter is the key, and the node that of its place in the alphabet.
 */
export function rowsOf(text: string): readonly RowInfo[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, indent = '', sign = '', letter = ''] = /^( *)([-+]?)(\w)$/.exec(line) ?? [];
      const row = {
        node: letter.charCodeAt(0) - 96,
        key: letter.charCodeAt(0),
        name: letter,
        file: '',
        line: 0,
        depth: indent.length / 2,
        has_children: sign !== '',
        expanded: sign === '-',
      };
      return row as RowInfo;
    });
}

export function partWith(text: string, first = 0, totalRows?: number): RowsPart {
  const rows = rowsOf(text);
  const total = totalRows ?? first + rows.length;
  return { spec: SPEC, instance: 1, totalRows: total, first, rows, values: [], scale: [] };
}
