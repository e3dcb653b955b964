import { FlameFlag } from '@hotframe/engine';
import { shortenLabel } from '../text/names.ts';
import { MERGED_CLASS, signOf } from './colour.ts';
import { CLASSES } from './generated/colours.ts';
import { FLAME, FONT } from './generated/measures.ts';
import type { PaintPlan } from './paint-plan.ts';
import type { Palette } from './palette.ts';
import type { Size } from './rect.ts';
import { isMerged, isUnsure, labelOf, nameOf, type Scene } from './scene.ts';
import type { Viewport } from './viewport.ts';

export const ROW_HEIGHT = FLAME.rowHeight;
/** Room around the graph, in CSS pixels. */
export const PADDING = FLAME.padding;
/**
 * Above so many wide boxes, corners are cut by overlapping rectangles instead of curves, which
 * cost several times as much in a software renderer; also while things move.
 */
const MOST_CURVES = 2500;

/** What to draw. */
export interface Picture {
  readonly scene: Scene;
  readonly plan: PaintPlan;
  readonly palette: Palette;
  readonly viewport: Viewport;
  readonly size: Size;
  /** Device pixels a CSS pixel. */
  readonly scale: number;
  /** Row 0 at the bottom, growing upward. */
  readonly inverted: boolean;
  /** Another picture follows at once: corners are drawn more cheaply. */
  readonly moving: boolean;
  readonly selected: number | undefined;
  readonly hovered: number | undefined;
  /** The functions all of whose frames are lit, by their keys. */
  readonly lit: ReadonlySet<number>;
  readonly labels: Labels;
  /** Fills boxes that stand for several frames, see `hatchPattern`. */
  readonly hatch: CanvasPattern | string;
  /** Is laid over boxes whose change is not shown, see `strokesPattern`. */
  readonly strokes: CanvasPattern | string;
}

/** Where a box lies on the canvas, in CSS pixels. */
export interface Placed {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

export function graphWidth(size: Size): number {
  return Math.max(1, size.width - 2 * PADDING);
}

export function rowTop(row: number, viewport: Viewport, size: Size, inverted: boolean): number {
  const offset = PADDING + row * ROW_HEIGHT - viewport.top;
  return inverted ? size.height - offset - ROW_HEIGHT : offset;
}

/** Which row is at a height of the canvas; may be negative. */
export function rowAt(y: number, viewport: Viewport, size: Size, inverted: boolean): number {
  const offset = inverted ? size.height - y : y;
  return Math.floor((offset - PADDING + viewport.top) / ROW_HEIGHT);
}

/** Which share of the root is at a place of the canvas. */
export function shareAt(x: number, viewport: Viewport, size: Size): number {
  return viewport.from + ((x - PADDING) / graphWidth(size)) * (viewport.to - viewport.from);
}

/** Shortened names, kept because every animation frame needs the same ones. */
export class Labels {
  readonly #font: string;
  readonly #charWidth: number;
  #scene: Scene | undefined;
  readonly #texts = new Map<number, string>();

  constructor(context: CanvasRenderingContext2D) {
    this.#font = `${FLAME.fontSize}px ${FONT}`;
    context.font = this.#font;
    const sample = '0'.repeat(64);
    this.#charWidth = context.measureText(sample).width / sample.length;
  }

  get font(): string {
    return this.#font;
  }

  textFor(scene: Scene, box: number, width: number): string {
    if (this.#scene !== scene) {
      this.#scene = scene;
      this.#texts.clear();
    }
    const columns = Math.min(1023, Math.floor((width - FLAME.textMargin - 4) / this.#charWidth));
    const sign = (scene.boxes.tag[box] ?? 0) * 2 + (isUnsure(scene, box) ? 1 : 0);
    const key = (scene.boxes.name[box]! * 1024 + columns) * 16 + sign;
    let text = this.#texts.get(key);
    if (text === undefined) {
      text = textOf(scene, box, columns);
      this.#texts.set(key, text);
    }
    return text;
  }
}

/** The name, after the sign of its change in a comparison. */
function textOf(scene: Scene, box: number, columns: number): string {
  const sign = signOf(scene.boxes.tag[box], isUnsure(scene, box));
  const shortened = (room: number) => shortenLabel(nameOf(scene, box), labelOf(scene, box), room);
  if (sign === '') return shortened(columns);
  const name = shortened(columns - sign.length - 1);
  return name === '' ? (columns >= sign.length ? sign : '') : `${sign} ${name}`;
}

/** Draws the visible boxes; at most one style change a colour, two for the texts. */
export function paintFlame(context: CanvasRenderingContext2D, picture: Picture): void {
  const { scene, plan, palette, viewport, size, scale } = picture;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.fillStyle = palette.background;
  context.fillRect(0, 0, size.width, size.height);
  context.save();
  context.beginPath();
  context.rect(PADDING - 1, 0, graphWidth(size) + 2, size.height);
  context.clip();

  const perShare = graphWidth(size) / (viewport.to - viewport.from);
  const firstRow = Math.floor((viewport.top - PADDING) / ROW_HEIGHT);
  const lastRow = Math.ceil((viewport.top + size.height) / ROW_HEIGHT);
  const { x, width, row, flags, key, merged } = scene.boxes;
  const labelled: number[] = [];
  const bordered: number[] = [];
  const matched: number[] = [];
  const lit: number[] = [];
  const unsure: number[] = [];
  let curves = picture.moving ? MOST_CURVES : 0;
  let colour = -1;
  for (const box of plan.order) {
    const boxRow = row[box]!;
    if (boxRow < firstRow || boxRow > lastRow) continue;
    const left = PADDING + (x[box]! - viewport.from) * perShare;
    const wide = width[box]! * perShare;
    if (left > size.width || left + wide < 0) continue;
    const nextColour = plan.classes[box]!;
    if (nextColour !== colour) {
      colour = nextColour;
      const several = colour % CLASSES === MERGED_CLASS;
      context.fillStyle = several ? picture.hatch : (palette.fills[colour] ?? palette.merged);
    }
    const y = rowTop(boxRow, viewport, size, picture.inverted) + 0.5;
    // Far-off edges would lose precision in the renderer's 32-bit floats.
    const from = Math.max(left + 0.5, -50);
    const to = Math.min(left + wide - 0.5, size.width + 50);
    const drawn = Math.max(to - from, 0.6);
    if (drawn < FLAME.narrowestRound) context.fillRect(from, y, drawn, FLAME.boxHeight);
    else if (curves++ < MOST_CURVES) fillRound(context, from, y, drawn);
    else fillCut(context, from, y, drawn);
    if (wide >= FLAME.narrowestText) labelled.push(box);
    if (palette.border !== undefined) bordered.push(box);
    if ((flags[box]! & FlameFlag.MATCHES) !== 0) matched.push(box);
    if (plan.byChange && isUnsure(scene, box)) unsure.push(box);
    if (picture.lit.has(key[box]!) && merged[box] === 0 && boxRow > 0) lit.push(box);
  }

  const place = (box: number): Placed => placeBox(picture, box);
  context.fillStyle = picture.strokes;
  for (const box of unsure) {
    const { x: from, y, width: wide } = place(box);
    context.fillRect(from, y, wide, FLAME.boxHeight);
  }
  paintBorders(context, picture, bordered, place);
  paintTexts(context, picture, labelled, place);
  if (scene.subject.search !== '') {
    context.lineWidth = 1.25;
    context.strokeStyle = palette.outline;
    context.fillStyle = palette.accent;
    for (const box of matched) {
      const placed = place(box);
      // An outline around next to nothing would only be a dark line.
      if (placed.width >= FLAME.narrowestOutline) strokeRound(context, placed);
      else context.fillRect(placed.x, placed.y, Math.max(1, placed.width), FLAME.boxHeight);
    }
  }
  context.lineWidth = 1.5;
  context.strokeStyle = palette.accent;
  context.fillStyle = palette.accent;
  for (const box of lit) {
    const placed = place(box);
    if (placed.width >= FLAME.narrowestOutline) strokeRound(context, placed);
    else context.fillRect(placed.x, placed.y, Math.max(1, placed.width), FLAME.boxHeight);
  }
  if (picture.hovered !== undefined) {
    context.lineWidth = 1;
    context.strokeStyle = palette.accent;
    strokeRound(context, place(picture.hovered));
  }
  if (picture.selected !== undefined) {
    context.lineWidth = 2;
    context.strokeStyle = palette.outline;
    strokeRound(context, place(picture.selected));
  }
  context.restore();
  paintScrollbar(context, picture);
}

/** Where a box is drawn. */
export function placeBox(
  picture: Pick<Picture, 'scene' | 'viewport' | 'size' | 'inverted'>,
  box: number,
): Placed {
  const { scene, viewport, size, inverted } = picture;
  const perShare = graphWidth(size) / (viewport.to - viewport.from);
  const left = PADDING + (scene.boxes.x[box]! - viewport.from) * perShare;
  const right = left + scene.boxes.width[box]! * perShare;
  const from = Math.max(left + 0.5, -50);
  const to = Math.min(right - 0.5, size.width + 50);
  return {
    x: from,
    y: rowTop(scene.boxes.row[box]!, viewport, size, inverted) + 0.5,
    width: Math.max(to - from, 0.6),
  };
}

function paintTexts(
  context: CanvasRenderingContext2D,
  picture: Picture,
  boxes: readonly number[],
  place: (box: number) => Placed,
): void {
  const { scene, plan, palette, labels, size } = picture;
  context.textBaseline = 'middle';
  const draw = (finish: 0 | 1 | 2, style: string) => {
    context.font = `${style}${labels.font}`;
    context.fillStyle = palette.inks[finish];
    for (const box of boxes) {
      if (Math.floor(plan.classes[box]! / CLASSES) !== finish) continue;
      const { x, y, width } = place(box);
      // A box that starts left of the view keeps its name in sight.
      const from = Math.max(x, PADDING);
      const room = Math.min(x + width, size.width - PADDING) - from;
      if (room < FLAME.narrowestText) continue;
      const text = isMerged(scene, box) ? '' : labels.textFor(scene, box, room);
      if (text !== '') context.fillText(text, from + FLAME.textMargin, y + ROW_HEIGHT / 2 - 0.25);
    }
  };
  draw(0, '');
  draw(1, 'italic ');
  draw(2, '');
}

/** Lines around boxes; only above and below those that lines on all sides would fill. */
function paintBorders(
  context: CanvasRenderingContext2D,
  { palette }: Picture,
  boxes: readonly number[],
  place: (box: number) => Placed,
): void {
  if (palette.border === undefined) return;
  context.lineWidth = 1;
  context.strokeStyle = palette.border;
  context.fillStyle = palette.border;
  for (const box of boxes) {
    const placed = place(box);
    if (placed.width >= FLAME.narrowestOutline) {
      strokeRound(context, placed);
      continue;
    }
    const { x, y, width } = placed;
    context.fillRect(x, y, Math.max(1, width), 1);
    context.fillRect(x, y + ROW_HEIGHT - 2.5, Math.max(1, width), 1);
  }
}

function paintScrollbar(context: CanvasRenderingContext2D, picture: Picture): void {
  const { scene, viewport, size, palette, inverted } = picture;
  const content = contentHeight(scene);
  if (content <= size.height) return;
  const height = Math.max(24, (size.height / content) * size.height);
  const along = (viewport.top / (content - size.height)) * (size.height - height);
  context.fillStyle = palette.inks[1];
  context.globalAlpha = 0.35;
  context.beginPath();
  context.roundRect(size.width - 6, inverted ? size.height - height - along : along, 4, height, 2);
  context.fill();
  context.globalAlpha = 1;
}

/** Height of all rows with the room around them. */
export function contentHeight(scene: Scene): number {
  return scene.result.total_rows * ROW_HEIGHT + 2 * PADDING;
}

function fillRound(context: CanvasRenderingContext2D, x: number, y: number, width: number): void {
  context.beginPath();
  context.roundRect(x, y, width, FLAME.boxHeight, 2);
  context.fill();
}

function fillCut(context: CanvasRenderingContext2D, x: number, y: number, width: number): void {
  context.fillRect(x, y + 1, width, ROW_HEIGHT - 3.5);
  context.fillRect(x + 1, y, width - 2, FLAME.boxHeight);
}

function strokeRound(context: CanvasRenderingContext2D, { x, y, width }: Placed): void {
  context.beginPath();
  context.roundRect(x, y, width, FLAME.boxHeight, width >= FLAME.narrowestRound ? 2 : 0);
  context.stroke();
}

/** The texture of boxes that stand for several frames: neutral diagonal lines. */
export function hatchPattern(
  context: CanvasRenderingContext2D,
  { merged, hatch }: Palette,
): CanvasPattern | string {
  return diagonals(context, merged, hatch) ?? merged;
}

/** The texture over boxes whose change runs do not show: lines through which the colour is seen. */
export function strokesPattern(
  context: CanvasRenderingContext2D,
  { background }: Palette,
): CanvasPattern | string {
  return diagonals(context, 'transparent', background) ?? 'transparent';
}

function diagonals(
  context: CanvasRenderingContext2D,
  paper: string,
  ink: string,
): CanvasPattern | undefined {
  const tile = document.createElement('canvas');
  tile.width = 6;
  tile.height = 6;
  const pen = tile.getContext('2d');
  if (pen === null) return undefined;
  pen.fillStyle = paper;
  pen.fillRect(0, 0, 6, 6);
  pen.strokeStyle = ink;
  pen.lineWidth = 1;
  pen.beginPath();
  for (const offset of [-3, 3, 9]) {
    pen.moveTo(offset - 4, 7);
    pen.lineTo(offset + 4, -1);
  }
  pen.stroke();
  return context.createPattern(tile, 'repeat') ?? undefined;
}
