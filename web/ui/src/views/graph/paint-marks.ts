import type { Rect } from '../../canvas/rect.ts';
import { boxesLike, type Drawing, edgesOf, isOpen } from '../../state/graph-drawing.ts';
import type { Brush } from './brush.ts';
import { traceEdge } from './curve.ts';
import { rectAt } from './detail.ts';

/** Outlines of what is selected, pointed at and found. */
export function paintMarks({ context, picture, visible }: Brush): void {
  const { scene, palette, camera, rects } = picture;
  const { drawing } = scene;
  const line = 1 / camera.zoom;
  if (picture.matches.size > 0) {
    context.strokeStyle = palette.accent;
    context.lineWidth = 1.6 * line;
    for (const box of [...visible.frames, ...visible.leaves]) {
      if (!picture.matches.has(drawing.columns.element[box]!)) continue;
      strokeAround(context, rectAt(rects, box), 2 * line, 6);
    }
  }
  if (picture.summed.size > 0) {
    context.strokeStyle = palette.ink;
    context.lineWidth = 1.6 * line;
    context.setLineDash([5 * line, 3 * line]);
    for (const box of [...visible.frames, ...visible.leaves]) {
      if (!picture.summed.has(drawing.columns.element[box]!)) continue;
      strokeAround(context, rectAt(rects, box), 4 * line, 8);
    }
    context.setLineDash([]);
  }
  const { hovered, selected } = picture;
  if (hovered?.kind === 'box' && !isOpen(drawing, hovered.box)) {
    context.strokeStyle = palette.ink;
    context.lineWidth = 1.2 * line;
    strokeAround(context, rectAt(rects, hovered.box), 0, 6);
  }
  if (hovered?.kind === 'edge') strokeEdge(context, drawing, hovered.edge, palette.ink, 1.6 * line);
  if (selected?.kind === 'edge') {
    strokeEdge(context, drawing, selected.edge, palette.accent, 3.2 * line);
  }
  if (selected?.kind !== 'box') return;
  context.globalAlpha = 0.75 * picture.settled;
  const boxes = boxesLike(drawing, selected.box);
  for (const adjacency of [drawing.coming, drawing.leaving]) {
    for (const edge of boxes.flatMap((box) => [...edgesOf(adjacency, box)])) {
      strokeEdge(context, drawing, edge, palette.accent, 1.4 * line);
    }
  }
  context.globalAlpha = 1;
  context.strokeStyle = palette.accent;
  context.lineWidth = 2.2 * line;
  for (const box of boxes) strokeAround(context, rectAt(rects, box), 2.5 * line, 7);
}

function strokeAround(
  context: CanvasRenderingContext2D,
  { x, y, width, height }: Rect,
  away: number,
  radius: number,
): void {
  context.beginPath();
  context.roundRect(x - away, y - away, width + 2 * away, height + 2 * away, radius);
  context.stroke();
}

function strokeEdge(
  context: CanvasRenderingContext2D,
  drawing: Drawing,
  edge: number,
  colour: string,
  width: number,
): void {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.beginPath();
  traceEdge(context, drawing.columns, edge);
  context.stroke();
}
