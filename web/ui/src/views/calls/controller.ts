import type { CallGraphParams, ViewSpec } from '@hotframe/engine';
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Point, Size } from '../../canvas/rect.ts';
import { stateOf } from '../../state/address-part.ts';
import type { App } from '../../state/app.ts';
import { distinct } from '../../state/distinct.ts';
import type { Camera } from '../../state/graph-view.ts';
import { resource } from '../../state/resource.ts';
import { pickFunction } from '../charts/chosen.ts';
import type { Place } from '../charts/shapes.ts';
import { CHARTS_PART } from '../charts/state.ts';
import { fit, keepInSight, panBy, toWorld, zoomAt } from '../graph/camera.ts';
import { besideOf, calleesOf, callersOf, type CallNode, sceneOf } from './scene.ts';

/** Most functions that are drawn, as pprof has it. */
const MOST_NODES = 80;
/** Around all of a drawing, in CSS pixels. */
const MARGIN = 16;
/** Letters can be read from here on. */
const READABLE = 0.8;

/** What a call graph shows, and where one looks at it. */
export function createCalls(app: App, spec: ReadonlySignal<ViewSpec>, size: ReadonlySignal<Size>) {
  const input = distinct((): CallGraphParams => {
    const { shape: _, ...view } = spec.value;
    const { leastNode, leastEdge } = stateOf(app.view.value, CHARTS_PART);
    return {
      view: { ...view, shape: { kind: 'top_down' } },
      least_node: leastNode / 1000,
      least_edge: leastEdge / 1000,
      most: MOST_NODES,
    };
  });
  const { state, dispose } = resource(input, async (params, abort) =>
    sceneOf(await app.engine.call('call_graph', params, { signal: abort })),
  );
  const scene = computed(() => state.value.value);
  const moved = signal<{ readonly of: object; readonly camera: Camera } | undefined>(undefined);
  /** Where one looks: where one went in this drawing, else at all of it or at its head. */
  const camera = computed((): Camera => {
    const drawing = scene.value;
    if (drawing === undefined) return { x: 0, y: 0, zoom: 1 };
    if (moved.value?.of === drawing) return moved.value.camera;
    return firstLook(drawing.nodes[0], drawing.size, size.value);
  });
  const cursor = computed(() => {
    const { fn } = app.view.value;
    return scene.value?.nodes.find(({ info }) => info.key === fn);
  });
  function look(next: Camera): void {
    const drawing = scene.peek();
    if (drawing !== undefined) {
      moved.value = { of: drawing, camera: keepInSight(next, drawing.size) };
    }
  }
  /** Moves as far as it takes to see all of a function. */
  function show(node: CallNode): void {
    const at = camera.peek();
    const { width, height } = size.peek();
    const need = (from: number, length: number, middle: number, room: number) => {
      const half = room / 2 / at.zoom - MARGIN / at.zoom;
      if (from < middle - half) return from + half;
      return from + length > middle + half ? from + length - half : middle;
    };
    look({
      ...at,
      x: need(node.x, node.width, at.x, width),
      y: need(node.y, node.height, at.y, height),
    });
  }
  function pick(node: CallNode | undefined): void {
    pickFunction(app, node?.info.key);
    if (node !== undefined) show(node);
  }
  return {
    spec,
    state,
    scene,
    camera,
    cursor,
    dispose,
    pick,
    /** Goes to the largest caller or callee, or to a neighbour. */
    walk(to: 'caller' | 'callee' | 'left' | 'right'): void {
      const [drawing, from] = [scene.peek(), cursor.peek()];
      if (drawing === undefined) return;
      if (from === undefined) {
        pick(drawing.nodes[0]);
        return;
      }
      const next = {
        caller: () => callersOf(drawing, from)[0]?.caller,
        callee: () => calleesOf(drawing, from)[0]?.callee,
        left: () => besideOf(drawing, from, -1),
        right: () => besideOf(drawing, from, 1),
      }[to]();
      if (next !== undefined) pick(next);
    },
    zoomBy(factor: number, at?: Point): void {
      const room = size.peek();
      const fixed = at ?? { x: room.width / 2, y: room.height / 2 };
      look(zoomAt(camera.peek(), room, fixed, factor));
    },
    panBy: (dx: number, dy: number) => look(panBy(camera.peek(), dx, dy)),
    whole(): void {
      const drawing = scene.peek();
      if (drawing !== undefined) look(fit({ x: 0, y: 0, ...drawing.size }, size.peek(), MARGIN));
    },
    /** The place of the drawing under one of the screen. */
    placeAt(at: Point): Place {
      const { x, y } = toWorld(camera.peek(), size.peek(), at);
      return [x, y];
    },
  };
}

/** All of a drawing where it can be read then, else its head with the largest function in the middle. */
function firstLook(largest: CallNode | undefined, drawing: Size, size: Size): Camera {
  const all = fit({ x: 0, y: 0, ...drawing }, size, MARGIN, 1);
  if (all.zoom >= READABLE || largest === undefined) return all;
  const y = Math.min(drawing.height / 2, (size.height / 2 - MARGIN) / READABLE);
  return { x: largest.x + largest.width / 2, y, zoom: READABLE };
}
