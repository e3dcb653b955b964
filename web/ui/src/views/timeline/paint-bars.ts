import { FlameFlag } from '@hotframe/engine';
import { classOf, MERGED_CLASS } from '../../canvas/colour.ts';
import { CLASSES } from '../../canvas/generated/colours.ts';
import { TIMELINE } from '../../canvas/generated/measures.ts';
import { FADED, PALE } from '../../canvas/palette.ts';
import { shortenLabel } from '../../text/names.ts';
import { FONT, type Picture } from './picture.ts';
import { FOLDED, type PlacedTrack, ROW } from './places.ts';

/** How many stripes a bar without an end has there, and how wide each is. */
const STRIPES = 4;
const STRIPE = 3;

/** Spans and stacks, row by row. */
export function paintBars(
  context: CanvasRenderingContext2D,
  picture: Picture,
  place: PlacedTrack,
  of: number,
): void {
  const { controller, scene, palette, colour, characterWidth } = picture;
  const { columns, result } = scene.answer;
  const { width } = controller.size.peek();
  const gutter = controller.gutter.peek();
  const searching = scene.search !== '';
  const texts: number[][] = [[], [], []];
  const matched: number[] = [];
  const { hovered } = controller;
  const chosen = controller.selectedBar();
  const outlined: [number, string][] = [];
  for (let bar = 0; bar < columns.bar_of.length; bar++) {
    if (columns.bar_of[bar] !== of) continue;
    const row = columns.bar_row[bar]!;
    if (row >= place.rows) continue;
    const left = Math.max(controller.xOf(columns.bar_begin[bar]!), gutter - 20);
    const right = Math.min(controller.xOf(columns.bar_end[bar]!), width + 20);
    if (right < gutter || left > width) continue;
    const flags = columns.bar_flags[bar]!;
    const faded = searching && (flags & FlameFlag.MATCHES) === 0;
    const finish = faded ? 2 : (flags & FlameFlag.PALE) !== 0 ? 1 : 0;
    const one = classOf(columns.bar_colours[bar]!, colour) + [0, PALE, FADED][finish]!;
    context.fillStyle = palette.fills[one] ?? palette.merged;
    const wide = Math.max(right - left - 0.5, 0.7);
    const y = controller.rowTop(place, row) + 0.5;
    if ((flags & FlameFlag.UNFINISHED) !== 0) fillOpenEnded(context, left, y, wide);
    else context.fillRect(left, y, wide, ROW - 1.5);
    if (wide >= TIMELINE.narrowestText) texts[Math.floor(one / CLASSES)]!.push(bar);
    if (palette.border !== undefined && wide > 3) {
      context.strokeStyle = palette.border;
      context.strokeRect(left + 0.5, y + 0.5, wide - 1, ROW - 2.5);
    }
    if (searching && (flags & FlameFlag.MATCHES) !== 0) matched.push(bar);
    const pointed = hovered.peek();
    if (pointed?.kind === 'bar' && pointed.bar === bar) outlined.push([bar, palette.accent]);
    if (bar === chosen) outlined.push([bar, palette.outline]);
  }
  const box = (bar: number) => {
    const left = Math.max(controller.xOf(columns.bar_begin[bar]!), gutter - 20);
    const right = Math.min(controller.xOf(columns.bar_end[bar]!), width + 20);
    const y = controller.rowTop(place, columns.bar_row[bar]!) + 0.5;
    return { left, y, wide: Math.max(right - left - 0.5, 0.7) };
  };
  context.font = FONT;
  context.textBaseline = 'middle';
  texts.forEach((bars, finish) => {
    context.fillStyle = palette.inks[finish as 0 | 1 | 2];
    for (const bar of bars) {
      const { left, y, wide } = box(bar);
      const from = Math.max(left, gutter);
      const room = Math.min(left + wide, width) - from;
      if (room < TIMELINE.narrowestText) continue;
      const name = result.names[columns.bar_name[bar]!]!;
      const merged = columns.bar_merged[bar]!;
      const more = merged > 0 && columns.bar_span[bar]! > 0 ? ` +${merged}` : '';
      const isUnfinished = (columns.bar_flags[bar]! & FlameFlag.UNFINISHED) !== 0;
      const label = `${name}${more}${isUnfinished ? ' (unfinished)' : ''}`;
      const text = shortenLabel(label, label, Math.floor((room - 8) / characterWidth));
      context.fillText(text, from + 4, y + ROW / 2 - 0.25);
    }
  });
  context.strokeStyle = palette.outline;
  context.lineWidth = 1.25;
  for (const bar of matched) {
    const { left, y, wide } = box(bar);
    if (wide > 4) context.strokeRect(left, y, wide, ROW - 1.5);
    else {
      context.fillStyle = palette.accent;
      context.fillRect(left, y, Math.max(1, wide), ROW - 1.5);
    }
  }
  for (const [bar, style] of outlined) {
    const { left, y, wide } = box(bar);
    context.lineWidth = 2;
    context.strokeStyle = style;
    context.strokeRect(left, y, Math.max(2, wide), ROW - 1.5);
  }
}

/** What never ends goes out in stripes. */
function fillOpenEnded(
  context: CanvasRenderingContext2D,
  left: number,
  y: number,
  wide: number,
): void {
  const open = Math.min(wide / 2, STRIPES * 2 * STRIPE);
  context.fillRect(left, y, wide - open, ROW - 1.5);
  for (let at = STRIPE; at < open; at += 2 * STRIPE) {
    context.fillRect(left + wide - open + at, y, Math.min(STRIPE, open - at), ROW - 1.5);
  }
}

/** A column a view unit: as high as it is busy, in the colour of what runs longest. */
export function paintActivity(
  context: CanvasRenderingContext2D,
  picture: Picture,
  place: PlacedTrack,
  of: number,
): void {
  const { controller, scene, palette, colour } = picture;
  const { columns } = scene.answer;
  const { width } = controller.size.peek();
  const gutter = controller.gutter.peek();
  const top = controller.topOf(place) + place.chart;
  const room = FOLDED - 8;
  for (let at = 0; at < columns.busy_of.length; at++) {
    if (columns.busy_of[at] !== of) continue;
    const begin = scene.busyAt[at]!;
    const left = controller.xOf(begin);
    const right = controller.xOf(begin + scene.unit);
    if (right < gutter || left > width) continue;
    const tall = Math.max(1.5, columns.busy_share[at]! * room);
    const one =
      columns.busy_colours[at] === 0 ? MERGED_CLASS : classOf(columns.busy_colours[at]!, colour);
    context.fillStyle = palette.fills[one] ?? palette.merged;
    context.fillRect(left, top + room - tall, right - left + 0.3, tall);
  }
}
