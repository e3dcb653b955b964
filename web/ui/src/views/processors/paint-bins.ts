import { fitCanvas } from '../../canvas/surface.ts';
import type { Size } from '../../canvas/rect.ts';
import { timeLabel } from '../timeline/times.ts';
import { type Bins, cellOf } from './bins.ts';

const FONT = '11px system-ui, sans-serif';
/** Room beside the cells for names, and below for times. */
export const GUTTER = 92;
export const FOOT = 18;
const RIGHT = 8;

/** A thread that went from one row to another. */
export interface Link {
  /** In bins. */
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

export interface BinsPicture {
  readonly bins: Bins;
  readonly set: number;
  readonly origin: number;
  readonly isProgress: boolean;
  /** The value of the darkest cell. */
  readonly most: number;
  /** The bin that is looked at. */
  readonly instant: number | undefined;
  /** The row that is pointed at. */
  readonly row: number | undefined;
  /** Bins that are dragged over or chosen, first and last. */
  readonly range: readonly [number, number] | undefined;
  readonly links: readonly Link[];
}

/** How tall a row is, for so many of them. */
export function rowHeight(rows: number): number {
  return Math.max(3, Math.min(18, Math.floor(420 / Math.max(1, rows))));
}

/** The bin at a place, pushed into the picture; with fractions. */
export function binAt(width: number, bins: number, x: number): number {
  const share = (x - GUTTER) / Math.max(1, width - GUTTER - RIGHT);
  return Math.min(bins - 1, Math.max(0, Math.floor(share * bins)));
}

export function paintBins(context: CanvasRenderingContext2D, size: Size, picture: BinsPicture) {
  const { bins, set, most, links } = picture;
  const { result } = bins;
  const scale = devicePixelRatio;
  fitCanvas(context.canvas, size, scale);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, size.width, size.height);
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(name).trim();
  const rows = result.groups.length;
  const tall = (size.height - FOOT) / Math.max(1, rows);
  const wide = Math.max(1, size.width - GUTTER - RIGHT) / Math.max(1, result.bins);
  // Edges on whole device pixels: no seams between neighbours.
  const edge = (value: number) => Math.round(value * scale) / scale;
  const left = (bin: number) => edge(GUTTER + bin * wide);
  const top = (row: number) => edge(row * tall);
  const gap = tall >= 5 ? 1 / scale : 0;
  const few = hatch(context, token('--mute'), token('--panel'));

  context.fillStyle = token('--hover');
  context.fillRect(GUTTER, 0, left(result.bins) - GUTTER, top(rows));
  for (let row = 0; row < rows; row++) {
    const [y, bottom] = [top(row), top(row + 1)];
    for (let bin = 0; bin < result.bins; bin++) {
      const cell = cellOf(bins, set, row, bin);
      if (cell.value === undefined || cell.value <= 0) continue;
      const [x, right] = [left(bin), left(bin + 1)];
      if (cell.isEnough) {
        context.globalAlpha = 0.1 + 0.9 * Math.min(1, most > 0 ? cell.value / most : 0);
        context.fillStyle = token('--hot');
      } else {
        // Next to nothing is known: no colour.
        context.globalAlpha = 1;
        context.fillStyle = few;
      }
      context.fillRect(x, y, Math.max(right - x, 1 / scale), bottom - y - gap);
    }
  }
  context.globalAlpha = 1;
  paintLinks(
    context,
    links,
    token('--ink'),
    (at) => GUTTER + at * wide,
    (row) => (row + 0.5) * tall,
  );
  paintChosen(context, picture, { left, top, rows, token });

  context.font = FONT;
  context.textBaseline = 'middle';
  context.textAlign = 'right';
  const every = Math.max(1, Math.ceil(11 / tall));
  for (let row = 0; row < rows; row += every) {
    context.fillStyle = row === picture.row ? token('--ink') : token('--mute');
    context.fillText(shortName(result.groups[row]!), GUTTER - 6, (row + 0.5) * tall, GUTTER - 10);
  }
  context.fillStyle = token('--mute');
  context.textAlign = 'center';
  for (const { x, label } of ticksOf(picture, size.width))
    context.fillText(label, x, size.height - 7);
}

function paintLinks(
  context: CanvasRenderingContext2D,
  links: readonly Link[],
  colour: string,
  x: (at: number) => number,
  y: (row: number) => number,
) {
  if (links.length === 0) return;
  context.strokeStyle = colour;
  context.fillStyle = colour;
  context.globalAlpha = links.length > 60 ? 0.35 : 0.8;
  context.lineWidth = 1;
  context.beginPath();
  for (const { at, from, to } of links) {
    context.moveTo(x(at), y(from));
    context.lineTo(x(at), y(to));
  }
  context.stroke();
  // A dot where it went on.
  for (const { at, to } of links) {
    context.beginPath();
    context.arc(x(at), y(to), 2, 0, 7);
    context.fill();
  }
  context.globalAlpha = 1;
}

function paintChosen(
  context: CanvasRenderingContext2D,
  { instant, range, row }: BinsPicture,
  {
    left,
    top,
    rows,
    token,
  }: {
    left(bin: number): number;
    top(row: number): number;
    rows: number;
    token(name: string): string;
  },
) {
  context.lineWidth = 1.5;
  context.strokeStyle = token('--accent');
  if (range !== undefined) {
    const [x, right] = [left(range[0]), left(range[1] + 1)];
    context.strokeRect(x, 0.75, right - x, top(rows) - 1.5);
  }
  context.strokeStyle = token('--ink');
  if (instant !== undefined) {
    const [x, right] = [left(instant), left(instant + 1)];
    context.strokeRect(x - 0.75, 0.75, right - x + 1.5, top(rows) - 1.5);
    if (row !== undefined)
      context.strokeRect(x - 2, top(row) - 1, right - x + 4, top(row + 1) - top(row) + 1);
  }
}

/** Where times stand below the bins, and what they are called. */
export function ticksOf(
  { bins, origin, isProgress }: Pick<BinsPicture, 'bins' | 'origin' | 'isProgress'>,
  width: number,
): readonly { readonly x: number; readonly label: string }[] {
  const { begin, width: length, bins: count } = bins.result;
  const wide = Math.max(1, width - GUTTER - RIGHT) / Math.max(1, count);
  const room = Math.max(1, Math.ceil(80 / wide));
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((one) => one >= room) ?? room;
  const ticks: { readonly x: number; readonly label: string }[] = [];
  for (let bin = 0; bin <= count; bin += step) {
    const x = GUTTER + bin * wide;
    if (x > width - 16) break;
    const label = isProgress
      ? `${Math.round(bin * length * 100)} %`
      : timeLabel(origin + begin + bin * length, length);
    ticks.push({ x, label });
  }
  return ticks;
}

/** Fine lines: something was measured, but next to nothing. */
function hatch(context: CanvasRenderingContext2D, ink: string, paper: string) {
  const tile = document.createElement('canvas');
  tile.width = 4;
  tile.height = 4;
  const to = tile.getContext('2d');
  if (to === null) return paper;
  to.fillStyle = paper;
  to.fillRect(0, 0, 4, 4);
  to.strokeStyle = ink;
  to.globalAlpha = 0.7;
  to.beginPath();
  to.moveTo(-1, 1);
  to.lineTo(1, -1);
  to.moveTo(0, 4);
  to.lineTo(4, 0);
  to.moveTo(3, 5);
  to.lineTo(5, 3);
  to.stroke();
  return context.createPattern(tile, 'repeat') ?? paper;
}

function shortName(name: string): string {
  return name.length > 16 ? `${name.slice(0, 15)}…` : name;
}
