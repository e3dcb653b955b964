import { expect, it } from 'vitest';
import { drawingOf, sampleDrawing } from '../../state/graph-drawing.fixture.ts';
import { createChoosing } from './choosing.ts';
import { fakeGraph, sceneOf } from './graph.fixture.ts';
import { targetAt } from './hit.ts';

const drawing = sampleDrawing(false);
const choosingIn = (shown = drawing) => {
  const given = fakeGraph(shown);
  return { ...given, choosing: createChoosing(given.graph, (of, at) => targetAt(of, at, 0)) };
};

it('points at what is under the pointer, and at nothing where it has gone', () => {
  const { choosing } = choosingIn();
  choosing.hover({ x: 30, y: 50 });
  expect(choosing.hovered.value).toEqual({ kind: 'box', box: 2 });
  const before = choosing.hovered.value;
  choosing.hover({ x: 31, y: 51 });
  expect(choosing.hovered.value).toBe(before);
  choosing.hover(undefined);
  expect(choosing.hovered.value).toBeUndefined();
});

it('selects an element, which is selected again in the next drawing', () => {
  const { choosing, view, scene } = choosingIn();
  choosing.select({ kind: 'box', box: 5 });
  expect(view.value.selection).toBe(5);
  scene.value = sceneOf(sampleDrawing(true));
  expect(choosing.selected.value).toEqual({ kind: 'box', box: 7 });
  choosing.select({ kind: 'edge', edge: 1 });
  expect(choosing.selected.value).toEqual({ kind: 'edge', edge: 1 });
  choosing.select(undefined);
  expect([view.value.selection, choosing.selected.value]).toEqual([undefined, undefined]);
});

it('keeps the copy that was selected, as long as the element is', () => {
  const a = (x: number) =>
    ({ element: 2, kind: 'access', label: 'a', at: [x, 0, 20, 20] }) as const;
  const copies = drawingOf(
    { element: 0, kind: 'graph', label: 'g', at: [0, 0, 90, 30], boxes: [a(0), a(30)] },
    [],
  );
  const { choosing, graph } = choosingIn(copies);
  graph.select(2);
  expect(choosing.selected.value).toEqual({ kind: 'box', box: 1 });
  choosing.select({ kind: 'box', box: 2 });
  expect(choosing.selected.value).toEqual({ kind: 'box', box: 2 });
  graph.select(0);
  expect(choosing.selected.value).toEqual({ kind: 'box', box: 0 });
});
