import { describe, expect, it } from 'vitest';
import { sceneOf } from './scene.fixture.ts';
import {
  boxAt,
  childrenOf,
  createScene,
  followKeys,
  labelOf,
  nameOf,
  neighbourOf,
  parentOf,
  rowSlice,
  siblingsOf,
  widest,
} from './scene.ts';

const SCENE = sceneOf(`
  aaaaaaaaaa
  bbbbbbCC#.
  dd.EEE....
`);
const [A, B, C, MERGED, D, E] = [0, 1, 2, 3, 4, 5];

describe('a scene', () => {
  it('shows a place beside a name that several functions have', () => {
    const labels = [{ name: 1, label: 'b src/b.py' }];
    const { subject, window, root, result, boxes } = SCENE;
    const scene = createScene(subject, window, root, { ...result, labels }, boxes);
    expect([A, B].map((box) => labelOf(scene, box))).toEqual(['a', 'b src/b.py']);
    expect([A, B].map((box) => nameOf(scene, box))).toEqual(['a', 'b']);
  });

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
});
