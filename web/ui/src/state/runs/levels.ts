import type { RunFactor } from '@hotframe/engine';

/** A row of the form: a name, and what it is in turn, as it is typed. */
export interface FactorRow {
  readonly name: string;
  readonly levels: string;
}

export const EMPTY_ROW: FactorRow = { name: '', levels: '' };

/** How a bound of a version begins, as pip writes it. */
const BOUND = /^[<>=!~]/;

/**
 * Values between commas: `1, 2, "a, b"`. What is in quotation marks is one value, whatever is in it.
 */
export function valuesOf(text: string): string[] {
  const values: string[] = [];
  for (const [whole, quoted] of text.matchAll(/"((?:[^"\\]|\\.)*)"|[^,"]+/g)) {
    if (quoted !== undefined) values.push(quoted.replace(/\\(.)/g, '$1'));
    else if (whole.trim() !== '') values.push(whole.trim());
  }
  return values;
}

/** Versions between commas, where `>=1, <2` is one of them: a bound goes on with what is before it. */
export function versionsOf(text: string): string[] {
  const versions: string[] = [];
  for (const part of text.split(',').map((part) => part.trim())) {
    if (part === '') continue;
    const last = versions.at(-1);
    if (last !== undefined && BOUND.test(last) && BOUND.test(part)) {
      versions[versions.length - 1] = `${last},${part}`;
    } else {
      versions.push(part);
    }
  }
  return versions;
}

/** A package that is typed with its version, as `numpy==1.26.4`, in two fields. */
export function requirementRow(row: FactorRow): FactorRow {
  const at = row.name.search(/[<>=!~]/);
  if (at < 0) return row;
  const bound = row.name
    .slice(at)
    .trim()
    .replace(/^==\s*/, '');
  const levels = [row.levels.trim(), bound].filter((part) => part !== '').join(', ');
  return { name: row.name.slice(0, at).trim(), levels };
}

/** Rows that have a name, as a plan has them. */
export function factorsOf(
  rows: readonly FactorRow[],
  split: (text: string) => string[],
): RunFactor[] {
  return rows
    .filter(({ name }) => name.trim() !== '')
    .map(({ name, levels }) => ({ name: name.trim(), levels: split(levels) }));
}
