import { effect } from '@preact/signals';
import type { Point } from '../../canvas/rect.ts';
import type { GraphState, Reveal } from '../../state/graph.ts';
import {
  deepestOf,
  type Drawing,
  isFoldable,
  isOpen,
  type Walk,
} from '../../state/graph-drawing.ts';
import { arrivalOf } from './arrivals.ts';
import { createBoxes } from './boxes.ts';
import { toWorld } from './camera.ts';
import { createChoosing } from './choosing.ts';
import { chevronAt, elementOf, type Target, targetAt, targetOf } from './hit.ts';
import { aspectOf, boxAfter, JUMP_ZOOM, READABLE } from './moves.ts';
import { createSight } from './sight.ts';

/** How near to an edge the pointer has to be, in CSS pixels. */
const REACH = 6;

export type GraphController = ReturnType<typeof createGraphController>;

/** Everything about a graph's picture that is not drawn. */
export function createGraphController(graph: GraphState) {
  const { scene } = graph;
  /** The drawing that is on the screen. */
  let shown: Drawing | undefined;
  /** The element whose box keeps its place on the screen in the next drawing. */
  let anchor: number | undefined;
  const boxes = createBoxes();
  const sight = createSight(graph, () => shown);
  const { size, camera } = sight;
  const choosing = createChoosing(graph, (drawing, at) => {
    const { zoom } = camera.peek();
    return targetAt(drawing, toWorld(camera.peek(), size.peek(), at), REACH / zoom);
  });
  const { selected, select } = choosing;

  /** Another drawing: boxes go from where they were to where they are now. */
  function takeDrawing(drawing: Drawing): void {
    const before = shown;
    shown = drawing;
    choosing.hover(undefined);
    const anchors = [anchor, graph.view.peek().selection, before && elementInMiddle(before)];
    const arrival = arrivalOf(before, drawing, sight.isFirstLook(), anchors);
    switch (arrival.kind) {
      case 'begins':
        boxes.settle(drawing);
        sight.begin(drawing);
        return;
      case 'differs':
        sight.beginAgain(drawing);
        boxes.settle(drawing);
        break;
      case 'changes':
        sight.shift(arrival.dx, arrival.dy);
        boxes.move(arrival.before, drawing, arrival.dx, arrival.dy);
        break;
    }
    anchor = undefined;
  }

  function elementInMiddle(drawing: Drawing): number | undefined {
    const target = targetAt(drawing, camera.peek(), 0);
    return target?.kind === 'box' ? elementOf(drawing, target) : undefined;
  }

  /** Brings what was jumped to into sight, once its containers are open. */
  function reveal({ element, path }: Reveal, drawing: Drawing): void {
    const target = targetOf(drawing, element);
    if (target === undefined && graph.busy.peek()) return;
    graph.reveal(undefined);
    const around = deepestOf(drawing, path);
    if (target !== undefined) sight.bringIntoSight(drawing, target, JUMP_ZOOM);
    else if (around !== undefined) {
      sight.bringIntoSight(drawing, { kind: 'box', box: around }, READABLE);
    }
  }

  const stops = [
    effect(() => {
      if (size.value.width > 0) graph.drawFor(aspectOf(size.value, graph.screen.peek()));
    }),
    effect(() => {
      const drawing = scene.value?.drawing;
      if (size.value.width === 0) return;
      if (drawing === undefined) shown = undefined;
      else if (drawing !== shown) takeDrawing(drawing);
      else sight.adjust(drawing);
    }),
    // The browser's back button changes the camera as well.
    effect(() => sight.follow(graph.view.value.camera)),
    effect(() => {
      const wanted = graph.revealing.value;
      const drawing = scene.value?.drawing;
      if (wanted !== undefined && drawing !== undefined && drawing === shown) {
        reveal(wanted, drawing);
      }
    }),
  ];

  /** Folds or unfolds a box; it keeps its place on the screen. */
  function toggle(box: number): void {
    const drawing = scene.peek()?.drawing;
    if (drawing === undefined || box === 0 || !isFoldable(drawing, box)) return;
    anchor = elementOf(drawing, { kind: 'box', box });
    graph.fold(anchor, !isOpen(drawing, box));
  }

  return {
    scene,
    camera,
    size,
    rects: boxes.rects,
    hovered: choosing.hovered,
    selected,
    hover: choosing.hover,
    hit: choosing.hit,
    /** The open container whose chevron is at a point of the screen. */
    chevronAt(at: Point): number | undefined {
      const drawing = scene.peek()?.drawing;
      return drawing && chevronAt(drawing, camera.peek(), size.peek(), at);
    },
    select,
    toggle,
    /** Folds or unfolds what is selected; goes close to what cannot be folded. */
    toggleSelected() {
      const target = selected.peek();
      const drawing = scene.peek()?.drawing;
      if (target === undefined || drawing === undefined) return;
      if (target.kind === 'box' && isFoldable(drawing, target.box)) toggle(target.box);
      else sight.fitTo(target);
    },
    zoomBy: sight.zoomBy,
    panBy: sight.panBy,
    centreOn: sight.centreOn,
    fitAll: sight.fitAll,
    fitTo: sight.fitTo,
    walk(way: Walk) {
      const drawing = scene.peek()?.drawing;
      const next = drawing && boxAfter(drawing, selected.peek(), way);
      if (drawing === undefined || next === undefined) return;
      const target: Target = { kind: 'box', box: next };
      select(target);
      sight.bringIntoSight(drawing, target, READABLE);
    },
    dispose() {
      sight.dispose();
      boxes.dispose();
      for (const stop of stops) stop();
    },
  };
}
