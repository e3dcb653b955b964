import type { Rect, Size } from '../../canvas/rect.ts';
import { type Drawing, type Walk, walk } from '../../state/graph-drawing.ts';
import type { Camera } from '../../state/graph-view.ts';
import { contains, firstLook, fit, keepInSight, leaveRoom, lookAt, viewOf } from './camera.ts';
import type { Target } from './hit.ts';

/** Around a drawing that fits, in CSS pixels. */
const MARGIN = 28;
/** Width of the legends with what is around them, in CSS pixels. */
const LEGEND_ROOM = 312;
/** Height of one of them with what is around it, in CSS pixels. */
const LEGEND_HEIGHT = 108;
/** A first look that is closer by less than this shows all instead. */
const NEARLY = 1.5;
/** Labels are readable from this zoom on. */
export const READABLE = 0.6;
/** What was jumped to is shown at least so close. */
export const JUMP_ZOOM = 0.7;

export function wholeOf({ result }: Drawing): Size {
  return { width: result.width, height: result.height };
}

/** The nearest camera that has something of the drawing in sight. */
export function clampCamera(camera: Camera, drawing: Drawing | undefined): Camera {
  return drawing === undefined ? camera : keepInSight(camera, wholeOf(drawing));
}

/**
 * Width of a screen in percent of its height without the legends, in few steps. It stays as it was
 * `before` while that is about right, so that a drawing is not made anew for every pixel.
 */
export function aspectOf(size: Size, before: number | undefined): number {
  const exact = (100 * size.width) / Math.max(1, size.height - LEGEND_HEIGHT);
  if (before !== undefined && Math.abs(Math.log2(exact / before)) < 0.7) return before;
  const step = Math.round(4 * Math.log2(exact / 100)) / 4;
  return Math.round(100 * 2 ** Math.min(2, Math.max(-2, step)));
}

/** Where a drawing is looked at first; `legends` hide nothing of what fits beside them. */
export function cameraAtFirst(drawing: Drawing, size: Size, legends: number): Camera {
  const whole = wholeOf(drawing);
  const all = cameraOnAll(drawing, size, legends);
  const first = firstLook(whole, size, MARGIN, READABLE);
  // What is about as wide as the screen when all of it is seen is not read from its upper end.
  return first.zoom < all.zoom * NEARLY ? all : aside(first, whole, size, legends);
}

/** All of a drawing, beside the `legends` or above them. */
export function cameraOnAll(drawing: Drawing, size: Size, legends: number): Camera {
  const whole = wholeOf(drawing);
  const all = fit({ x: 0, y: 0, ...whole }, size, MARGIN);
  const moved = aside(all, whole, size, legends);
  if (legends === 0 || moved !== all || isBeside(all, whole, size)) return moved;
  const beside = fit(
    { x: 0, y: 0, ...whole },
    { ...size, width: size.width - LEGEND_ROOM },
    MARGIN,
  );
  const below = legends * LEGEND_HEIGHT;
  const height = size.height - below;
  const above = fit({ x: 0, y: 0, ...whole }, { ...size, height }, MARGIN);
  return beside.zoom > above.zoom
    ? { ...beside, x: beside.x - LEGEND_ROOM / 2 / beside.zoom }
    : { ...above, y: above.y + below / 2 / above.zoom };
}

/** Whether a drawing in the middle leaves room for the legends. */
function isBeside({ zoom }: Camera, whole: Size, size: Size): boolean {
  return (size.width - whole.width * zoom) / 2 >= LEGEND_ROOM;
}

/** As close to a rectangle as it fits. */
export function cameraOn(rect: Rect, size: Size): Camera {
  return fit(rect, size, 2 * MARGIN);
}

/**
 * Where to look so that a rectangle is in sight, and at least so close that it can be read;
 * undefined where it is and can.
 */
export function cameraWith(
  rect: Rect,
  camera: Camera,
  size: Size,
  closeness: number,
): Camera | undefined {
  const view = viewOf(camera, size);
  const inner = {
    x: view.x + MARGIN / camera.zoom,
    y: view.y + MARGIN / camera.zoom,
    width: view.width - (2 * MARGIN) / camera.zoom,
    height: view.height - (2 * MARGIN) / camera.zoom,
  };
  const far = { x: rect.x + rect.width, y: rect.y + rect.height };
  if (camera.zoom >= closeness && contains(inner, rect) && contains(inner, far)) return undefined;
  return lookAt(rect, size, MARGIN, Math.max(camera.zoom, closeness));
}

/** Whether two cameras show the same: a pixel or a hundredth of the zoom apart. */
export function isSameLook(a: Camera, b: Camera): boolean {
  const near = Math.abs(b.x - a.x) + Math.abs(b.y - a.y) < 1 / a.zoom;
  return near && Math.abs(b.zoom / a.zoom - 1) <= 0.01;
}

/** A box in two drawings of a graph. */
export interface KeptBox {
  readonly before: number;
  readonly now: number;
}

/** The first of some elements that has a box in both drawings, which is not the whole graph. */
export function keptBox(
  before: Drawing,
  after: Drawing,
  elements: readonly (number | undefined)[],
): KeptBox | undefined {
  for (const element of elements) {
    if (element === undefined) continue;
    const now = after.boxOfElement.get(element);
    const was = before.boxOfElement.get(element);
    if (now !== undefined && was !== undefined && was !== 0) return { before: was, now };
  }
  return undefined;
}

/** Where a walk leads: along an edge to its ends, else as boxes lie; out where there is no more. */
export function boxAfter(
  drawing: Drawing,
  from: Target | undefined,
  way: Walk,
): number | undefined {
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

function aside(camera: Camera, whole: Size, size: Size, legends: number): Camera {
  return legends > 0 ? leaveRoom(camera, whole, size, LEGEND_ROOM) : camera;
}
