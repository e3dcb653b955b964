import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { GraphScene, GraphState } from '../../state/graph.ts';
import type { Camera } from '../../state/graph-view.ts';
import type { Rect } from '../../canvas/rect.ts';
import {
  between,
  contains,
  firstLook,
  fit,
  keepInSight,
  leaveRoom,
  lookAt,
  panBy,
  type Point,
  type Size,
  toWorld,
  viewOf,
  zoomAt,
} from './camera.ts';
import { samplesOf } from './curve.ts';
import { hasHeaders, HEADER } from './detail.ts';
import {
  deepestOf,
  type Drawing,
  isFoldable,
  isOpen,
  rectOf,
  walk,
  type Walk,
} from '../../state/graph-drawing.ts';
import { rectsBetween, rectsOf, startsOf } from './fold-motion.ts';
import { sameTarget, type Target, targetAt } from './hit.ts';

/** Long enough to see where things go, short enough not to wait for. */
const FOLD_MS = 180;
const MOVE_MS = 200;
const SMOOTH_MS = 90;
/** The address is written when a motion has ended, not at each of its frames. */
const ADDRESS_GAP_MS = 250;
/** Around a drawing that fits, in CSS pixels. */
const MARGIN = 28;
/** Width of the legends with what is around them, in CSS pixels. */
const LEGEND_ROOM = 312;
/** Labels are readable from this zoom on. */
const READABLE = 0.6;
/** What was jumped to is shown at least so close. */
const JUMP_ZOOM = 0.7;
/** How near to an edge the pointer has to be, in CSS pixels. */
const REACH = 6;

export interface GraphController {
  readonly scene: ReadonlySignal<GraphScene | undefined>;
  readonly camera: ReadonlySignal<Camera>;
  readonly size: Signal<Size>;
  /** Left, top, width and height by box as they are drawn, on the way or settled. */
  readonly rects: ReadonlySignal<{ readonly rects: Float64Array; readonly settled: number }>;
  readonly hovered: Signal<Target | undefined>;
  readonly selected: ReadonlySignal<Target | undefined>;
  hit(at: Point): Target | undefined;
  /** Whether a point of the screen is on the chevron of an open container. */
  chevronAt(at: Point): number | undefined;
  select(target: Target | undefined): void;
  /** Folds or unfolds a box; it keeps its place on the screen. */
  toggle(box: number): void;
  zoomBy(factor: number, at: Point | undefined, smooth: boolean): void;
  panBy(dx: number, dy: number, smooth: boolean): void;
  /** Puts a place of the drawing into the middle at once. */
  centreOn(at: Point): void;
  fitAll(): void;
  fitTo(target: Target): void;
  walk(way: Walk): void;
  dispose(): void;
}

export function createGraphController(graph: GraphState): GraphController {
  const { scene } = graph;
  const size = signal<Size>({ width: 0, height: 0 });
  const camera = signal<Camera>({ x: 0, y: 0, zoom: 1 });
  const rects = signal<{ rects: Float64Array; settled: number }>({
    rects: new Float64Array(0),
    settled: 1,
  });
  const hovered = signal<Target | undefined>(undefined);
  const selected = computed<Target | undefined>(() => {
    const drawn = scene.value?.drawing;
    const element = graph.view.value.selection;
    if (drawn === undefined || element === undefined) return undefined;
    const box = drawn.boxOfElement.get(element);
    if (box !== undefined) return { kind: 'box', box };
    const edge = drawn.edgeOfElement.get(element);
    return edge === undefined ? undefined : { kind: 'edge', edge };
  });
  const reduced = matchMedia('(prefers-reduced-motion: reduce)');

  let shown: Drawing | undefined;
  /** The box that keeps its place on the screen in the next drawing. */
  let anchor: number | undefined;
  let motion = 0;
  let goal: Camera | undefined;
  let folding = 0;
  let addressTimer = 0;
  /** The camera of the address, as it was last written or read. */
  let published: Camera | undefined;
  /** Whether nobody has moved the camera yet, so that it may follow the size of the screen. */
  let isFirstLook = false;

  function stop(): void {
    cancelAnimationFrame(motion);
    goal = undefined;
  }

  function moveTo(to: Camera, duration: number): void {
    stop();
    isFirstLook = false;
    publishLater();
    if (duration === 0 || reduced.matches) {
      camera.value = to;
      return;
    }
    const from = camera.peek();
    const start = performance.now();
    goal = to;
    const tick = () => {
      const progress = Math.min(1, (performance.now() - start) / duration);
      camera.value = progress === 1 ? to : between(from, to, 1 - (1 - progress) ** 3);
      if (progress < 1) motion = requestAnimationFrame(tick);
      else goal = undefined;
    };
    motion = requestAnimationFrame(tick);
  }

  function publishLater(): void {
    clearTimeout(addressTimer);
    addressTimer = window.setTimeout(() => {
      published = camera.peek();
      graph.update({ camera: published }, 'replace');
    }, ADDRESS_GAP_MS);
  }

  function wholeOf(drawing: Drawing): Size {
    return { width: drawing.result.width, height: drawing.result.height };
  }

  function clampTo(next: Camera): Camera {
    const drawing = scene.peek()?.drawing;
    return drawing === undefined ? next : keepInSight(next, wholeOf(drawing));
  }

  function boundsOf(drawing: Drawing, target: Target): Rect {
    if (target.kind === 'box') return rectOf(drawing, target.box);
    const points = samplesOf(drawing.columns, target.edge);
    const xs = points.map(({ x }) => x);
    const ys = points.map(({ y }) => y);
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
  }

  /** Moves so that a target is in sight and can be read. */
  function bringIntoSight(drawing: Drawing, target: Target, least: number): void {
    const rect = boundsOf(drawing, target);
    const now = goal ?? camera.peek();
    const view = viewOf(now, size.peek());
    const inner = {
      x: view.x + MARGIN / now.zoom,
      y: view.y + MARGIN / now.zoom,
      width: view.width - (2 * MARGIN) / now.zoom,
      height: view.height - (2 * MARGIN) / now.zoom,
    };
    const far = { x: rect.x + rect.width, y: rect.y + rect.height };
    if (now.zoom >= least && contains(inner, rect) && contains(inner, far)) return;
    moveTo(lookAt(rect, size.peek(), MARGIN, Math.max(now.zoom, least)), MOVE_MS);
  }

  /** Another drawing: boxes go from where they were to where they are now. */
  function takeDrawing(drawing: Drawing): void {
    const before = shown;
    shown = drawing;
    cancelAnimationFrame(folding);
    hovered.value = undefined;
    const to = rectsOf(drawing);
    const sameDocument = before?.view.document === drawing.view.document;
    if (before === undefined || !sameDocument) {
      rects.value = { rects: to, settled: 1 };
      published = graph.view.peek().camera;
      isFirstLook = published === undefined;
      camera.value = published ?? look(drawing);
      return;
    }
    const kept = keptBox(before, drawing);
    let [dx, dy] = [0, 0];
    if (kept !== undefined) {
      dx = drawing.columns.x[kept.now]! - before.columns.x[kept.before]!;
      dy = drawing.columns.y[kept.now]! - before.columns.y[kept.before]!;
      stop();
      isFirstLook = false;
      camera.value = { ...camera.peek(), x: camera.peek().x + dx, y: camera.peek().y + dy };
      publishLater();
    } else {
      moveTo(look(drawing), 0);
    }
    if (reduced.matches || kept === undefined) {
      rects.value = { rects: to, settled: 1 };
      return;
    }
    const from = startsOf(before, drawing, dx, dy);
    const start = performance.now();
    const tick = () => {
      const progress = Math.min(1, (performance.now() - start) / FOLD_MS);
      const eased = 1 - (1 - progress) ** 3;
      rects.value =
        progress === 1
          ? { rects: to, settled: 1 }
          : { rects: rectsBetween(from, to, eased), settled: eased ** 2 };
      if (progress < 1) folding = requestAnimationFrame(tick);
    };
    rects.value = { rects: from, settled: 0 };
    folding = requestAnimationFrame(tick);
  }

  /** The box that keeps its place: the one that was folded, else what is in the middle. */
  function keptBox(
    before: Drawing,
    after: Drawing,
  ): { readonly before: number; readonly now: number } | undefined {
    const element = anchor;
    anchor = undefined;
    const middle = targetAt(before, camera.peek(), 0);
    const candidates = [
      element,
      graph.view.peek().selection,
      middle?.kind === 'box' ? before.columns.element[middle.box] : undefined,
    ];
    for (const candidate of candidates) {
      if (candidate === undefined) continue;
      const now = after.boxOfElement.get(candidate);
      const was = before.boxOfElement.get(candidate);
      if (now !== undefined && was !== undefined && was !== 0) return { before: was, now };
    }
    return undefined;
  }

  function look(drawing: Drawing): Camera {
    const whole = wholeOf(drawing);
    return aside(firstLook(whole, size.peek(), MARGIN, READABLE), whole);
  }

  /** Legends hide nothing of what fits beside them. */
  function aside(next: Camera, whole: Size): Camera {
    const { nodes, edges } = graph.view.peek();
    const legends = nodes !== 'none' || edges !== 'none';
    return legends ? leaveRoom(next, whole, size.peek(), LEGEND_ROOM) : next;
  }

  const stopDrawing = effect(() => {
    const drawing = scene.value?.drawing;
    if (size.value.width === 0) return;
    if (drawing === undefined) shown = undefined;
    else if (drawing !== shown) takeDrawing(drawing);
    else if (isFirstLook) camera.value = look(drawing);
  });

  // The browser's back button changes the camera as well.
  const stopCamera = effect(() => {
    const wanted = graph.view.value.camera;
    if (shown === undefined || wanted === published) return;
    published = wanted;
    const now = camera.peek();
    const next = wanted ?? look(shown);
    const near = Math.abs(next.x - now.x) + Math.abs(next.y - now.y) < 1 / now.zoom;
    if (!near || Math.abs(next.zoom / now.zoom - 1) > 0.01) moveTo(next, MOVE_MS);
  });

  // What was jumped to is brought into sight once its containers are open.
  const stopReveal = effect(() => {
    const wanted = graph.revealing.value;
    const drawing = scene.value?.drawing;
    if (wanted === undefined || drawing === undefined || drawing !== shown) return;
    const box = drawing.boxOfElement.get(wanted.element);
    const edge = drawing.edgeOfElement.get(wanted.element);
    const around = deepestOf(drawing, wanted.path);
    const target: Target | undefined =
      box !== undefined
        ? { kind: 'box', box }
        : edge !== undefined
          ? { kind: 'edge', edge }
          : undefined;
    if (target === undefined && graph.busy.peek()) return;
    graph.revealing.value = undefined;
    if (target !== undefined) bringIntoSight(drawing, target, JUMP_ZOOM);
    else if (around !== undefined) bringIntoSight(drawing, { kind: 'box', box: around }, READABLE);
  });

  const controller: GraphController = {
    scene,
    camera,
    size,
    rects,
    hovered,
    selected,
    hit(at) {
      const drawing = scene.peek()?.drawing;
      if (drawing === undefined) return undefined;
      const now = camera.peek();
      const world = toWorld(now, size.peek(), at);
      const target = targetAt(drawing, world, REACH / now.zoom);
      return sameTarget(target, hovered.peek()) ? hovered.peek() : target;
    },
    chevronAt(at) {
      const drawing = scene.peek()?.drawing;
      if (drawing === undefined) return undefined;
      const now = camera.peek();
      if (!hasHeaders(now.zoom)) return undefined;
      const world = toWorld(now, size.peek(), at);
      const target = targetAt(drawing, world, 0);
      if (target?.kind !== 'box' || target.box === 0) return undefined;
      const { x, y } = rectOf(drawing, target.box);
      const left = Math.max(x, toWorld(now, size.peek(), { x: 0, y: 0 }).x);
      const wide = HEADER * Math.max(1, 0.8 / now.zoom);
      const inHeader = world.y - y <= HEADER && world.x - left <= wide;
      return inHeader && isOpen(drawing, target.box) ? target.box : undefined;
    },
    select(target) {
      const columns = scene.peek()?.drawing.columns;
      if (columns === undefined || target === undefined) graph.select(undefined);
      else if (target.kind === 'box') graph.select(columns.element[target.box]);
      else graph.select(columns.edge_element[target.edge]);
    },
    toggle(box) {
      const drawing = scene.peek()?.drawing;
      if (drawing === undefined || box === 0 || !isFoldable(drawing, box)) return;
      anchor = drawing.columns.element[box];
      graph.fold(drawing.columns.element[box]!, !isOpen(drawing, box));
    },
    zoomBy(factor, at, smooth) {
      const { width, height } = size.peek();
      const around = at ?? { x: width / 2, y: height / 2 };
      const next = zoomAt(goal ?? camera.peek(), size.peek(), around, factor);
      moveTo(clampTo(next), smooth ? SMOOTH_MS : 0);
    },
    panBy(dx, dy, smooth) {
      moveTo(clampTo(panBy(goal ?? camera.peek(), dx, dy)), smooth ? SMOOTH_MS : 0);
    },
    centreOn(at) {
      moveTo(clampTo({ ...camera.peek(), ...at }), 0);
    },
    fitAll() {
      const drawing = scene.peek()?.drawing;
      if (drawing === undefined) return;
      const whole = wholeOf(drawing);
      moveTo(aside(fit({ x: 0, y: 0, ...whole }, size.peek(), MARGIN), whole), MOVE_MS);
    },
    fitTo(target) {
      const drawing = scene.peek()?.drawing;
      if (drawing === undefined) return;
      moveTo(fit(boundsOf(drawing, target), size.peek(), 2 * MARGIN), MOVE_MS);
    },
    walk(way) {
      const drawing = scene.peek()?.drawing;
      if (drawing === undefined) return;
      const next = nextOf(drawing, selected.peek(), way);
      if (next === undefined) return;
      batch(() => controller.select({ kind: 'box', box: next }));
      bringIntoSight(drawing, { kind: 'box', box: next }, READABLE);
    },
    dispose() {
      stop();
      cancelAnimationFrame(folding);
      clearTimeout(addressTimer);
      stopDrawing();
      stopCamera();
      stopReveal();
    },
  };
  return controller;
}

/** Where a walk leads: along an edge to its ends, else as boxes lie; out where there is no more. */
function nextOf(drawing: Drawing, from: Target | undefined, way: Walk): number | undefined {
  if (from === undefined) return drawing.count > 1 ? 1 : 0;
  if (from.kind === 'edge') {
    const { edge_from: source, edge_to: target } = drawing.columns;
    return way === 'predecessor' ? source[from.edge] : target[from.edge];
  }
  const next = walk(drawing, from.box, way);
  if (next !== undefined) return next;
  if (way === 'predecessor') return walk(drawing, from.box, 'outside');
  return way === 'successor' ? walk(drawing, from.box, 'inside') : undefined;
}
