import type { Point, Rect, Size } from '../../canvas/rect.ts';
import { type Drawing, isOpen, rectOf } from '../../state/graph-drawing.ts';
import type { Camera } from '../../state/graph-view.ts';
import { contains, toWorld } from './camera.ts';
import { distanceTo, samplesOf } from './curve.ts';
import { hasHeaders, HEADER } from './detail.ts';

/** What the pointer is on. */
export type Target =
  { readonly kind: 'box'; readonly box: number } | { readonly kind: 'edge'; readonly edge: number };

export function sameTarget(a: Target | undefined, b: Target | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.kind === 'box'
    ? b.kind === 'box' && a.box === b.box
    : b.kind === 'edge' && a.edge === b.edge;
}

/** The deepest box at a point of the drawing; what is in a box that does not hold it is skipped. */
export function boxAt(drawing: Drawing, at: Point): number | undefined {
  let found: number | undefined;
  for (let box = 0; box < drawing.count;) {
    if (contains(rectOf(drawing, box), at)) {
      found = box;
      box++;
    } else box = drawing.end[box]!;
  }
  return found;
}

/** The nearest edge within `reach` view units. */
export function edgeAt(drawing: Drawing, at: Point, reach: number): number | undefined {
  const { edgeBounds } = drawing;
  let found: number | undefined;
  let least = reach;
  for (let edge = 0; edge < drawing.edgeCount; edge++) {
    const bounds = edge * 4;
    if (
      at.x < edgeBounds[bounds]! - reach ||
      at.y < edgeBounds[bounds + 1]! - reach ||
      at.x > edgeBounds[bounds + 2]! + reach ||
      at.y > edgeBounds[bounds + 3]! + reach
    ) {
      continue;
    }
    const distance = distanceTo(drawing.columns, edge, at);
    if (distance < least) [found, least] = [edge, distance];
  }
  return found;
}

/** A box that is not a ground wins over an edge, and an edge over the ground of an open container. */
export function targetAt(drawing: Drawing, at: Point, reach: number): Target | undefined {
  const box = boxAt(drawing, at);
  if (box !== undefined && !isOpen(drawing, box)) return { kind: 'box', box };
  const edge = edgeAt(drawing, at, reach);
  if (edge !== undefined) return { kind: 'edge', edge };
  return box === undefined ? undefined : { kind: 'box', box };
}

/** Where an element is drawn. */
export function targetOf(drawing: Drawing, element: number): Target | undefined {
  const box = drawing.boxOfElement.get(element);
  if (box !== undefined) return { kind: 'box', box };
  const edge = drawing.edgeOfElement.get(element);
  return edge === undefined ? undefined : { kind: 'edge', edge };
}

export function elementOf({ columns }: Drawing, target: Target): number {
  return target.kind === 'box' ? columns.element[target.box]! : columns.edge_element[target.edge]!;
}

export function boundsOf(drawing: Drawing, target: Target): Rect {
  if (target.kind === 'box') return rectOf(drawing, target.box);
  const points = samplesOf(drawing.columns, target.edge);
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}

/** The open container whose chevron is under a point of the screen. */
export function chevronAt(
  drawing: Drawing,
  camera: Camera,
  size: Size,
  at: Point,
): number | undefined {
  if (!hasHeaders(camera.zoom)) return undefined;
  const world = toWorld(camera, size, at);
  const target = targetAt(drawing, world, 0);
  if (target?.kind !== 'box' || target.box === 0) return undefined;
  const { x, y } = rectOf(drawing, target.box);
  const left = Math.max(x, toWorld(camera, size, { x: 0, y: 0 }).x);
  const wide = HEADER * Math.max(1, 0.8 / camera.zoom);
  const inHeader = world.y - y <= HEADER && world.x - left <= wide;
  return inHeader && isOpen(drawing, target.box) ? target.box : undefined;
}
