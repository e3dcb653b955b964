import { EdgeFlag } from '@hotframe/engine';
import type { Rect } from '../../canvas/rect.ts';
import type { GraphScene } from '../../state/graph-scene.ts';
import { type Drawing, firstPoint, lastPoint } from '../../state/graph-drawing.ts';
import { shortenName, textColumns } from '../../text/names.ts';
import { type Brush, group, onScreen } from './brush.ts';
import { toScreen } from './camera.ts';
import { pointAlong, traceCoarse, traceEdge } from './curve.ts';
import { ARROWS_FROM, EDGE_VALUES_FROM, LEAST_LETTERS } from './detail.ts';
import { stepOf } from './ramp.ts';
import { edgeText } from './texts.ts';

/** From this zoom on coloured edges have a rim, so that light colours stand out. */
const CASING_FROM = 0.25;
/** Arrow heads fit between layers. */
const LARGEST_HEAD = 16;
/** Letters of an edge's text at a zoom of one. */
const NOTE_ON_EDGE = 10;
/** Where along an edge its text may be, the best place first. */
const TEXT_PLACES = [0.5, 0.35, 0.65, 0.2, 0.8];

/** Edges of one colour, width and dash go together; the hottest lie on top. */
export function paintEdges(brush: Brush): void {
  const { context, picture, visible } = brush;
  const { drawing, overlay } = picture.scene;
  const { camera, palette } = picture;
  const { edge_flags: flags } = drawing.columns;
  const positions = overlay?.columns.edge_position;
  const compared = isComparison(picture.scene);
  const buckets = new Map<number, number[]>();
  for (const edge of visible.edges) {
    const position = positions?.[edge] ?? Number.NaN;
    // Where nothing changed there is nothing to be told.
    const isSame = compared && overlay?.columns.edge_value[edge] === 0;
    const step = Number.isNaN(position) || isSame ? -1 : stepOf(position);
    const style = flags[edge]! & (EdgeFlag.ORDERS_ONLY | EdgeFlag.COMBINES | EdgeFlag.INTERSTATE);
    group(buckets, (step + 1) * 16 + style, edge);
  }
  // Lines become thinner as one goes away, but slower than what they join.
  const far = Math.min(1, Math.sqrt(camera.zoom * 1.4));
  const hasCasing = camera.zoom >= CASING_FROM;
  const trace = camera.zoom < 0.12 ? traceCoarse : traceEdge;
  for (const key of [...buckets.keys()].sort((a, b) => a - b)) {
    const step = Math.floor(key / 16) - 1;
    const style = key % 16;
    const path = new Path2D();
    const edges = buckets.get(key)!;
    for (const edge of edges) trace(path, drawing.columns, edge);
    const { colour, pixels, dash } = strokeOf(brush, step, style);
    if (step >= 0 && hasCasing) {
      context.strokeStyle = palette.casing;
      context.lineWidth = (pixels * far + 1) / camera.zoom;
      context.stroke(path);
    }
    context.strokeStyle = colour;
    context.lineWidth = (pixels * far) / camera.zoom;
    context.setLineDash(dash.map((length) => length / Math.max(0.5, camera.zoom)));
    context.stroke(path);
    context.setLineDash([]);
    if (camera.zoom < ARROWS_FROM || (style & EdgeFlag.ORDERS_ONLY) !== 0) continue;
    const heads = new Path2D();
    const head = Math.min(LARGEST_HEAD, (3.5 + 2.3 * pixels * far) / camera.zoom);
    for (const edge of edges) traceHead(heads, drawing, edge, head);
    context.fillStyle = colour;
    context.fill(heads);
  }
}

function strokeOf(
  { picture, ramp }: Brush,
  step: number,
  style: number,
): { readonly colour: string; readonly pixels: number; readonly dash: readonly number[] } {
  const { palette } = picture;
  const dash =
    (style & EdgeFlag.ORDERS_ONLY) !== 0 ? [2, 4] : (style & EdgeFlag.COMBINES) !== 0 ? [6, 4] : [];
  if ((style & EdgeFlag.INTERSTATE) !== 0) return { colour: palette.interstate, pixels: 1.8, dash };
  if (step < 0 || ramp.length === 0) {
    return { colour: palette.edge, pixels: (style & EdgeFlag.ORDERS_ONLY) !== 0 ? 0.9 : 1.1, dash };
  }
  const position = step / Math.max(1, ramp.length - 1);
  // A difference is as large as it is far from the middle.
  const share = isComparison(picture.scene) ? Math.abs(2 * position - 1) : position;
  return { colour: ramp[step] ?? palette.edge, pixels: 1.3 + 2.2 * share, dash };
}

function isComparison({ show }: GraphScene): boolean {
  return show.against !== null;
}

/** An arrow head at the last point; edges arrive vertically. */
function traceHead(path: Path2D, drawing: Drawing, edge: number, size: number): void {
  const { point_x: xs, point_y: ys } = drawing.columns;
  const last = lastPoint(drawing.columns, edge) - 1;
  if (last <= firstPoint(drawing.columns, edge)) return;
  const [x, y] = [xs[last]!, ys[last]!];
  const down = y >= ys[last - 1]! ? 1 : -1;
  path.moveTo(x, y);
  path.lineTo(x - size * 0.5, y - size * down);
  path.lineTo(x + size * 0.5, y - size * down);
  path.closePath();
}

/** Values and conditions at the middle of edges, the hottest first, none on another. */
export function paintEdgeTexts(brush: Brush): void {
  const { context, picture, visible, texts } = brush;
  const { scene, palette, camera, fonts } = picture;
  if (camera.zoom < EDGE_VALUES_FROM) return;
  const letters = Math.max(LEAST_LETTERS, NOTE_ON_EDGE * camera.zoom);
  const advance = letters * fonts.monoWidth;
  const positions = scene.overlay?.columns.edge_position;
  const rank = (edge: number) => positions?.[edge] || 0;
  const edges = [...visible.edges].sort((a, b) => rank(b) - rank(a));
  context.font = `${letters}px ${fonts.mono}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  // No text lies on a box.
  for (const box of visible.leaves) texts.take(onScreen(picture, box));
  for (const edge of edges) {
    const text = shortenName(edgeText(scene, edge), 34);
    if (text === '') continue;
    const width = textColumns(text) * advance + 6;
    const rect = placeOnEdge(brush, edge, width, letters * 1.4);
    if (rect === undefined) continue;
    const [x, y] = [rect.x + rect.width / 2, rect.y + rect.height / 2];
    context.globalAlpha = 0.92;
    context.fillStyle = palette.background;
    context.beginPath();
    context.roundRect(rect.x, rect.y, rect.width, rect.height, 3);
    context.fill();
    context.globalAlpha = 1;
    context.fillStyle = palette.ink;
    context.fillText(text, x, y);
  }
}

/** A place for a text on an edge that is in sight and free, which is taken. */
function placeOnEdge(
  { picture, texts }: Brush,
  edge: number,
  width: number,
  height: number,
): Rect | undefined {
  const { scene, camera, size } = picture;
  for (const share of TEXT_PLACES) {
    const at = pointAlong(scene.drawing.columns, edge, share);
    if (at === undefined) return undefined;
    const { x, y } = toScreen(camera, size, at);
    if (x < 0 || y < 0 || x > size.width || y > size.height) continue;
    const rect = { x: x - width / 2, y: y - height / 2, width, height };
    if (texts.take(rect)) return rect;
  }
  return undefined;
}
