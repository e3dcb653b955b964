import { describe, expect, it } from 'vitest';
import {
  boxAt,
  childrenOf,
  createScene,
  followKeys,
  matchesOf,
  neighbourOf,
  parentOf,
  rowSlice,
  type Scene,
  siblingsOf,
  widest,
} from './scene.ts';

/**
 * A scene drawn as text: a row a line, a letter a box as wide as it is long, `.` for nothing;
 * capitals match the search, `#` is a merged box. A box's parent is what lies above it.
 */
function sceneOf(drawing: string, firstRow = 0): Scene {
  const lines = drawing.trim().split(/\s*\n\s*/);
  const whole = lines[0]!.length;
  const boxes: { row: number; x: number; width: number; letter: string; parent: number }[] = [];
  for (const [row, line] of lines.entries()) {
    for (const match of line.matchAll(/([a-zA-Z#])\1*/g)) {
      const above = boxes.findIndex(
        (box) => box.row === row - 1 && box.x <= match.index && match.index < box.x + box.width,
      );
      const width = match[0].length;
      boxes.push({ row, x: match.index, width, letter: match[1]!, parent: Math.max(0, above) });
    }
  }
  const u32 = (value: (box: (typeof boxes)[number], index: number) => number) =>
    Uint32Array.from(boxes, value);
  const values = BigInt64Array.from(boxes, (box) => BigInt(box.width));
  const spec = {
    document: 0,
    metric: 0,
    shape: { kind: 'top_down' as const },
    granularity: 'function' as const,
    filters: [],
    order: 'value' as const,
    collapse_recursion: false,
  };
  const names = [...new Set(boxes.map((box) => box.letter))];
  return createScene(
    { spec, path: [], search: '' },
    { from: 0, to: 1, width: 100, firstRow, rows: lines.length },
    0,
    {
      instance: 1,
      merged_frames: 0,
      total_rows: lines.length,
      narrowest: 1,
      names,
      modules: [''],
      files: [''],
      breadcrumb: [],
    },
    {
      node: u32((_, index) => index),
      parent: u32((box) => box.parent),
      row: u32((box) => box.row + firstRow),
      x: Float64Array.from(boxes, (box) => box.x / whole),
      width: Float64Array.from(boxes, (box) => box.width / whole),
      name: u32((box) => names.indexOf(box.letter)),
      module: u32(() => 0),
      file: u32(() => 0),
      merged: u32((box) => (box.letter === '#' ? 3 : 0)),
      flags: u32((box) => (/[A-Z]/.test(box.letter) ? 1 : 0)),
      key: u32((box) => box.letter.toLowerCase().charCodeAt(0)),
      self_value: values,
      total_value: values,
      scale: BigInt64Array.from([10n, 10n, 10n]),
    },
  );
}

const SCENE = sceneOf(`
  aaaaaaaaaa
  bbbbbbCC#.
  dd.EEE....
`);
const [A, B, C, MERGED, D, E] = [0, 1, 2, 3, 4, 5];

describe('a scene', () => {
  it('knows the boxes of each row', () => {
    expect([0, 1, 2, 3].map((row) => rowSlice(SCENE, row))).toEqual([
      [0, 1],
      [1, 4],
      [4, 6],
      [0, 0],
    ]);
  });

  it('keeps rows apart when it starts further down', () => {
    const later = sceneOf('aaaa\nbb..', 7);
    expect(rowSlice(later, 6)).toEqual([0, 0]);
    expect(rowSlice(later, 7)).toEqual([0, 1]);
    expect(rowSlice(later, 8)).toEqual([1, 2]);
  });

  it.each([
    [0.05, 0, A],
    [0.55, 1, B],
    [0.65, 1, C],
    [0.85, 1, MERGED],
    [0.95, 1, undefined],
    [0.25, 2, undefined],
    [0.45, 2, E],
    [0.5, 3, undefined],
  ])('finds what is at %s in row %s', (x, row, box) => {
    expect(boxAt(SCENE, x, row, 0)).toBe(box);
  });

  it('finds a narrow box that is drawn wider than it is', () => {
    expect(boxAt(SCENE, 0.92, 1, 0.15)).toBe(MERGED);
    expect(boxAt(SCENE, 0.28, 2, 0.05)).toBe(E);
  });

  it('knows families', () => {
    expect(parentOf(SCENE, A)).toBeUndefined();
    expect(parentOf(SCENE, E)).toBe(B);
    expect(childrenOf(SCENE, A)).toEqual([B, C, MERGED]);
    expect(childrenOf(SCENE, MERGED)).toEqual([]);
    expect(siblingsOf(SCENE, E)).toEqual([D, E]);
    expect(widest(SCENE, childrenOf(SCENE, B))).toBe(E);
    expect(neighbourOf(SCENE, B, 1)).toBe(C);
    expect(neighbourOf(SCENE, B, -1)).toBeUndefined();
  });

  it('follows keys, but not into merged boxes', () => {
    const keys = (text: string) => [...text].map((letter) => letter.charCodeAt(0));
    expect(followKeys(SCENE, keys('be'))).toBe(E);
    expect(followKeys(SCENE, keys('bx'))).toBeUndefined();
    expect(followKeys(SCENE, keys('#'))).toBeUndefined();
    expect(followKeys(SCENE, [])).toBe(A);
  });

  it('lists matches in reading order', () => {
    expect(matchesOf(SCENE)).toEqual([C, E]);
  });
});
