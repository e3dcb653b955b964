import type { Camera } from '../../state/graph-view.ts';
import type { Rect, Size } from '../../canvas/rect.ts';
import { intersects, viewOf } from './camera.ts';
import { type Drawing, isOpen } from '../../state/graph-drawing.ts';

/** Heights in the drawing's view units, as the engine lays it out. */
export const HEADER = 26;
/** Letters at a zoom of one, in CSS pixels. */
export const LABEL_SIZE = 11.5;
export const NOTE_SIZE = 10;
/** Letters on the screen are never smaller while there is room for them. */
export const LEAST_LETTERS = 8.5;
/** A line of text needs so much height for a pixel of letter. */
const LINE = 1.25;
/** Open containers that are smaller on the screen are drawn as one piece. */
const SPECK = 5;
/** Below this zoom a box is only a filled rectangle. */
const PLAIN_BELOW = 0.08;
/** Below this zoom no leaf has a text. */
export const TEXT_FROM = 0.2;
/** Below this zoom no leaf has a second line. */
const SECOND_LINE_FROM = 0.35;
/** From this zoom on edges have arrow heads, and values where there is room. */
export const ARROWS_FROM = 0.16;
export const EDGE_VALUES_FROM = 0.5;
/** Edges that are shorter on the screen are left out. */
const SHORTEST_EDGE = 1.5;

/** What of a drawing is in sight, in the order of the drawing. */
export interface Visible {
  /** Open containers of which something inside is drawn. */
  readonly frames: readonly number[];
  /** Boxes that are drawn as one piece. */
  readonly leaves: readonly number[];
  readonly edges: readonly number[];
}

/** Boxes and edges that the screen shows; `rects` has four numbers a box. */
export function visibleOf(
  drawing: Drawing,
  rects: Float64Array,
  camera: Camera,
  size: Size,
): Visible {
  const view = viewOf(camera, size);
  const speck = SPECK / camera.zoom;
  const frames: number[] = [];
  const leaves: number[] = [];
  for (let box = 0; box < drawing.count;) {
    const rect = rectAt(rects, box);
    if (!intersects(rect, view)) {
      box = drawing.end[box]!;
    } else if (isOpen(drawing, box) && Math.max(rect.width, rect.height) > speck) {
      frames.push(box);
      box++;
    } else {
      leaves.push(box);
      box = drawing.end[box]!;
    }
  }
  const edges: number[] = [];
  const { edgeBounds } = drawing;
  const shortest = SHORTEST_EDGE / camera.zoom;
  const [right, bottom] = [view.x + view.width, view.y + view.height];
  for (let edge = 0; edge < drawing.edgeCount; edge++) {
    const at = edge * 4;
    const [left, top] = [edgeBounds[at]!, edgeBounds[at + 1]!];
    if (left > right || top > bottom) continue;
    if (edgeBounds[at + 2]! < view.x || edgeBounds[at + 3]! < view.y) continue;
    if (edgeBounds[at + 2]! - left < shortest && edgeBounds[at + 3]! - top < shortest) continue;
    edges.push(edge);
  }
  return { frames, leaves, edges };
}

export function rectAt(rects: Float64Array, box: number): Rect {
  const at = box * 4;
  return { x: rects[at]!, y: rects[at + 1]!, width: rects[at + 2]!, height: rects[at + 3]! };
}

/** How a box's texts are drawn: pixels of a letter, and how many lines there are. */
export interface TextPlan {
  readonly label: number;
  readonly note: number;
  readonly lines: 0 | 1 | 2;
}

/** The texts of boxes that are so many view units high, at a zoom. */
export function textPlan(zoom: number, height: number): TextPlan {
  const label = Math.max(LEAST_LETTERS, LABEL_SIZE * zoom);
  const note = Math.max(LEAST_LETTERS, NOTE_SIZE * zoom);
  const room = height * zoom;
  if (zoom < TEXT_FROM || room < label * LINE) return { label, note, lines: 0 };
  const two = zoom >= SECOND_LINE_FROM && room >= (label + note) * LINE;
  return { label, note, lines: two ? 2 : 1 };
}

/** Whether headers are high enough for a title and the chevron that folds. */
export function hasHeaders(zoom: number): boolean {
  return HEADER * zoom >= LEAST_LETTERS * 1.15;
}

export function isPlain(zoom: number): boolean {
  return zoom < PLAIN_BELOW;
}
