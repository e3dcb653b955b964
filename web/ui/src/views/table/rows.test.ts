import type { Answer, RowInfo } from '@hotframe/engine';
import { describe, expect, it } from 'vitest';
import type { Place } from '../../state/nodes.ts';
import {
  clampRow,
  foldEffect,
  foundAgain,
  indexOfNode,
  pageOf,
  partOf,
  pathsOf,
  rowAt,
  rowsBetween,
  topToShow,
  unfoldEffect,
  windowAround,
  withWay,
} from './rows.ts';
import { rowsAsText } from './copy.ts';
import { partWith, rowsOf, SPEC } from './rows.fixture.ts';

const TREE = `
-a
  -b
    c
    +d
  e
+f`;
const PART = partWith(TREE);
const keys = (text: string) => [...text].map((letter) => letter.charCodeAt(0));
const node = (letter: string) => letter.charCodeAt(0) - 96;

describe('a part of the rows', () => {
  it('has a row for each place in it, and none beside', () => {
    const part = partWith(TREE, 100);
    expect(rowAt(part, 99)).toBeUndefined();
    expect(rowAt(part, 100)?.name).toBe('a');
    expect(rowAt(part, 105)?.name).toBe('f');
    expect(rowAt(part, 106)).toBeUndefined();
    expect(rowAt(undefined, 0)).toBeUndefined();
    for (const [offset, row] of part.rows.entries()) {
      expect(indexOfNode(part, row.node)).toBe(100 + offset);
    }
    expect(indexOfNode(part, 77)).toBeUndefined();
    expect(indexOfNode(part, undefined)).toBeUndefined();
    expect(indexOfNode(undefined, 1)).toBeUndefined();
  });

  it('has the values of each row by metric', () => {
    const answer = {
      result: { instance: 3, total_rows: 9, metrics: 2, rows: rowsOf('a\nb') },
      columns: {
        self_value: BigInt64Array.from([1n, 2n, 3n, 4n]),
        total_value: BigInt64Array.from([5n, 6n, 7n, 8n]),
        scale: BigInt64Array.from([100n, 200n]),
      },
    } as Answer<'rows'>;
    const part = partOf(SPEC, 4, answer);
    expect(part.values).toEqual([
      { self: [1n, 2n], total: [5n, 6n] },
      { self: [3n, 4n], total: [7n, 8n] },
    ]);
    expect(part).toMatchObject({ instance: 3, totalRows: 9, first: 4, scale: [100n, 200n] });
    const metrics = [
      { name: 'cpu', unit: 'ns' },
      { name: 'space', unit: 'bytes' },
    ];
    expect(rowsAsText(part, metrics)).toBe(
      [
        'name\tfile\tline\tcpu self (ns)\tcpu total (ns)\tspace self (bytes)\tspace total (bytes)',
        'a\t\t0\t1\t5\t2\t6',
        'b\t\t0\t3\t7\t4\t8',
      ].join('\n'),
    );
  });

  it('is not left by moves', () => {
    expect([-5, 0, 3, 6, Infinity].map((index) => clampRow(PART, index))).toEqual([0, 0, 3, 5, 5]);
  });

  it('is marked from anchor to cursor, in both directions', () => {
    expect(rowsBetween(3, 3)).toEqual({ first: 3, count: 1 });
    expect(rowsBetween(2, 5)).toEqual({ first: 2, count: 4 });
    expect(rowsBetween(5, 2)).toEqual(rowsBetween(2, 5));
  });
});

describe('keys of rows', () => {
  it('are those of the rows around and their own', () => {
    const paths = pathsOf(PART.rows, new Map());
    const told = PART.rows.map((row) => String.fromCharCode(...paths.get(row.node)!));
    expect(told).toEqual(['a', 'ab', 'abc', 'abd', 'ae', 'f']);
  });

  it('are known in the middle of a table where they once were rows', () => {
    // The window begins below `b`, whose row has been seen before.
    const paths = pathsOf(rowsOf('    c\n    +d\n  e\n+f'), new Map([[node('b'), keys('ab')]]));
    expect([...paths]).toEqual([[node('f'), keys('f')]]);
    const later = pathsOf(rowsOf('  -b\n    c'), new Map([[node('a'), keys('a')]]));
    expect(later.size).toBe(0);
    const open = pathsOf(rowsOf('-a\n  b'), new Map([[node('a'), keys('wrong')]]));
    expect(open.get(node('b'))).toEqual(keys('ab'));
  });

  it('reach far down', () => {
    const deep = Array.from({ length: 500 }, (_, depth) => ({ node: depth, key: depth, depth }));
    const paths = pathsOf(deep as unknown as RowInfo[], new Map());
    expect(paths.get(499)).toHaveLength(500);
  });
});

describe('the keys that fold and unfold', () => {
  const fold = (cursor: number, part = PART) => foldEffect(part, cursor);
  const unfold = (cursor: number, part = PART) => unfoldEffect(part, cursor);

  it('close an open row, and go to the parent of another', () => {
    expect(fold(1)).toEqual({ kind: 'toggle', row: PART.rows[1] });
    expect(fold(2)).toEqual({ kind: 'move', index: 1 });
    expect(fold(3)).toEqual({ kind: 'move', index: 1 });
    expect(fold(4)).toEqual({ kind: 'move', index: 0 });
    expect(fold(5)).toBeUndefined();
    expect(fold(9)).toBeUndefined();
  });

  it('stay where the parent is not known', () => {
    const part = partWith('    c\n    d', 40, 100);
    expect(fold(41, part)).toBeUndefined();
    expect(fold(41, partWith('  -b\n    c', 40))).toEqual({ kind: 'move', index: 40 });
  });

  it('open a closed row, and go into an open one', () => {
    expect(unfold(3)).toEqual({ kind: 'toggle', row: PART.rows[3] });
    expect(unfold(0)).toEqual({ kind: 'move', index: 1 });
    expect(unfold(2)).toBeUndefined();
    expect(unfold(9)).toBeUndefined();
    expect(unfoldEffect(undefined, 0)).toBeUndefined();
  });

  it('come back to where they began', () => {
    for (let cursor = 0; cursor < PART.rows.length; cursor++) {
      const into = unfold(cursor);
      if (into?.kind !== 'move') continue;
      const row = PART.rows[into.index]!;
      if (!row.expanded) expect(fold(into.index)).toEqual({ kind: 'move', index: cursor });
    }
  });
});

describe('what is unfolded', () => {
  const way = [...'abd'].map((letter) => ({ node: node(letter), key: letter.charCodeAt(0) }));

  it('is all of the way to a node, but not the node', () => {
    const expanded = withWay(new Map(), way);
    expect([...expanded]).toEqual([
      [node('a'), keys('a')],
      [node('b'), keys('ab')],
    ]);
  });

  it('stays the same where the way is open', () => {
    const open = new Map([
      [node('a'), undefined],
      [node('b'), keys('ab')],
      [node('z'), keys('z')],
    ]);
    expect(withWay(open, way)).toBe(open);
    expect(withWay(open, [])).toBe(open);
  });

  it('is found in another tree where that has all of its keys', () => {
    const at = (found: string, instance: number | undefined): Place => ({
      instance,
      node: 100 + found.length,
      nodes: [...found].map((letter) => ({
        key: letter.charCodeAt(0),
      })) as unknown as Place['nodes'],
    });
    const paths = [keys('a'), keys('ab'), keys('abc')];
    const found = foundAgain(paths, [at('a', 7), at('ab', 7), at('ab', 7)]);
    expect(found.instance).toBe(7);
    expect([...found.paths]).toEqual([
      [101, keys('a')],
      [102, keys('ab')],
    ]);
    expect(foundAgain([], [])).toEqual({ paths: new Map(), instance: undefined });
    expect(foundAgain([[]], [at('', undefined)]).paths.size).toBe(0);
  });
});

describe('rows in sight', () => {
  it('are asked for with more around them, once', () => {
    let have = { first: 0, count: 60 };
    expect(windowAround(have, { first: 0, count: 60 })).toBeUndefined();
    for (let first = 0; first < 400; first += 13) {
      const sight = { first, count: 25 };
      have = windowAround(have, sight) ?? have;
      expect(have.first).toBeGreaterThanOrEqual(0);
      expect(have.first).toBeLessThanOrEqual(first);
      expect(have.first + have.count).toBeGreaterThanOrEqual(first + 25);
      expect(windowAround(have, sight)).toBeUndefined();
    }
    expect(windowAround({ first: 300, count: 105 }, { first: 10, count: 25 })).toEqual({
      first: 0,
      count: 105,
    });
  });

  it('scroll as little as they have to for a row', () => {
    const sight = { first: 100, count: 20 };
    for (let row = 100; row <= 117; row++) expect(topToShow(row, sight)).toBeUndefined();
    expect(topToShow(99, sight)).toBe(99);
    expect(topToShow(0, sight)).toBe(0);
    expect(topToShow(118, sight)).toBe(101);
    expect(topToShow(500, sight)).toBe(483);
  });

  it('have the row in sight once they are scrolled there', () => {
    for (let row = 0; row < 300; row += 7) {
      for (const first of [0, 50, 290]) {
        const top = topToShow(row, { first, count: 20 }) ?? first;
        expect(topToShow(row, { first: top, count: 20 })).toBeUndefined();
      }
    }
  });

  it('have a page, however few there are', () => {
    expect(pageOf({ first: 0, count: 25 })).toBe(22);
    expect([0, 1, 3].map((count) => pageOf({ first: 0, count }))).toEqual([1, 1, 1]);
  });
});
