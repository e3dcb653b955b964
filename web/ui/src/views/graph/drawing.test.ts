import { describe, expect, it } from 'vitest';
import { distanceTo, pointAlong, samplesOf, traceEdge } from './curve.ts';
import { drawingOf, sampleDrawing } from '../../state/graph-drawing.fixture.ts';
import {
  ancestorsOf,
  boxesLike,
  childrenOf,
  deepestOf,
  edgesOf,
  labelOf,
  walk,
  type Walk,
} from '../../state/graph-drawing.ts';
import { placedBetween, rectsOf, startsOf } from './fold-motion.ts';
import { boxAt, edgeAt, targetAt } from './hit.ts';

const drawing = sampleDrawing(true);
const box = (label: string) =>
  Array.from({ length: drawing.count }, (_, index) => index).find(
    (index) => labelOf(drawing, index) === label,
  )!;

describe('a drawing', () => {
  it('knows what is in what', () => {
    expect(childrenOf(drawing, box('s')).map((one) => labelOf(drawing, one))).toEqual([
      'a',
      'b',
      'm',
      'c',
    ]);
    expect(ancestorsOf(drawing, box('t'))).toEqual([0, box('s'), box('m')]);
    expect(drawing.end[box('m')]).toBe(box('c'));
    expect(drawing.level[box('t')]).toBe(3);
  });

  it('knows the edges of a box', () => {
    expect([...edgesOf(drawing.coming, box('m'))]).toEqual([0, 1]);
    expect([...edgesOf(drawing.leaving, box('m'))]).toEqual([2]);
  });

  it('knows the deepest box of a path that is drawn', () => {
    expect(deepestOf(drawing, [0, 1, 99])).toBe(box('s'));
  });

  it.each<[string, Walk, string | undefined]>([
    ['a', 'successor', 'm'],
    ['m', 'predecessor', 'a'],
    ['m', 'successor', 'c'],
    ['a', 'right', 'b'],
    ['b', 'left', 'a'],
    ['b', 'right', undefined],
    ['m', 'inside', 't'],
    ['t', 'outside', 'm'],
    ['c', 'inside', undefined],
  ])('walks from %s to its %s', (from, way, to) => {
    const next = walk(drawing, box(from), way);
    expect(next === undefined ? undefined : labelOf(drawing, next)).toBe(to);
  });
});

describe('what is at a place', () => {
  it('is the deepest box', () => {
    expect(boxAt(drawing, { x: 90, y: 160 })).toBe(box('t'));
    expect(boxAt(drawing, { x: 45, y: 130 })).toBe(box('m'));
    expect(boxAt(drawing, { x: 500, y: 0 })).toBeUndefined();
  });

  it('is an edge near enough to it, before the ground but not before a box', () => {
    expect(edgeAt(drawing, { x: 92, y: 270 }, 4)).toBe(2);
    expect(targetAt(drawing, { x: 92, y: 270 }, 4)).toEqual({ kind: 'edge', edge: 2 });
    expect(targetAt(drawing, { x: 90, y: 302 }, 4)).toEqual({ kind: 'box', box: box('c') });
    expect(targetAt(drawing, { x: 200, y: 200 }, 4)).toEqual({ kind: 'box', box: box('s') });
  });
});

describe('an edge', () => {
  it('is a line where its points lie above each other, else vertical at both ends', () => {
    const steps: string[] = [];
    const pen = {
      moveTo: (x: number, y: number) => steps.push(`M${x},${y}`),
      lineTo: (x: number, y: number) => steps.push(`L${x},${y}`),
      bezierCurveTo: (...numbers: number[]) => steps.push(`C${numbers.join(',')}`),
    };
    traceEdge(pen, drawing.columns, 2);
    traceEdge(pen, drawing.columns, 0);
    expect(steps).toEqual(['M90,240', 'L90,300', 'M50,80', 'C50,100,70,100,70,120']);
  });

  it('stays between its ends', () => {
    for (const { x, y } of samplesOf(drawing.columns, 0)) {
      expect(x).toBeGreaterThanOrEqual(50);
      expect(x).toBeLessThanOrEqual(70);
      expect(y).toBeGreaterThanOrEqual(80);
      expect(y).toBeLessThanOrEqual(120);
    }
  });

  it('has a middle and a distance', () => {
    expect(pointAlong(drawing.columns, 2, 0.5)).toEqual({ x: 90, y: 270 });
    expect(distanceTo(drawing.columns, 2, { x: 95, y: 250 })).toBe(5);
  });
});

describe('unfolding', () => {
  const before = sampleDrawing(false);

  it('begins where boxes were, and what is new in the box around it', () => {
    const starts = startsOf(before, drawing, 0, 0);
    const at = (one: number) => [...starts.subarray(one * 4, one * 4 + 4)];
    expect(at(box('c'))).toEqual([60, 200, 60, 40]);
    const [x, y, width, height] = at(box('t'));
    expect(x).toBeGreaterThanOrEqual(40);
    expect(x! + width!).toBeLessThanOrEqual(140);
    expect(y).toBeGreaterThanOrEqual(120);
    expect(y! + height!).toBeLessThanOrEqual(160);
  });

  it('ends where boxes are', () => {
    const from = { rects: startsOf(before, drawing, 5, 5), settled: 0 };
    const to = { rects: rectsOf(drawing), settled: 1 };
    expect(placedBetween(from, to, 1)).toEqual(to);
    expect(placedBetween(from, to, 0)).toEqual(from);
  });
});

describe('data that is drawn twice', () => {
  const twice = (left: number) =>
    drawingOf(
      {
        element: 0,
        kind: 'graph',
        label: 'g',
        at: [0, 0, 900, 100],
        boxes: [
          { element: 1, kind: 'access', label: 'w', at: [10, 10, 60, 40] },
          { element: 1, kind: 'access', label: 'w (copy)', at: [left, 10, 60, 40] },
          { element: 2, kind: 'access', label: 'x', at: [700, 10, 60, 40] },
        ],
      },
      [],
    );

  it('is one element, whichever box is asked', () => {
    for (const place of [1, 2]) expect(boxesLike(twice(100), place)).toEqual([1, 2]);
    expect(boxesLike(twice(100), 3)).toEqual([3]);
  });

  it('moves copy by copy', () => {
    const starts = startsOf(twice(100), twice(200), 0, 0);
    expect([starts[4], starts[8]]).toEqual([10, 100]);
  });
});

describe('a way between columns', () => {
  const columns = drawingOf(
    {
      element: 0,
      kind: 'graph',
      label: 'g',
      at: [0, 0, 300, 200],
      boxes: [
        { element: 1, kind: 'access', label: 'a', at: [10, 100, 60, 40] },
        { element: 2, kind: 'access', label: 'b', at: [200, 40, 60, 40] },
      ],
    },
    [
      [
        'a',
        'b',
        [
          [40, 140],
          [40, 160],
          [100, 160],
          [100, 20],
          [230, 20],
          [230, 40],
        ],
      ],
    ],
  ).columns;

  it('goes straight across', () => {
    expect(samplesOf(columns, 0)).toHaveLength(6);
    expect(distanceTo(columns, 0, { x: 70, y: 163 })).toBeCloseTo(3);
  });
});
