import { BoxFlag } from '@hotframe/engine';
import type { Rect } from '../../canvas/rect.ts';
import { kindOf } from '../../state/graph-drawing.ts';
import { type Brush, group } from './brush.ts';
import { HEADER, isPlain, rectAt } from './detail.ts';
import { fillOf } from './palette.ts';
import { heatOf } from './ramp.ts';
import { shapeOf, traceInner, traceShape } from './shapes.ts';

/** Open containers, outermost first; those of one level lie beside each other and go together. */
export function paintFrames(brush: Brush): void {
  const { context, picture, visible } = brush;
  const { drawing } = picture.scene;
  const { palette, camera } = picture;
  const levels = new Map<number, number[]>();
  for (const box of visible.frames) group(levels, drawing.level[box]!, box);
  context.lineWidth = 1 / camera.zoom;
  for (const level of [...levels.keys()].sort((a, b) => a - b)) {
    const path = new Path2D();
    const lines = new Path2D();
    const headers = new Path2D();
    for (const box of levels.get(level)!) {
      const rect = rectAt(picture.rects, box);
      path.roundRect(rect.x, rect.y, rect.width, rect.height, 6);
      const kind = kindOf(drawing, box);
      traceInner(lines, kind === 'nested' ? kind : 'state', rect);
      if (kind === 'map' || kind === 'consume') {
        traceHeader(headers, rect);
      }
    }
    // The outermost graph is the ground itself.
    if (level > 0) {
      // Every other one is lighter again, so that what is deep does not become dark.
      context.fillStyle = level % 2 === 1 ? palette.frame : palette.background;
      context.globalAlpha = level % 2 === 1 ? 1 : 0.55;
      context.fill(path);
      context.globalAlpha = 1;
    }
    context.fillStyle = palette.scope;
    context.fill(headers);
    for (const box of levels.get(level)!) paintHotHeader(brush, box);
    context.strokeStyle = palette.frameLine;
    context.stroke(path);
    context.stroke(lines);
    context.stroke(headers);
  }
}

/** The head of an open container that tells a value which nothing in it tells. */
function paintHotHeader(brush: Brush, box: number): void {
  const { context, picture } = brush;
  const fill = heatOf(brush.picture.scene.overlay, brush.fills, box);
  if (fill === undefined) return;
  const { x, y, width } = rectAt(picture.rects, box);
  context.fillStyle = fill;
  context.beginPath();
  context.roundRect(x, y, width, HEADER, [6, 6, 0, 0]);
  context.fill();
}

/** The head of an open scope has the ends of a closed one. */
function traceHeader(path: Path2D, { x, y, width }: Rect): void {
  const cut = Math.min(10, width / 4);
  path.moveTo(x + cut, y);
  path.lineTo(x + width - cut, y);
  path.lineTo(x + width, y + HEADER);
  path.lineTo(x, y + HEADER);
  path.closePath();
}

/** Boxes without anything drawn in them; those of one fill and line go together. */
export function paintLeaves(brush: Brush): void {
  const { context, picture, visible } = brush;
  const { drawing } = picture.scene;
  const { palette, camera } = picture;
  const plain = isPlain(camera.zoom);
  const fills = new Map<string, Path2D>();
  const solid = new Path2D();
  const dashed = new Path2D();
  for (const box of visible.leaves) {
    const rect = rectAt(picture.rects, box);
    const fill = boxFill(brush, box, plain);
    let path = fills.get(fill);
    if (path === undefined) fills.set(fill, (path = new Path2D()));
    if (plain) {
      path.rect(rect.x, rect.y, rect.width, rect.height);
      continue;
    }
    const kind = kindOf(drawing, box);
    const line = (drawing.columns.flags[box]! & BoxFlag.TRANSIENT) !== 0 ? dashed : solid;
    traceShape(path, shapeOf(kind), rect);
    traceShape(line, shapeOf(kind), rect);
    traceInner(line, kind, rect);
  }
  for (const [fill, path] of fills) {
    context.fillStyle = fill;
    context.fill(path);
  }
  if (plain) return;
  context.lineWidth = Math.min(1, Math.max(0.5, camera.zoom * 1.5)) / camera.zoom;
  context.strokeStyle = palette.boxLine;
  context.stroke(solid);
  context.setLineDash([4 / Math.max(0.6, camera.zoom), 3 / Math.max(0.6, camera.zoom)]);
  context.stroke(dashed);
  context.setLineDash([]);
}

/** The fill of a box; `far` off, where lines are not drawn, kinds look alike. */
function boxFill(brush: Brush, box: number, far: boolean): string {
  const { scene, palette } = brush.picture;
  const heat = heatOf(brush.picture.scene.overlay, brush.fills, box);
  if (heat !== undefined) return heat;
  if (far) return palette.far;
  return (scene.overlay?.result.nodes ?? null) === null
    ? fillOf(palette, kindOf(scene.drawing, box))
    : palette.plain;
}
