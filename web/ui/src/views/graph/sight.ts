import { type ReadonlySignal, signal } from '@preact/signals';
import { afterRest, createMotion, STEP_MS } from '../../canvas/motion.ts';
import type { Point, Size } from '../../canvas/rect.ts';
import type { GraphState } from '../../state/graph.ts';
import type { Drawing } from '../../state/graph-drawing.ts';
import type { Camera } from '../../state/graph-view.ts';
import { between, panBy, zoomAt } from './camera.ts';
import { boundsOf, type Target } from './hit.ts';
import { isWorthShowing } from './legends.ts';
import {
  cameraAtFirst,
  cameraOn,
  cameraOnAll,
  cameraWith,
  clampCamera,
  isSameLook,
} from './moves.ts';

const MOVE_MS = 200;

/** The part of a drawing that is in sight, and how it moves. */
export function createSight(
  graph: Pick<GraphState, 'scene' | 'view' | 'update'>,
  /** The drawing that is on the screen. */
  shown: () => Drawing | undefined,
) {
  const { scene } = graph;
  const size = signal<Size>({ width: 0, height: 0 });
  const camera = signal<Camera>({ x: 0, y: 0, zoom: 1 });
  const motion = createMotion(camera, between);
  /** The camera of the address, as it was last written or read. */
  let published: Camera | undefined;
  /** Whether nobody has moved the camera yet, so that it may follow the size of the screen. */
  let isFirstLook = false;
  const publishing = afterRest(() => {
    published = motion.goal();
    const aspect = shown()?.view.aspect ?? undefined;
    graph.update({ camera: published, aspect }, 'replace');
  });

  function moveTo(to: Camera, duration: number): void {
    isFirstLook = false;
    publishing.begin();
    void motion.moveTo(to, duration);
  }

  /** Moves by a step of a wheel or a key. */
  function go(to: Camera, smooth: boolean): void {
    moveTo(clampCamera(to, scene.peek()?.drawing), smooth ? STEP_MS : 0);
  }

  /** How many legends stand over the picture. */
  function legends(): number {
    const result = scene.peek()?.overlay?.result;
    return [result?.nodes, result?.edges].filter(isWorthShowing).length;
  }

  const firstLook = (drawing: Drawing) => cameraAtFirst(drawing, size.peek(), legends());

  return {
    /** Of the screen; written by what follows it. */
    size,
    camera: camera as ReadonlySignal<Camera>,
    isFirstLook: () => isFirstLook,
    /** Looks at a drawing as the address says, or from its beginning. */
    begin(drawing: Drawing) {
      published = graph.view.peek().camera;
      isFirstLook = published === undefined;
      camera.value = published ?? firstLook(drawing);
    },
    /** What could tell where to look first has changed: the screen, or the legends. */
    adjust(drawing: Drawing) {
      if (isFirstLook) camera.value = firstLook(drawing);
    },
    /** Goes where the address says, unless it says what has been written to it. */
    follow(wanted: Camera | undefined) {
      const drawing = shown();
      if (drawing === undefined || wanted === published) return;
      published = wanted;
      const next = wanted ?? firstLook(drawing);
      if (!isSameLook(camera.peek(), next)) moveTo(next, MOVE_MS);
    },
    beginAgain(drawing: Drawing) {
      moveTo(firstLook(drawing), 0);
    },
    /** The ground has moved by so much, which nobody is to see. */
    shift(dx: number, dy: number) {
      const { x, y, zoom } = camera.peek();
      moveTo({ x: x + dx, y: y + dy, zoom }, 0);
    },
    /** Moves so that a target is in sight and can be read. */
    bringIntoSight(drawing: Drawing, target: Target, closeness: number) {
      const next = cameraWith(boundsOf(drawing, target), motion.goal(), size.peek(), closeness);
      if (next !== undefined) moveTo(next, MOVE_MS);
    },
    zoomBy(factor: number, at: Point | undefined, smooth: boolean) {
      const { width, height } = size.peek();
      const around = at ?? { x: width / 2, y: height / 2 };
      go(zoomAt(motion.goal(), size.peek(), around, factor), smooth);
    },
    panBy(dx: number, dy: number, smooth: boolean) {
      go(panBy(motion.goal(), dx, dy), smooth);
    },
    /** Puts a place of the drawing into the middle at once. */
    centreOn(at: Point) {
      go({ ...camera.peek(), ...at }, false);
    },
    fitAll() {
      const drawing = scene.peek()?.drawing;
      if (drawing !== undefined) moveTo(cameraOnAll(drawing, size.peek(), legends()), MOVE_MS);
    },
    fitTo(target: Target) {
      const drawing = scene.peek()?.drawing;
      if (drawing !== undefined) moveTo(cameraOn(boundsOf(drawing, target), size.peek()), MOVE_MS);
    },
    dispose() {
      motion.stop();
      publishing.cancel();
    },
  };
}
