import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sampleDrawing } from '../../state/graph-drawing.fixture.ts';
import { type Drawing, labelOf } from '../../state/graph-drawing.ts';
import type { GraphViewState } from '../../state/graph-view.ts';
import { toScreen } from './camera.ts';
import { createGraphController, type GraphController } from './controller.ts';
import { fakeGraph, sceneOf, SIZE, viewedAs } from './graph.fixture.ts';

const [folded, unfolded] = [sampleDrawing(false), sampleDrawing(true)];

beforeEach(() => vi.stubGlobal('matchMedia', () => ({ matches: true })));
afterEach(() => vi.unstubAllGlobals());

function open(drawing: Drawing, state: Partial<GraphViewState> = {}) {
  const given = fakeGraph(drawing, state);
  const controller = createGraphController(given.graph);
  controller.size.value = SIZE;
  return { ...given, controller };
}

/** Where a box stands on the screen. */
function placeOf({ camera, scene }: GraphController, box: number) {
  const { x, y } = scene.value!.drawing.columns;
  return toScreen(camera.value, SIZE, { x: x[box]!, y: y[box]! });
}

const selectedLabel = ({ selected, scene }: GraphController) =>
  selected.value?.kind === 'box' ? labelOf(scene.value!.drawing, selected.value.box) : undefined;

it('a box that is unfolded keeps its place on the screen', () => {
  const { controller, scene, folds } = open(folded, { camera: { x: 90, y: 200, zoom: 1.5 } });
  const before = placeOf(controller, 4);
  controller.toggle(4);
  expect(folds).toEqual([[4, true]]);
  scene.value = sceneOf(unfolded);
  expect(placeOf(controller, 4)).toEqual(before);
});

it('what is in the middle keeps its place where another box grows', () => {
  const camera = { x: 90, y: 220, zoom: 3 };
  const { controller, scene } = open(folded, { camera });
  const before = placeOf(controller, 5);
  scene.value = sceneOf(unfolded);
  expect(placeOf(controller, 7)).toEqual(before);
  expect(controller.camera.value).toEqual({ ...camera, y: 320 });
});

it('another document is looked at from its beginning', () => {
  const { controller, scene, view } = open(folded, { camera: { x: 90, y: 200, zoom: 1.5 } });
  view.value = { ...view.value, camera: undefined };
  scene.value = sceneOf(viewedAs(unfolded, { document: 1 }));
  const corner = toScreen(controller.camera.value, SIZE, { x: 0, y: 0 });
  expect(corner.y).toBeGreaterThanOrEqual(0);
  expect(controller.rects.value.rects).toHaveLength(unfolded.count * 4);
});

it('arrow keys walk, and a key folds what is selected or goes close to it', () => {
  const { controller, folds } = open(folded);
  controller.walk('successor');
  controller.walk('inside');
  expect(selectedLabel(controller)).toBe('a');
  controller.toggleSelected();
  expect(folds).toEqual([]);
  expect(controller.camera.value).toMatchObject({ x: 50, y: 60 });
  controller.walk('successor');
  controller.toggleSelected();
  expect(folds).toEqual([[4, true]]);
});

it('what was jumped to is brought into sight once it is drawn', () => {
  const { controller, scene, busy, revealing } = open(folded, {
    camera: { x: 2000, y: 0, zoom: 0.3 },
  });
  busy.value = true;
  revealing.value = { element: 6, path: [1, 4] };
  expect(revealing.value).toBeDefined();
  busy.value = false;
  scene.value = sceneOf(unfolded);
  expect(revealing.value).toBeUndefined();
  expect(placeOf(controller, 5).x).toBeGreaterThan(0);
  expect(placeOf(controller, 5).x).toBeLessThan(SIZE.width);
});

it('the container is shown where what was jumped to is hidden', () => {
  const { controller, revealing } = open(folded, { camera: { x: 2000, y: 0, zoom: 0.3 } });
  revealing.value = { element: 6, path: [1, 4] };
  expect(placeOf(controller, 4).x).toBeGreaterThan(0);
  expect(placeOf(controller, 4).x).toBeLessThan(SIZE.width);
});

it('drawings are asked for as wide as the screen, in steps', () => {
  const { controller, screen } = open(folded);
  const before = screen.value;
  expect(before).toBeGreaterThan(100);
  controller.size.value = { ...SIZE, width: 820 };
  expect(screen.value).toBe(before);
  controller.size.value = { width: 0, height: 0 };
  expect(screen.value).toBe(before);
});
