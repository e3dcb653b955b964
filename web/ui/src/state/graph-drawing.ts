import {
  BoxFlag,
  GRAPH_KINDS,
  type GraphDrawingColumns,
  type GraphDrawingResult,
  type GraphKind,
  type GraphView,
} from '@hotframe/engine';
import type { Rect } from '../canvas/rect.ts';

/** Edges by box: those of box `b` are `edges[first[b]] .. edges[first[b + 1]]`. */
export interface Adjacency {
  readonly first: Uint32Array;
  readonly edges: Uint32Array;
}

/** A drawing as the engine made it, with what finding one's way in it needs. */
export interface Drawing {
  readonly view: GraphView;
  readonly result: GraphDrawingResult;
  readonly columns: GraphDrawingColumns;
  readonly count: number;
  readonly edgeCount: number;
  /** By box, the first box behind all that is in it. */
  readonly end: Uint32Array;
  /** By box, how many boxes it is in. */
  readonly level: Uint32Array;
  /** The first box of an element; others are copies of it. */
  readonly boxOfElement: ReadonlyMap<number, number>;
  /** Boxes that are not copies, in order. */
  readonly originals: readonly number[];
  readonly edgeOfElement: ReadonlyMap<number, number>;
  readonly leaving: Adjacency;
  readonly coming: Adjacency;
  /** By edge: left, top, right, bottom of its points. */
  readonly edgeBounds: Float64Array;
}

export function createDrawing(
  view: GraphView,
  result: GraphDrawingResult,
  columns: GraphDrawingColumns,
): Drawing {
  const count = columns.element.length;
  const edgeCount = columns.edge_element.length;
  const end = new Uint32Array(count);
  const level = new Uint32Array(count);
  for (let box = 1; box < count; box++) level[box] = level[columns.parent[box]!]! + 1;
  for (let box = count - 1; box >= 0; box--) {
    end[box] = Math.max(end[box]!, box + 1);
    const parent = columns.parent[box]!;
    end[parent] = Math.max(end[parent]!, end[box]!);
  }
  const edgeBounds = new Float64Array(edgeCount * 4);
  for (let edge = 0; edge < edgeCount; edge++) {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let at = firstPoint(columns, edge); at < lastPoint(columns, edge); at++) {
      left = Math.min(left, columns.point_x[at]!);
      right = Math.max(right, columns.point_x[at]!);
      top = Math.min(top, columns.point_y[at]!);
      bottom = Math.max(bottom, columns.point_y[at]!);
    }
    edgeBounds.set([left, top, right, bottom], edge * 4);
  }
  return {
    view,
    result,
    columns,
    count,
    edgeCount,
    end,
    level,
    boxOfElement: placesOf(columns.element),
    originals: [...columns.flags.keys()].filter(
      (box) => (columns.flags[box]! & BoxFlag.COPY) === 0,
    ),
    edgeOfElement: placesOf(columns.edge_element),
    leaving: adjacency(count, columns.edge_from),
    coming: adjacency(count, columns.edge_to),
    edgeBounds,
  };
}

export function kindOf(drawing: Drawing, box: number): GraphKind {
  return GRAPH_KINDS[drawing.columns.kind[box]!] ?? 'opaque';
}

export function labelOf(drawing: Drawing, box: number): string {
  return drawing.result.texts[drawing.columns.label[box]!] ?? '';
}

export function noteOf(drawing: Drawing, box: number): string {
  return drawing.result.texts[drawing.columns.note[box]!] ?? '';
}

export function edgeLabelOf(drawing: Drawing, edge: number): string {
  return drawing.result.texts[drawing.columns.edge_label[edge]!] ?? '';
}

export function isOpen(drawing: Drawing, box: number): boolean {
  return (drawing.columns.flags[box]! & BoxFlag.UNFOLDED) !== 0;
}

/** Whether a drawing has several states and shows nothing in any of them. */
export function hasClosedStatesOnly(drawing: Drawing): boolean {
  let states = 0;
  for (let box = 0; box < drawing.count; box++) {
    if (kindOf(drawing, box) !== 'state') continue;
    if (isOpen(drawing, box)) return false;
    states++;
  }
  return states > 1;
}

export function isFoldable(drawing: Drawing, box: number): boolean {
  return (drawing.columns.flags[box]! & BoxFlag.FOLDABLE) !== 0;
}

/** All boxes of the element that a box is of. */
export function boxesLike(drawing: Drawing, box: number): readonly number[] {
  const { columns, boxOfElement } = drawing;
  const first = boxOfElement.get(columns.element[box]!) ?? box;
  // Copies stand right behind what they are copies of.
  const boxes = [first];
  while (columns.element[first + boxes.length] === columns.element[first]) {
    boxes.push(first + boxes.length);
  }
  return boxes;
}

/** The box of another drawing that is of the same element, the same copy where it has that. */
export function boxIn(other: Drawing, drawing: Drawing, box: number): number | undefined {
  const element = drawing.columns.element[box]!;
  const first = other.boxOfElement.get(element);
  if (first === undefined) return undefined;
  const same = first + box - (drawing.boxOfElement.get(element) ?? box);
  return other.columns.element[same] === element ? same : first;
}

export function rectOf(drawing: Drawing, box: number): Rect {
  const { x, y, width, height } = drawing.columns;
  return { x: x[box]!, y: y[box]!, width: width[box]!, height: height[box]! };
}

export function firstPoint(columns: GraphDrawingColumns, edge: number): number {
  return columns.edge_first_point[edge]!;
}

/** Behind the last point of an edge. */
export function lastPoint(columns: GraphDrawingColumns, edge: number): number {
  return columns.edge_first_point[edge + 1] ?? columns.point_x.length;
}

/** Boxes directly in a box. */
export function childrenOf(drawing: Drawing, box: number): readonly number[] {
  const children: number[] = [];
  for (let child = box + 1; child < drawing.end[box]!; child = drawing.end[child]!) {
    children.push(child);
  }
  return children;
}

export function edgesOf(adjacency: Adjacency, box: number): Uint32Array {
  return adjacency.edges.subarray(adjacency.first[box], adjacency.first[box + 1]);
}

/** Boxes around a box, the outermost first. */
export function ancestorsOf(drawing: Drawing, box: number): readonly number[] {
  const path: number[] = [];
  for (let at = box; at !== 0; at = drawing.columns.parent[at]!) {
    path.unshift(drawing.columns.parent[at]!);
  }
  return path;
}

/** The deepest box that is drawn of a path of elements, the outermost first. */
export function deepestOf(drawing: Drawing, path: readonly number[]): number | undefined {
  return path
    .map((element) => drawing.boxOfElement.get(element))
    .findLast((box) => box !== undefined);
}

export type Walk = 'successor' | 'predecessor' | 'left' | 'right' | 'inside' | 'outside';

/** Where an arrow key goes from a box; undefined where there is nothing that way. */
export function walk(drawing: Drawing, box: number, way: Walk): number | undefined {
  const { columns } = drawing;
  const middle = (at: number) => columns.x[at]! + columns.width[at]! / 2;
  const nearest = (boxes: readonly number[]) =>
    boxes.reduce<number | undefined>(
      (best, next) =>
        best === undefined ||
        Math.abs(middle(next) - middle(box)) < Math.abs(middle(best) - middle(box))
          ? next
          : best,
      undefined,
    );
  switch (way) {
    case 'successor':
      return nearest(
        [...edgesOf(drawing.leaving, box)]
          .map((edge) => columns.edge_to[edge]!)
          .filter((to) => to !== box),
      );
    case 'predecessor':
      return nearest(
        [...edgesOf(drawing.coming, box)]
          .map((edge) => columns.edge_from[edge]!)
          .filter((from) => from !== box),
      );
    case 'inside':
      return drawing.end[box]! > box + 1 ? box + 1 : undefined;
    case 'outside':
      return box === 0 ? undefined : columns.parent[box]!;
    case 'left':
    case 'right':
      return beside(drawing, box, way === 'right' ? 1 : -1);
  }
}

/** The nearest box in the same container to one side; those at the same height count as nearer. */
function beside(drawing: Drawing, box: number, side: 1 | -1): number | undefined {
  if (box === 0) return undefined;
  const { x, y, width, height, parent } = drawing.columns;
  const from = { x: x[box]! + width[box]! / 2, y: y[box]! + height[box]! / 2 };
  let best: number | undefined;
  let least = Infinity;
  for (const other of childrenOf(drawing, parent[box]!)) {
    const dx = (x[other]! + width[other]! / 2 - from.x) * side;
    if (other === box || dx <= 0) continue;
    const distance = dx + 3 * Math.abs(y[other]! + height[other]! / 2 - from.y);
    if (distance < least) [best, least] = [other, distance];
  }
  return best;
}

function placesOf(elements: Uint32Array): ReadonlyMap<number, number> {
  const places = new Map<number, number>();
  for (let place = elements.length - 1; place >= 0; place--) places.set(elements[place]!, place);
  return places;
}

function adjacency(count: number, ends: Uint32Array): Adjacency {
  const first = new Uint32Array(count + 1);
  for (const box of ends) first[box + 1]!++;
  for (let box = 0; box < count; box++) first[box + 1]! += first[box]!;
  const next = first.slice();
  const edges = new Uint32Array(ends.length);
  for (const [edge, box] of ends.entries()) edges[next[box]!++] = edge;
  return { first, edges };
}
