import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { afterRest, createMotion, STEP_MS } from '../../canvas/motion.ts';
import type { Point, Size } from '../../canvas/rect.ts';
import type { GraphScene, GraphState } from '../../state/graph.ts';
import {
  deepestOf,
  type Drawing,
  isFoldable,
  isOpen,
  type Walk,
} from '../../state/graph-drawing.ts';
import type { Camera } from '../../state/graph-view.ts';
import { between, panBy, toWorld, zoomAt } from './camera.ts';
import { placedBetween, type PlacedRects, rectsOf, startsOf } from './fold-motion.ts';
import {
  boundsOf,
  chevronAt,
  elementOf,
  sameTarget,
  type Target,
  targetAt,
  targetOf,
} from './hit.ts';
import { isWorthShowing } from './legends.ts';
import {
  aspectOf,
  boxAfter,
  cameraAtFirst,
  cameraOn,
  cameraOnAll,
  cameraWith,
  clampCamera,
  isSameLook,
  JUMP_ZOOM,
  type KeptBox,
  keptBox,
  READABLE,
} from './moves.ts';

/** Long enough to see where things go, short enough not to wait for. */
const FOLD_MS = 180;
const MOVE_MS = 200;
/** How near to an edge the pointer has to be, in CSS pixels. */
const REACH = 6;

export interface GraphController {
  readonly scene: ReadonlySignal<GraphScene | undefined>;
  readonly camera: ReadonlySignal<Camera>;
  readonly size: Signal<Size>;
  /** Left, top, width and height by box as they are drawn, on the way or settled. */
  readonly rects: ReadonlySignal<PlacedRects>;
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
  const rects = signal<PlacedRects>({ rects: new Float64Array(0), settled: 1 });
  const hovered = signal<Target | undefined>(undefined);
  /** The box that was selected last, where an element has several. */
  const chosen = signal<number | undefined>(undefined);
  const selected = computed<Target | undefined>(() => {
    const drawn = scene.value?.drawing;
    const element = graph.view.value.selection;
    if (drawn === undefined || element === undefined) return undefined;
    const box = chosen.value;
    return box !== undefined && drawn.columns.element[box] === element
      ? { kind: 'box', box }
      : targetOf(drawn, element);
  });
  const moving = createMotion(camera, between);
  const folding = createMotion(rects, placedBetween);

  let shown: Drawing | undefined;
  /** The element whose box keeps its place on the screen in the next drawing. */
  let anchor: number | undefined;
  /** The camera of the address, as it was last written or read. */
  let published: Camera | undefined;
  /** Whether nobody has moved the camera yet, so that it may follow the size of the screen. */
  let isFirstLook = false;
  const publishing = afterRest(() => {
    published = moving.goal();
    const aspect = shown?.view.aspect ?? undefined;
    graph.update({ camera: published, aspect }, 'replace');
  });

  function moveTo(to: Camera, duration: number): void {
    isFirstLook = false;
    publishing.begin();
    void moving.moveTo(to, duration);
  }

  /** Moves by a step of a wheel or a key. */
  function go(to: Camera, smooth: boolean): void {
    moveTo(clampCamera(to, scene.peek()?.drawing), smooth ? STEP_MS : 0);
  }

  /** Moves so that a target is in sight and can be read. */
  function bringIntoSight(drawing: Drawing, target: Target, closeness: number): void {
    const bounds = boundsOf(drawing, target);
    const next = cameraWith(bounds, moving.goal(), size.peek(), closeness);
    if (next !== undefined) moveTo(next, MOVE_MS);
  }

  /** Another drawing: boxes go from where they were to where they are now. */
  function takeDrawing(drawing: Drawing): void {
    const before = shown;
    shown = drawing;
    folding.stop();
    hovered.value = undefined;
    const settled = { rects: rectsOf(drawing), settled: 1 };
    const isForAnotherScreen = isFirstLook && before?.view.aspect !== drawing.view.aspect;
    if (before?.view.document !== drawing.view.document || isForAnotherScreen) {
      rects.value = settled;
      published = graph.view.peek().camera;
      isFirstLook = published === undefined;
      camera.value = published ?? look(drawing);
      return;
    }
    const kept = takeAnchor(before, drawing);
    if (kept === undefined) {
      moveTo(look(drawing), 0);
      rects.value = settled;
      return;
    }
    const dx = drawing.columns.x[kept.now]! - before.columns.x[kept.before]!;
    const dy = drawing.columns.y[kept.now]! - before.columns.y[kept.before]!;
    const { x, y, zoom } = camera.peek();
    moveTo({ x: x + dx, y: y + dy, zoom }, 0);
    rects.value = { rects: startsOf(before, drawing, dx, dy), settled: 0 };
    void folding.moveTo(settled, FOLD_MS);
  }

  /** The box that keeps its place: the one that was folded, else what is in the middle. */
  function takeAnchor(before: Drawing, after: Drawing): KeptBox | undefined {
    const middle = targetAt(before, camera.peek(), 0);
    const inMiddle = middle?.kind === 'box' ? elementOf(before, middle) : undefined;
    const kept = keptBox(before, after, [anchor, graph.view.peek().selection, inMiddle]);
    anchor = undefined;
    return kept;
  }

  function look(drawing: Drawing): Camera {
    return cameraAtFirst(drawing, size.peek(), legends());
  }

  /** How many legends stand over the picture. */
  function legends(): number {
    const result = scene.peek()?.overlay?.result;
    return [result?.nodes, result?.edges].filter(isWorthShowing).length;
  }

  const disposers = [
    effect(() => {
      if (size.value.width > 0) graph.screen.value = aspectOf(size.value, graph.screen.peek());
    }),
    effect(() => {
      const drawing = scene.value?.drawing;
      if (size.value.width === 0) return;
      if (drawing === undefined) shown = undefined;
      else if (drawing !== shown) takeDrawing(drawing);
      else if (isFirstLook) camera.value = look(drawing);
    }),
    // The browser's back button changes the camera as well.
    effect(() => {
      const wanted = graph.view.value.camera;
      if (shown === undefined || wanted === published) return;
      published = wanted;
      const next = wanted ?? look(shown);
      if (!isSameLook(camera.peek(), next)) moveTo(next, MOVE_MS);
    }),
    // What was jumped to is brought into sight once its containers are open.
    effect(() => {
      const wanted = graph.revealing.value;
      const drawing = scene.value?.drawing;
      if (wanted === undefined || drawing === undefined || drawing !== shown) return;
      const target = targetOf(drawing, wanted.element);
      if (target === undefined && graph.busy.peek()) return;
      graph.revealing.value = undefined;
      const around = deepestOf(drawing, wanted.path);
      if (target !== undefined) bringIntoSight(drawing, target, JUMP_ZOOM);
      else if (around !== undefined) {
        bringIntoSight(drawing, { kind: 'box', box: around }, READABLE);
      }
    }),
  ];

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
      return drawing && chevronAt(drawing, camera.peek(), size.peek(), at);
    },
    select(target) {
      const drawing = scene.peek()?.drawing;
      batch(() => {
        chosen.value = target?.kind === 'box' ? target.box : undefined;
        graph.select(drawing && target && elementOf(drawing, target));
      });
    },
    toggle(box) {
      const drawing = scene.peek()?.drawing;
      if (drawing === undefined || box === 0 || !isFoldable(drawing, box)) return;
      const element = elementOf(drawing, { kind: 'box', box });
      anchor = element;
      graph.fold(element, !isOpen(drawing, box));
    },
    zoomBy(factor, at, smooth) {
      const { width, height } = size.peek();
      const around = at ?? { x: width / 2, y: height / 2 };
      go(zoomAt(moving.goal(), size.peek(), around, factor), smooth);
    },
    panBy(dx, dy, smooth) {
      go(panBy(moving.goal(), dx, dy), smooth);
    },
    centreOn(at) {
      go({ ...camera.peek(), ...at }, false);
    },
    fitAll() {
      const drawing = scene.peek()?.drawing;
      if (drawing !== undefined) moveTo(cameraOnAll(drawing, size.peek(), legends()), MOVE_MS);
    },
    fitTo(target) {
      const drawing = scene.peek()?.drawing;
      if (drawing !== undefined) moveTo(cameraOn(boundsOf(drawing, target), size.peek()), MOVE_MS);
    },
    walk(way) {
      const drawing = scene.peek()?.drawing;
      const next = drawing && boxAfter(drawing, selected.peek(), way);
      if (drawing === undefined || next === undefined) return;
      batch(() => controller.select({ kind: 'box', box: next }));
      bringIntoSight(drawing, { kind: 'box', box: next }, READABLE);
    },
    dispose() {
      moving.stop();
      folding.stop();
      publishing.cancel();
      for (const stop of disposers) stop();
    },
  };
  return controller;
}
