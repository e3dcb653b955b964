import type { MetricInfo, RowInfo, ViewSpec } from '@hotframe/engine';
import { describe, expect, it } from 'vitest';
import type { Pruned } from '../../state/pruning.ts';
import { NO_VALUE } from '../../text/units.ts';
import { rowsAsText } from './copy.ts';
import { isWhole, pruneRows, sliceOf } from './pruned.ts';
import type { RowsPart } from './rows.ts';

const SPEC = { document: 0, metric: 0, shape: { kind: 'top_down' } } as ViewSpec;
const METRICS = [{ adds_up: true }, { adds_up: false }] as MetricInfo[];

/** Rows as text: indented by two for each level, a name, and its total of 100. Nodes count from 1. */
function table(text: string, spec = SPEC): RowsPart {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const read = lines.map((line) => /^( *)(\w) (-?\d+)$/.exec(line)!);
  return {
    spec,
    instance: 1,
    totalRows: lines.length,
    first: 0,
    rows: read.map(([, indent, letter], index) => {
      const key = letter!.charCodeAt(0);
      const row = {
        node: index + 1,
        key,
        name: letter,
        depth: indent!.length / 2,
        file: '',
        line: 0,
      };
      return row as unknown as RowInfo;
    }),
    values: read.map(([, , , value]) => ({ self: [1n, 1n], total: [BigInt(value!), 7n] })),
    scale: [100n, 100n],
  };
}

const TREE = table(`
a 80
  b 70
    c 30
    d 3
    e 1
  f 10
    g 9
h 4
i 2
  j 2
k 14
`);

const asked = (hideBelow: number, levels?: number, revealed: readonly string[] = []): Pruned => ({
  hideBelow,
  levels,
  metrics: METRICS,
  isComparison: false,
  revealed: new Set(revealed),
});

/** Rows as text, what is left out with its total. */
function listed(part: RowsPart | undefined): readonly string[] {
  return (part?.rows ?? []).map(
    ({ depth, name, rest }, index) =>
      '  '.repeat(depth) + name + (rest === undefined ? '' : `: ${part!.values[index]!.total[0]}`),
  );
}

const prune = (pruned: Pruned, shown: readonly number[] = [], of = TREE) =>
  pruneRows(of, pruned, new Set(shown));

describe('a pruned table', () => {
  it('ends each list of rows with what is small, and what that is together', () => {
    const part = prune(asked(5))!;
    expect(listed(part)).toEqual([
      'a',
      '  b',
      '    c',
      '    2 more below 5 %: 4',
      '  f',
      '    g',
      'k',
      '2 more below 5 %: 6',
    ]);
    expect(part.totalRows).toBe(8);
    // `j` goes with `i`, and is not counted besides.
    expect(part.left).toEqual({ hidden: 4, rests: 2 });
    expect(part.rows.map(({ rest }) => rest?.below).filter(Boolean)).toEqual([[97, 98], []]);
    expect(listed(prune(asked(2)))).not.toContain('2 more below 2 %: 6');
  });

  it('ends below a level with what is deeper', () => {
    expect(listed(prune(asked(0, 2)))).toEqual([
      'a',
      '  b',
      '    3 below level 2: 34',
      '  f',
      '    1 below level 2: 9',
      'h',
      'i',
      '  j',
      'k',
    ]);
  });

  it('lists the way to what is selected, and all below what was clicked', () => {
    expect(listed(prune(asked(5), [9, 10]))).toEqual([
      'a',
      '  b',
      '    c',
      '    2 more below 5 %: 4',
      '  f',
      '    g',
      'i',
      '  j',
      'k',
      '1 more below 5 %: 4',
    ]);
    expect(listed(prune(asked(5, undefined, ['97.98']))).slice(0, 5)).toEqual([
      'a',
      '  b',
      '    c',
      '    d',
      '    e',
    ]);
    // What is not small itself is as before: only what was left out is listed, with all it has.
    const outer = listed(prune(asked(5, undefined, [''])));
    expect(outer.slice(0, 4)).toEqual(listed(prune(asked(5))).slice(0, 4));
    expect(outer.slice(6)).toEqual(['h', 'i', '  j', 'k']);
  });

  it('adds up only what adds up', () => {
    const totals = prune(asked(5))!.values.at(-1)!.total;
    expect(totals).toEqual([6n, NO_VALUE]);
    const functions = { ...SPEC, shape: { kind: 'all_callers' } } as ViewSpec;
    const rows = prune(asked(5), [], { ...TREE, spec: functions })!;
    expect(listed(rows).filter((row) => row.includes('more'))).toEqual([
      '    2 more below 5 %: 4',
      `2 more below 5 %: ${NO_VALUE}`,
    ]);
    expect(prune(asked(5), [], { ...TREE, spec: { ...SPEC, metric: 1 } })).toBeUndefined();
  });

  it('is copied with what it says of the rest', () => {
    const part = sliceOf(prune(asked(5))!, 6, 2);
    expect(part).toMatchObject({ first: 6, totalRows: 8 });
    expect(isWhole(part)).toBe(false);
    const text = rowsAsText(part, [{ name: 'cpu', unit: 'ns' }]);
    expect(text.split('\n').slice(1)).toEqual(['k\t\t0\t1\t14', '2 more below 5 %\t\t0\t\t6']);
  });
});
