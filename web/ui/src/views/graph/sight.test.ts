import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sampleDrawing } from '../../state/graph-drawing.fixture.ts';
import type { GraphViewState } from '../../state/graph-view.ts';
import { toScreen } from './camera.ts';
import { fakeGraph, SIZE } from './graph.fixture.ts';
import { createSight } from './sight.ts';

const drawing = sampleDrawing(true);

beforeEach(() => {
  vi.useFakeTimers();
  // Nobody has to wait for a motion.
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function sightOf(state: Partial<GraphViewState> = {}) {
  const given = fakeGraph(drawing, state);
  const sight = createSight(given.graph, () => drawing);
  sight.size.value = SIZE;
  sight.begin(drawing);
  return { ...given, sight };
}

const CAMERA = { x: 100, y: 90, zoom: 2 };

it('begins at the camera of the address', () => {
  const { sight } = sightOf({ camera: CAMERA });
  expect([sight.camera.value, sight.isFirstLook()]).toEqual([CAMERA, false]);
  sight.size.value = { width: 400, height: 300 };
  sight.adjust(drawing);
  expect(sight.camera.value).toEqual(CAMERA);
});

it('follows the size of the screen until somebody moves', () => {
  const { sight } = sightOf();
  const whole = sight.camera.value;
  sight.size.value = { width: 400, height: 300 };
  sight.adjust(drawing);
  expect(sight.camera.value.zoom).toBeLessThan(whole.zoom);
  sight.panBy(20, 0, false);
  const moved = sight.camera.value;
  sight.size.value = SIZE;
  sight.adjust(drawing);
  expect(sight.camera.value).toEqual(moved);
});

it('writes the camera to the address once it rests', () => {
  const { sight, view } = sightOf();
  for (let step = 0; step < 5; step++) {
    sight.panBy(10, 0, true);
    vi.advanceTimersByTime(50);
  }
  expect(view.value.camera).toBeUndefined();
  vi.advanceTimersByTime(1000);
  expect(view.value.camera).toEqual(sight.camera.value);
});

it('goes where the address leads, and back to the whole', () => {
  const { sight, view } = sightOf();
  const whole = sight.camera.value;
  sight.follow(CAMERA);
  expect(sight.camera.value).toEqual(CAMERA);
  // What it has written itself leads nowhere.
  sight.panBy(30, 0, false);
  vi.advanceTimersByTime(1000);
  const written = view.value.camera;
  sight.panBy(5, 0, false);
  const now = sight.camera.value;
  sight.follow(written);
  expect(sight.camera.value).toEqual(now);
  sight.follow(undefined);
  expect(sight.camera.value).toEqual(whole);
});

it('zooms around a point, which stays where it is', () => {
  const { sight } = sightOf({ camera: CAMERA });
  const corner = toScreen(CAMERA, SIZE, { x: 60, y: 140 });
  sight.zoomBy(3, corner, false);
  expect(sight.camera.value.zoom).toBe(6);
  const after = toScreen(sight.camera.value, SIZE, { x: 60, y: 140 });
  expect(after.x).toBeCloseTo(corner.x);
  expect(after.y).toBeCloseTo(corner.y);
});

it('does not move for what is in sight already', () => {
  const { sight, view } = sightOf();
  const whole = sight.camera.value;
  sight.bringIntoSight(drawing, { kind: 'box', box: 5 }, 0.6);
  vi.advanceTimersByTime(1000);
  expect([sight.camera.value, view.value.camera]).toEqual([whole, undefined]);
  sight.centreOn({ x: 0, y: 0 });
  sight.zoomBy(8, undefined, false);
  sight.bringIntoSight(drawing, { kind: 'box', box: 7 }, 0.6);
  const at = toScreen(sight.camera.value, SIZE, { x: 90, y: 320 });
  expect(at.y).toBeGreaterThan(0);
  expect(at.y).toBeLessThan(SIZE.height);
});
