import { contains, type Point } from './camera.ts';
import { distanceTo } from './curve.ts';
import { type Drawing, isOpen, rectOf } from '../../state/graph-drawing.ts';

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

/** A box that is no ground wins over an edge, and an edge over the ground of an open container. */
export function targetAt(drawing: Drawing, at: Point, reach: number): Target | undefined {
  const box = boxAt(drawing, at);
  if (box !== undefined && !isOpen(drawing, box)) return { kind: 'box', box };
  const edge = edgeAt(drawing, at, reach);
  if (edge !== undefined) return { kind: 'edge', edge };
  return box === undefined ? undefined : { kind: 'box', box };
}
