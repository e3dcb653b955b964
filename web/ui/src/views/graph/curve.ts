import type { GraphDrawingColumns } from '@hotframe/engine';
import type { Point } from '../../canvas/rect.ts';
import { firstPoint, lastPoint } from '../../state/graph-drawing.ts';

/** Where a path of the canvas, or anything like it, can be drawn to. */
export interface Pen {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  bezierCurveTo(ax: number, ay: number, bx: number, by: number, x: number, y: number): void;
}

/** A curve is at least so many view units high where its ends differ by less. */
const LEAST_BEND = 14;

/**
 * Draws an edge: lines where two points lie above or beside each other, else curves that are
 * vertical at both ends, so that they stay in the room between two layers.
 */
export function traceEdge(pen: Pen, columns: GraphDrawingColumns, edge: number): void {
  const { point_x: xs, point_y: ys } = columns;
  const first = firstPoint(columns, edge);
  const end = lastPoint(columns, edge);
  if (first >= end) return;
  pen.moveTo(xs[first]!, ys[first]!);
  for (let at = first + 1; at < end; at++) {
    const [x, y] = [xs[at]!, ys[at]!];
    if (x === xs[at - 1]! || y === ys[at - 1]!) pen.lineTo(x, y);
    else {
      const bend = bendOf(ys[at - 1]!, y);
      pen.bezierCurveTo(xs[at - 1]!, ys[at - 1]! + bend, x, y - bend, x, y);
    }
  }
}

/** The same with straight lines, for when it is small on the screen. */
export function traceCoarse(pen: Pen, columns: GraphDrawingColumns, edge: number): void {
  const { point_x: xs, point_y: ys } = columns;
  const end = lastPoint(columns, edge);
  for (let at = firstPoint(columns, edge); at < end; at++) {
    if (at === firstPoint(columns, edge)) pen.moveTo(xs[at]!, ys[at]!);
    else pen.lineTo(xs[at]!, ys[at]!);
  }
}

/** Points along an edge, close enough to each other to measure distances by. */
export function samplesOf(columns: GraphDrawingColumns, edge: number): Point[] {
  const points: Point[] = [];
  const { point_x: xs, point_y: ys } = columns;
  const end = lastPoint(columns, edge);
  for (let at = firstPoint(columns, edge); at < end; at++) {
    const to = { x: xs[at]!, y: ys[at]! };
    const from = points.at(-1);
    if (from !== undefined && from.x !== to.x && from.y !== to.y) {
      const bend = bendOf(from.y, to.y);
      for (let step = 1; step < 8; step++) {
        const t = step / 8;
        points.push({
          x: cubic(from.x, from.x, to.x, to.x, t),
          y: cubic(from.y, from.y + bend, to.y - bend, to.y, t),
        });
      }
    }
    points.push(to);
  }
  return points;
}

/** The point of an edge at a share of its length. */
export function pointAlong(
  columns: GraphDrawingColumns,
  edge: number,
  share: number,
): Point | undefined {
  const points = samplesOf(columns, edge);
  const lengths = points.map((point, index) =>
    index === 0 ? 0 : Math.hypot(point.x - points[index - 1]!.x, point.y - points[index - 1]!.y),
  );
  let left = lengths.reduce((sum, length) => sum + length, 0) * share;
  for (let at = 1; at < points.length; at++) {
    const length = lengths[at]!;
    if (left <= length && length > 0) {
      const [a, b] = [points[at - 1]!, points[at]!];
      const part = left / length;
      return { x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part };
    }
    left -= length;
  }
  return points.at(-1);
}

/** Distance of a point from an edge, in view units. */
export function distanceTo(columns: GraphDrawingColumns, edge: number, at: Point): number {
  const points = samplesOf(columns, edge);
  let least = Infinity;
  for (let index = 1; index < points.length; index++) {
    least = Math.min(least, distanceToLine(points[index - 1]!, points[index]!, at));
  }
  return least;
}

function distanceToLine(a: Point, b: Point, at: Point): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : ((at.x - a.x) * dx + (at.y - a.y) * dy) / length;
  const t = Math.min(1, Math.max(0, share));
  return Math.hypot(at.x - a.x - t * dx, at.y - a.y - t * dy);
}

/** How far the handles of a curve are from its ends, down from the upper one. */
function bendOf(from: number, to: number): number {
  const half = (to - from) / 2;
  return Math.abs(half) < LEAST_BEND ? LEAST_BEND : half;
}

function cubic(a: number, b: number, c: number, d: number, t: number): number {
  const s = 1 - t;
  return s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d;
}
