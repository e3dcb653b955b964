import { describe, expect, it } from 'vitest';
import {
  between,
  firstLook,
  fit,
  leaveRoom,
  lookAt,
  toScreen,
  toWorld,
  viewOf,
  zoomAt,
} from './camera.ts';
import { rectAt, textPlan, visibleOf } from './detail.ts';
import { sampleDrawing } from '../../state/graph-drawing.fixture.ts';
import { rectsOf } from './fold-motion.ts';
import { LabelPlaces } from './label-places.ts';

const SIZE = { width: 800, height: 600 };

describe('a camera', () => {
  it('maps places to the screen and back', () => {
    const camera = { x: 100, y: 50, zoom: 2 };
    const place = { x: 130, y: 20 };
    expect(toScreen(camera, SIZE, place)).toEqual({ x: 460, y: 240 });
    expect(toWorld(camera, SIZE, { x: 460, y: 240 })).toEqual(place);
  });

  it('keeps what is under the pointer while it zooms', () => {
    const at = { x: 700, y: 90 };
    const camera = { x: 100, y: 50, zoom: 0.5 };
    const place = toWorld(camera, SIZE, at);
    const closer = zoomAt(camera, SIZE, at, 3);
    expect(closer.zoom).toBe(1.5);
    expect(toScreen(closer, SIZE, place).x).toBeCloseTo(at.x);
    expect(toScreen(closer, SIZE, place).y).toBeCloseTo(at.y);
  });

  it('fits a rectangle into the screen', () => {
    const rect = { x: 10, y: 20, width: 4000, height: 100 };
    const view = viewOf(fit(rect, SIZE, 20), SIZE);
    expect(view.x).toBeLessThanOrEqual(10);
    expect(view.x + view.width).toBeGreaterThanOrEqual(4010);
  });

  it('looks at the upper end of what is too tall to be read', () => {
    const camera = firstLook({ width: 500, height: 9000 }, SIZE, 20, 0.6);
    expect(camera.zoom).toBe(0.6);
    expect(toScreen(camera, SIZE, { x: 0, y: 0 }).y).toBeCloseTo(20);
  });

  it('looks at the middle of what fits, and at the beginning of what does not', () => {
    const small = lookAt({ x: 10, y: 10, width: 20, height: 20 }, SIZE, 30, 2);
    expect(small).toEqual({ x: 20, y: 20, zoom: 2 });
    const tall = lookAt({ x: 10, y: 10, width: 20, height: 5000 }, SIZE, 30, 2);
    expect(toScreen(tall, SIZE, { x: 20, y: 10 })).toEqual({ x: 400, y: 30 });
  });

  it('leaves room at the left where there is any', () => {
    const camera = { x: 100, y: 50, zoom: 1 };
    const aside = leaveRoom(camera, { width: 200, height: 100 }, SIZE, 320);
    expect(toScreen(aside, SIZE, { x: 0, y: 0 }).x).toBe(320);
    expect(leaveRoom(camera, { width: 100, height: 100 }, SIZE, 300)).toBe(camera);
    expect(leaveRoom(camera, { width: 600, height: 100 }, SIZE, 300)).toBe(camera);
  });

  it('arrives where it goes', () => {
    const [from, to] = [
      { x: 0, y: 0, zoom: 0.1 },
      { x: 900, y: 40, zoom: 2 },
    ];
    expect(between(from, to, 1)).toEqual(to);
    expect(between(from, to, 0).x).toBeCloseTo(0);
  });
});

describe('what is in sight', () => {
  const drawing = sampleDrawing(true);
  const rects = rectsOf(drawing);

  it('is all of it when all fits', () => {
    const camera = fit({ x: 0, y: 0, width: 240, height: 400 }, SIZE, 10);
    const { frames, leaves, edges } = visibleOf(drawing, rects, camera, SIZE);
    expect(frames.length + leaves.length).toBe(drawing.count);
    expect(edges).toEqual([0, 1, 2]);
  });

  it('leaves out what is beside the screen', () => {
    const camera = { x: 90, y: 320, zoom: 20 };
    const { leaves, edges } = visibleOf(drawing, rects, camera, SIZE);
    expect(leaves.map((box) => rectAt(rects, box).y)).toEqual([300]);
    expect(edges).toEqual([]);
  });

  it('draws small containers as one piece', () => {
    const { frames, leaves } = visibleOf(drawing, rects, { x: 120, y: 150, zoom: 0.01 }, SIZE);
    expect(frames).toEqual([]);
    expect(leaves).toEqual([0]);
  });

  it('has texts where they can be read', () => {
    expect(textPlan(1, 42).lines).toBe(2);
    expect(textPlan(0.3, 42).lines).toBe(1);
    expect(textPlan(0.15, 42).lines).toBe(0);
    expect(textPlan(1, 12).lines).toBe(0);
  });
});

describe('labels', () => {
  it('do not lie on each other', () => {
    const places = new LabelPlaces();
    expect(places.take({ x: 0, y: 0, width: 100, height: 10 })).toBe(true);
    expect(places.take({ x: 90, y: 5, width: 100, height: 10 })).toBe(false);
    expect(places.take({ x: 101, y: 5, width: 100, height: 10 })).toBe(true);
  });
});
