import { describe, expect, it } from 'vitest';
import { sampleDrawing } from '../../state/graph-drawing.fixture.ts';
import { type Drawing, labelOf, type Walk } from '../../state/graph-drawing.ts';
import { contains, toScreen, viewOf } from './camera.ts';
import { boundsOf, chevronAt, elementOf, type Target, targetOf } from './hit.ts';
import {
  aspectOf,
  boxAfter,
  cameraAtFirst,
  cameraOn,
  cameraOnAll,
  cameraWith,
  clampCamera,
  isSameLook,
  keptBox,
} from './moves.ts';

const drawing = sampleDrawing(true);
const SIZE = { width: 800, height: 600 };
const boxOf = (label: string, within: Drawing = drawing) =>
  Array.from({ length: within.count }, (_, box) => box).find(
    (box) => labelOf(within, box) === label,
  )!;
const isInSight = (target: Target, camera: { x: number; y: number; zoom: number }) => {
  const { x, y, width, height } = boundsOf(drawing, target);
  const view = viewOf(camera, SIZE);
  return contains(view, { x, y }) && contains(view, { x: x + width, y: y + height });
};

describe('a target', () => {
  it('is found by its element, and has one', () => {
    const targets: readonly Target[] = [
      ...Array.from({ length: drawing.count }, (_, box) => ({ kind: 'box' as const, box })),
      ...Array.from({ length: drawing.edgeCount }, (_, edge) => ({ kind: 'edge' as const, edge })),
    ];
    expect(targets).toHaveLength(11);
    for (const target of targets) {
      expect(targetOf(drawing, elementOf(drawing, target))).toEqual(target);
    }
    expect(targetOf(drawing, 77)).toBeUndefined();
  });

  it('has bounds, as a box and as all points of an edge', () => {
    expect(boundsOf(drawing, { kind: 'box', box: boxOf('a') })).toEqual({
      x: 20,
      y: 40,
      width: 60,
      height: 40,
    });
    expect(boundsOf(drawing, { kind: 'edge', edge: 0 })).toEqual({
      x: 50,
      y: 80,
      width: 20,
      height: 40,
    });
  });
});

describe('the chevron of a container', () => {
  const camera = { x: 400, y: 300, zoom: 1 };
  const under = (x: number, y: number, now = camera) =>
    chevronAt(drawing, now, SIZE, toScreen(now, SIZE, { x, y }));

  it('is at the beginning of its header', () => {
    expect(under(12, 15)).toBe(boxOf('s'));
    expect(under(42, 125)).toBe(boxOf('m'));
    expect(under(90, 125)).toBeUndefined();
    expect(under(12, 60)).toBeUndefined();
  });

  it('is on no closed box, and not on the whole graph', () => {
    expect(under(22, 45)).toBeUndefined();
    expect(under(3, 3)).toBeUndefined();
    expect(under(-50, -50)).toBeUndefined();
  });

  it('stays in sight where its header begins left of the screen', () => {
    expect(under(100, 15, { ...camera, x: 490 })).toBe(boxOf('s'));
    expect(under(100, 15)).toBeUndefined();
  });

  it('is none where headers cannot be read', () => {
    expect(under(12, 15, { ...camera, zoom: 0.2 })).toBeUndefined();
  });
});

describe('bringing something into sight', () => {
  it('does nothing where it is and can be read', () => {
    const camera = cameraOnAll(drawing, SIZE, 0);
    const bounds = boundsOf(drawing, { kind: 'box', box: boxOf('t') });
    expect(cameraWith(bounds, camera, SIZE, 0.6)).toBeUndefined();
    expect(cameraWith(bounds, { ...camera, zoom: 0.3 }, SIZE, 0.6)?.zoom).toBe(0.6);
  });

  it('works from anywhere, and is done once', () => {
    for (let box = 1; box < drawing.count; box++) {
      const bounds = boundsOf(drawing, { kind: 'box', box });
      for (const [x, y] of [
        [0, 0],
        [900, 20],
        [-400, 1200],
      ] as const) {
        for (const zoom of [0.05, 0.6, 1]) {
          const camera = { x, y, zoom };
          const next = cameraWith(bounds, camera, SIZE, 0.6) ?? camera;
          expect(isInSight({ kind: 'box', box }, next)).toBe(true);
          expect(next.zoom).toBe(Math.max(0.6, zoom));
          expect(cameraWith(bounds, next, SIZE, 0.6)).toBeUndefined();
        }
      }
    }
  });
});

describe('a camera', () => {
  it('has all of a drawing in sight that fits', () => {
    for (const camera of [
      cameraAtFirst(drawing, SIZE, 0),
      cameraOnAll(drawing, SIZE, 0),
      cameraOn(boundsOf(drawing, { kind: 'box', box: 0 }), SIZE),
    ]) {
      expect(isInSight({ kind: 'box', box: 0 }, camera)).toBe(true);
    }
  });

  it('leaves room for legends where there is any', () => {
    const small = { width: 640, height: 600 };
    const left = (legends: number, size: typeof SIZE) =>
      toScreen(cameraOnAll(drawing, size, legends), size, { x: 0, y: 0 }).x;
    expect(left(0, small)).toBeLessThan(312);
    expect(left(1, small)).toBeCloseTo(312);
    // Where there is none, the drawing stands above them.
    const narrow = { width: 400, height: 600 };
    expect(left(1, narrow)).toBeLessThan(312);
    const far = { x: drawing.result.width, y: drawing.result.height };
    expect(toScreen(cameraOnAll(drawing, narrow, 1), narrow, far).y).toBeLessThan(600 - 108);
  });

  it('begins with all of what is about as wide as the screen then', () => {
    const { result } = drawing;
    const large = { ...drawing, result: { ...result, width: 2400, height: 2000 } };
    expect(cameraAtFirst(large, SIZE, 0)).toEqual(cameraOnAll(large, SIZE, 0));
    const long = { ...drawing, result: { ...result, width: 600, height: 9000 } };
    expect(cameraAtFirst(long, SIZE, 0).zoom).toBe(0.6);
  });

  it('is for a screen whose aspect changes in few steps', () => {
    expect(aspectOf({ width: 800, height: 908 }, undefined)).toBe(100);
    expect(aspectOf({ width: 830, height: 908 }, undefined)).toBe(100);
    expect(aspectOf({ width: 1130, height: 908 }, undefined)).toBe(141);
    expect(aspectOf({ width: 1130, height: 908 }, 100)).toBe(100);
    expect(aspectOf({ width: 1400, height: 908 }, 100)).toBe(168);
    expect(aspectOf({ width: 20_000, height: 100 }, undefined)).toBe(400);
  });

  it('stays over the drawing', () => {
    expect(clampCamera({ x: -5, y: 1e6, zoom: 1 }, drawing)).toEqual({ x: 0, y: 400, zoom: 1 });
    expect(clampCamera({ x: -5, y: 7, zoom: 1 }, undefined)).toEqual({ x: -5, y: 7, zoom: 1 });
  });

  it('looks the same within a pixel of the screen', () => {
    const camera = { x: 10, y: 10, zoom: 4 };
    expect(isSameLook(camera, camera)).toBe(true);
    expect(isSameLook(camera, { ...camera, x: 10.2 })).toBe(true);
    expect(isSameLook(camera, { ...camera, x: 10.2, y: 10.2 })).toBe(false);
    expect(isSameLook(camera, { ...camera, zoom: 4.03 })).toBe(true);
    expect(isSameLook(camera, { ...camera, zoom: 4.1 })).toBe(false);
  });
});

describe('the box that keeps its place', () => {
  const before = sampleDrawing(false);

  it('is the first that both drawings have', () => {
    const kept = (...elements: (number | undefined)[]) => keptBox(before, drawing, elements);
    expect(kept(5, 4)).toEqual({ before: boxOf('c', before), now: boxOf('c') });
    // The tasklet is drawn in one of them only.
    expect(kept(undefined, 6, 4)).toEqual({ before: boxOf('m', before), now: boxOf('m') });
    expect(kept(6, 999)).toBeUndefined();
    expect(kept()).toBeUndefined();
  });

  it('is not the whole graph', () => {
    expect(keptBox(before, drawing, [0])).toBeUndefined();
    expect(keptBox(before, drawing, [0, 1])).toEqual({ before: 1, now: 1 });
  });
});

describe('arrow keys', () => {
  const at = (label: string): Target => ({ kind: 'box', box: boxOf(label) });
  it.each([
    ['a', 'successor', 'm'],
    ['c', 'predecessor', 'm'],
    ['m', 'successor', 'c'],
    ['a', 'right', 'b'],
    ['m', 'inside', 't'],
    ['t', 'outside', 'm'],
    // Nothing leads to or from it: out of it, and into it.
    ['a', 'predecessor', 's'],
    ['s', 'successor', 'a'],
    ['c', 'successor', undefined],
  ] as const)('go from %s to its %s', (from, way, to) => {
    expect(boxAfter(drawing, at(from), way)).toBe(to === undefined ? undefined : boxOf(to));
  });

  it('begin at the first box in the graph', () => {
    for (const way of ['successor', 'left', 'inside'] as const satisfies readonly Walk[]) {
      expect(boxAfter(drawing, undefined, way)).toBe(1);
    }
  });

  it('go along an edge to its ends', () => {
    const edge: Target = { kind: 'edge', edge: 1 };
    expect(boxAfter(drawing, edge, 'predecessor')).toBe(boxOf('b'));
    expect(boxAfter(drawing, edge, 'successor')).toBe(boxOf('m'));
    expect(boxAfter(drawing, edge, 'left')).toBe(boxOf('m'));
  });
});
