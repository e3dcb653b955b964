import type { Camera } from '../../state/graph-view.ts';
import type { GraphScene } from '../../state/graph.ts';
import { formatDifference, formatQuantity } from '../../text/quantity.ts';
import type { Rect } from '../../canvas/rect.ts';
import { type Point, type Size, toScreen } from './camera.ts';
import { pointAlong, traceCoarse, traceEdge } from './curve.ts';
import {
  ARROWS_FROM,
  EDGE_VALUES_FROM,
  hasHeaders,
  HEADER,
  isPlain,
  LABEL_SIZE,
  LEAST_LETTERS,
  rectAt,
  TEXT_FROM,
  textPlan,
  type Visible,
  visibleOf,
} from './detail.ts';
import {
  COMBINES,
  type Drawing,
  edgeLabelOf,
  edgesOf,
  INTERSTATE,
  isFoldable,
  isOpen,
  kindOf,
  labelOf,
  lastPoint,
  firstPoint,
  noteOf,
  ORDERS_ONLY,
  TRANSIENT,
} from '../../state/graph-drawing.ts';
import { GLYPH_SIZE, GLYPHS } from './glyphs.ts';
import type { Target } from './hit.ts';
import { LabelPlaces } from './label-places.ts';
import { fillOf, type GraphPalette } from './palette.ts';
import { heatOf, inkOn, rampSteps, soften, stepOf } from './ramp.ts';
import { shapeOf, traceInner, traceShape } from './shapes.ts';
import { visible as harmless, shortenName, textColumns } from '../../text/names.ts';

/** All that a picture of a graph is made from. */
export interface GraphPicture {
  readonly scene: GraphScene;
  /** Left, top, width and height by box: the drawing's own, or on the way from another one. */
  readonly rects: Float64Array;
  /** How far boxes are on their way; edges appear with it. */
  readonly settled: number;
  readonly camera: Camera;
  readonly size: Size;
  /** Pixels of the device a CSS pixel. */
  readonly scale: number;
  readonly palette: GraphPalette;
  readonly fonts: Fonts;
  readonly selected: Target | undefined;
  readonly hovered: Target | undefined;
  /** Elements that a search found. */
  readonly matches: ReadonlySet<number>;
}

/** The page's fonts, and how wide their letters are for each pixel of size. */
export interface Fonts {
  readonly mono: string;
  readonly sans: string;
  readonly monoWidth: number;
}

export function readFonts(context: CanvasRenderingContext2D, element: Element): Fonts {
  const style = getComputedStyle(element);
  const mono = style.getPropertyValue('--mono').trim();
  const sans = style.getPropertyValue('--sans').trim();
  context.font = `100px ${mono}`;
  return { mono, sans, monoWidth: context.measureText('0').width / 100 };
}

/** Draws what is in sight: frames, edges, boxes, then texts, so that nothing hides a text. */
export function paintGraph(context: CanvasRenderingContext2D, picture: GraphPicture): void {
  const { camera, size, scale, palette } = picture;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.fillStyle = palette.background;
  context.fillRect(0, 0, size.width, size.height);
  const visible = visibleOf(picture.scene.drawing, picture.rects, camera, size);
  const ramp = rampSteps(picture.scene.overlay?.result.ramp ?? []);
  const pen: Brush = {
    context,
    picture,
    visible,
    ramp,
    fills: soften(ramp, palette.panel),
    inks: new Map(),
    texts: new LabelPlaces(),
  };
  inWorld(pen, () => {
    paintFrames(pen);
    context.globalAlpha = picture.settled;
    paintEdges(pen);
    context.globalAlpha = 1;
    paintLeaves(pen);
    paintMarks(pen);
  });
  context.setTransform(scale, 0, 0, scale, 0, 0);
  paintHeaders(pen);
  paintTexts(pen);
  if (picture.settled === 1) paintEdgeTexts(pen);
  paintNames(pen);
}

interface Brush {
  readonly context: CanvasRenderingContext2D;
  readonly picture: GraphPicture;
  readonly visible: Visible;
  /** Colours by step, of edges and of boxes. */
  readonly ramp: readonly string[];
  readonly fills: readonly string[];
  /** What reads on each fill. */
  readonly inks: Map<string, string>;
  readonly texts: LabelPlaces;
}

/** Runs `paint` with view units of the drawing as units of the canvas. */
function inWorld({ context, picture }: Brush, paint: () => void): void {
  const { camera, size, scale } = picture;
  const zoom = camera.zoom * scale;
  const left = size.width / 2 - camera.x * camera.zoom;
  const top = size.height / 2 - camera.y * camera.zoom;
  context.setTransform(zoom, 0, 0, zoom, left * scale, top * scale);
  paint();
}

/** Open containers, outermost first; those of one level lie beside each other and go together. */
function paintFrames(brush: Brush): void {
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

/** Edges of one colour, width and dash go together; the hottest lie on top. */
function paintEdges(brush: Brush): void {
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
    const style = flags[edge]! & (ORDERS_ONLY | COMBINES | INTERSTATE);
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
    if (camera.zoom < ARROWS_FROM || (style & ORDERS_ONLY) !== 0) continue;
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
  const dash = (style & ORDERS_ONLY) !== 0 ? [2, 4] : (style & COMBINES) !== 0 ? [6, 4] : [];
  if ((style & INTERSTATE) !== 0) return { colour: palette.interstate, pixels: 1.8, dash };
  if (step < 0 || ramp.length === 0) {
    return { colour: palette.edge, pixels: (style & ORDERS_ONLY) !== 0 ? 0.9 : 1.1, dash };
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

/** Boxes without anything drawn in them; those of one fill and line go together. */
function paintLeaves(brush: Brush): void {
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
    const line = (drawing.columns.flags[box]! & TRANSIENT) !== 0 ? dashed : solid;
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

/** Outlines of what is selected, pointed at and found. */
function paintMarks({ context, picture, visible }: Brush): void {
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
  for (const adjacency of [drawing.coming, drawing.leaving]) {
    for (const edge of edgesOf(adjacency, selected.box)) {
      strokeEdge(context, drawing, edge, palette.accent, 1.4 * line);
    }
  }
  context.globalAlpha = 1;
  context.strokeStyle = palette.accent;
  context.lineWidth = 2.2 * line;
  strokeAround(context, rectAt(rects, selected.box), 2.5 * line, 7);
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

/** Titles in the headers of open containers, with a chevron that folds them. */
function paintHeaders(brush: Brush): void {
  const { context, picture, visible } = brush;
  const { scene, camera, fonts } = picture;
  const letters = Math.max(LEAST_LETTERS, LABEL_SIZE * camera.zoom);
  if (!hasHeaders(camera.zoom)) return;
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  for (const box of visible.frames) {
    const rect = onScreen(picture, box);
    const { ink, mute } = inkFor(brush, box);
    // A header that is scrolled out to the left keeps its title in sight.
    const left = Math.max(rect.x, Math.min(0, rect.x + rect.width - 120));
    const right = rect.x + rect.width;
    const middle = rect.y + (HEADER / 2) * camera.zoom;
    if (middle < -20 || middle > picture.size.height + 20) continue;
    const unit = letters / LABEL_SIZE;
    const advance = letters * fonts.monoWidth;
    const whole = labelOf(scene.drawing, box);
    let x = left + 8 * unit;
    if (box !== 0 && isFoldable(scene.drawing, box)) {
      paintChevron(context, x + 3 * unit, middle, 3.2 * unit, mute);
      x += 11 * unit;
    }
    if (x + GLYPH_ROOM * unit + Math.min(whole.length, 18) * advance < right - 4) {
      paintGlyph(context, kindOf(scene.drawing, box), x, middle, unit, mute);
      x += GLYPH_ROOM * unit;
    }
    const label = shortenName(whole, Math.floor((right - x - 4) / advance));
    if (label === '') continue;
    context.font = `600 ${letters}px ${fonts.mono}`;
    context.fillStyle = ink;
    context.fillText(label, x, middle);
    x += textColumns(label) * advance + 9 * unit;
    const second = secondLine(scene, box);
    const small = letters * 0.9;
    const rest = shortenName(second, Math.floor((right - x - 8) / (small * fonts.monoWidth)));
    if (rest.length < 3) continue;
    context.font = `${small}px ${fonts.mono}`;
    context.fillStyle = mute;
    context.fillText(rest, x, middle);
  }
}

/** Labels of boxes and, below, what they tell. */
function paintTexts(brush: Brush): void {
  const { context, picture, visible } = brush;
  const { scene, camera, fonts } = picture;
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  for (const box of visible.leaves) {
    const rect = onScreen(picture, box);
    const plan = textPlan(camera.zoom, rect.height / camera.zoom);
    if (plan.lines === 0) continue;
    const ink = inkFor(brush, box);
    const unit = plan.label / LABEL_SIZE;
    const room = rect.width - 10 * unit;
    const advance = plan.label * fonts.monoWidth;
    const whole = labelOf(scene.drawing, box);
    // The shape tells the kind as well: the glyph gives way to the name.
    const withGlyph =
      camera.zoom >= GLYPHS_FROM &&
      room - GLYPH_ROOM * unit >= Math.min(whole.length, 18) * advance;
    const glyph = withGlyph ? GLYPH_ROOM * unit : 0;
    const label = shortenName(whole, Math.floor((room - glyph) / advance));
    if (label === '') continue;
    const second = plan.lines === 2 ? secondLine(scene, box) : '';
    const smaller = plan.note * fonts.monoWidth;
    const note = shortenName(second, Math.floor(room / smaller));
    const middle = rect.y + rect.height / 2;
    const first = note === '' ? middle : middle - plan.note * 0.62;
    const x = rect.x + (rect.width - textColumns(label) * advance - glyph) / 2;
    if (withGlyph) paintGlyph(context, kindOf(scene.drawing, box), x, first, unit, ink.mute);
    context.font = `${plan.label}px ${fonts.mono}`;
    context.fillStyle = ink.ink;
    context.fillText(label, x + glyph, first);
    if (note === '') continue;
    context.font = `${plan.note}px ${fonts.mono}`;
    context.fillStyle = ink.mute;
    const below = rect.x + (rect.width - textColumns(note) * smaller) / 2;
    context.fillText(note, below, middle + plan.label * 0.62);
  }
}

/** What is written with on a box: on colours whichever of black and white reads. */
function inkFor(brush: Brush, box: number): { readonly ink: string; readonly mute: string } {
  const { ink, mute } = brush.picture.palette;
  const fill = heatOf(brush.picture.scene.overlay, brush.fills, box);
  if (fill === undefined || !fill.startsWith('#')) return { ink, mute };
  let on = brush.inks.get(fill);
  if (on === undefined) brush.inks.set(fill, (on = inkOn(fill)));
  return { ink: on, mute: on };
}

/** What a box tells below its label: its value, else its range, shape or condition. */
export function secondLine({ drawing, overlay, show }: GraphScene, box: number): string {
  const legend = overlay?.result.nodes;
  if (legend === null || legend === undefined) return noteOf(drawing, box);
  const value = overlay?.columns.node_value[box] ?? Number.NaN;
  if (Number.isNaN(value)) return noteOf(drawing, box);
  if (legend.categories.length > 0) return legend.categories[value]?.name ?? '';
  return show.against === null
    ? formatQuantity(value, legend.unit)
    : formatDifference(value, legend.unit);
}

/** What an edge tells: how much moves, or under which condition it is taken. */
export function edgeText({ drawing, overlay, show }: GraphScene, edge: number): string {
  if ((drawing.columns.edge_flags[edge]! & INTERSTATE) !== 0) return edgeLabelOf(drawing, edge);
  const legend = overlay?.result.edges;
  const value = overlay?.columns.edge_value[edge] ?? Number.NaN;
  if (legend === null || legend === undefined || Number.isNaN(value)) return '';
  if (show.against !== null && value === 0) return '';
  return show.against === null
    ? formatQuantity(value, legend.unit)
    : formatDifference(value, legend.unit);
}

/** Values and conditions at the middle of edges, the hottest first, none on another. */
function paintEdgeTexts(brush: Brush): void {
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

/** From this zoom on coloured edges have a rim, so that light colours stand out. */
const CASING_FROM = 0.25;
/** Where along an edge its text may be, the best place first. */
const TEXT_PLACES = [0.5, 0.35, 0.65, 0.2, 0.8];

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

/** Arrow heads fit between layers. */
const LARGEST_HEAD = 16;
/** From this zoom on boxes have glyphs; further out shapes have to do. */
const GLYPHS_FROM = 0.5;
/** Room for a glyph before a label, at a zoom of one. */
const GLYPH_ROOM = 15;
/** Letters of an edge's text at a zoom of one. */
const NOTE_ON_EDGE = 10;
/** Names of what is too small for a header, as maps write names of countries. */
const NAME_SIZE = 12;

/** Names over containers whose headers cannot be read, the outermost first. */
function paintNames(brush: Brush): void {
  const { context, picture, visible, texts } = brush;
  const { scene, palette, camera, fonts } = picture;
  const { drawing } = scene;
  const headers = hasHeaders(camera.zoom);
  const closed = visible.leaves.filter(
    (box) =>
      isFoldable(drawing, box) && textPlan(camera.zoom, drawing.columns.height[box]!).lines === 0,
  );
  const boxes = headers ? closed : [...visible.frames.filter((box) => box !== 0), ...closed];
  const level = (box: number) => drawing.level[box]!;
  boxes.sort((a, b) => level(a) - level(b) || area(picture, b) - area(picture, a));
  // Where boxes have texts, names stay in the headers that they are too large for.
  const above = camera.zoom >= TEXT_FROM;
  const letters = above ? LEAST_LETTERS + 0.5 : NAME_SIZE;
  context.font = `600 ${letters}px ${fonts.sans}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  for (const box of boxes) {
    const rect = onScreen(picture, box);
    if (rect.width < (above ? 24 : 44) || rect.height < NAME_SIZE * 1.6) continue;
    const name = harmless(labelOf(drawing, box));
    const width = context.measureText(name).width;
    if (name === '' || width > rect.width - 4) continue;
    const { x, y } = above
      ? { x: rect.x + rect.width / 2, y: rect.y + (HEADER / 2) * camera.zoom }
      : middleInSight(rect, picture.size);
    const room = above ? 0.6 : 1;
    const taken = {
      x: x - width / 2 - 4,
      y: y - letters * room,
      width: width + 8,
      height: 2 * letters * room,
    };
    if (!texts.take(taken)) continue;
    context.lineWidth = above ? 2.5 : 4;
    context.strokeStyle = palette.background;
    context.globalAlpha = 0.85;
    context.strokeText(name, x, y);
    context.globalAlpha = 1;
    context.fillStyle = palette.ink;
    context.fillText(name, x, y);
  }
}

/** The middle of what is in sight of a rectangle; at its top where it is larger than the screen. */
function middleInSight({ x, y, width, height }: Rect, size: Size): Point {
  const [left, right] = [Math.max(0, x), Math.min(size.width, x + width)];
  const [top, bottom] = [Math.max(0, y), Math.min(size.height, y + height)];
  const isLarge = height > size.height * 0.6;
  return { x: (left + right) / 2, y: isLarge ? top + NAME_SIZE : (top + bottom) / 2 };
}

function area(picture: GraphPicture, box: number): number {
  const { width, height } = rectAt(picture.rects, box);
  return width * height;
}

function onScreen({ rects, camera, size }: GraphPicture, box: number): Rect {
  const rect = rectAt(rects, box);
  const corner = toScreen(camera, size, rect);
  return { ...corner, width: rect.width * camera.zoom, height: rect.height * camera.zoom };
}

const glyphPaths = new Map<string, Path2D>();

/** A kind's mark, with its left edge and middle at a place. */
function paintGlyph(
  context: CanvasRenderingContext2D,
  kind: keyof typeof GLYPHS,
  x: number,
  middle: number,
  unit: number,
  colour: string,
): void {
  let path = glyphPaths.get(kind);
  if (path === undefined) glyphPaths.set(kind, (path = new Path2D(GLYPHS[kind])));
  context.save();
  context.translate(x, middle - (GLYPH_SIZE / 2) * unit);
  context.scale(unit, unit);
  context.lineWidth = 1.1;
  context.strokeStyle = colour;
  context.stroke(path);
  context.restore();
}

function paintChevron(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  size: number,
  colour: string,
): void {
  context.strokeStyle = colour;
  context.lineWidth = 1.4;
  context.beginPath();
  context.moveTo(x - size, y - size / 2);
  context.lineTo(x, y + size / 2);
  context.lineTo(x + size, y - size / 2);
  context.stroke();
}

function group<K>(groups: Map<K, number[]>, key: K, member: number): void {
  const members = groups.get(key);
  if (members === undefined) groups.set(key, [member]);
  else members.push(member);
}
