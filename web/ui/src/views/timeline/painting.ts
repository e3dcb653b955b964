import { FlameFlag, type ColourBy } from '@hotframe/engine';
import { computed, useSignalEffect } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { classOf, MERGED_CLASS } from '../../canvas/colour.ts';
import { CLASSES } from '../../canvas/generated/colours.ts';
import { FRAME_FONT, hatchPattern } from '../../canvas/paint.ts';
import { FADED, PALE, type Palette, paletteOf } from '../../canvas/palette.ts';
import { fitCanvas } from '../../canvas/surface.ts';
import { useApp } from '../../state/services.ts';
import { shortenLabel } from '../../text/names.ts';
import { type Unit } from '../../text/units.ts';
import type { TimelineController, TimelineScene } from './controller.ts';
import { FOLDED, MARKS, type PlacedTrack, ROW, RULER, SERIES } from './places.ts';
import { ticksOf, timeLabel, type Window } from './times.ts';
import { seriesLabel } from './words.ts';

/** Narrower bars get no text. */
const NARROWEST_TEXT = 34;
const FONT = `11px ${FRAME_FONT}`;
const LABEL_FONT = '12px system-ui, sans-serif';
const SMALL_FONT = '11px system-ui, sans-serif';

/** The lines and letters that are no frames. */
interface Lines {
  readonly ink: string;
  readonly faint: string;
  readonly line: string;
  readonly panel: string;
}

interface Picture {
  readonly controller: TimelineController;
  readonly scene: TimelineScene;
  readonly palette: Palette;
  readonly lines: Lines;
  readonly hatch: CanvasPattern | string;
  readonly colour: ColourBy;
  readonly ranges: readonly Window[];
  readonly characterWidth: number;
}

/** Draws at the next animation frame after anything that the picture depends on has changed. */
export function useTimelinePainting(
  controller: TimelineController,
  canvas: { readonly current: HTMLCanvasElement | null },
  shown: { readonly colour: ColourBy; readonly ranges: readonly Window[] },
): void {
  const app = useApp();
  const latest = useRef(shown);
  latest.current = shown;
  const memo = useMemo(() => {
    const palette = computed(() => paletteOf(app.theme.shown.value, document.documentElement));
    const lines = computed<Lines>(() => {
      app.theme.shown.value;
      const style = getComputedStyle(document.documentElement);
      const token = (name: string) => style.getPropertyValue(name).trim();
      return {
        ink: token('--ink'),
        faint: token('--mute'),
        line: token('--line'),
        panel: token('--hover'),
      };
    });
    return { palette, lines };
  }, []);
  const frame = useRef(0);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  useSignalEffect(() => {
    controller.window.value;
    controller.scroll.value;
    controller.hovered.value;
    controller.dragged.value;
    controller.places.value;
    controller.selected.value;
    controller.input.value;
    app.view.value.filters;
    const scene = controller.scene.value;
    const size = controller.size.value;
    const [palette, lines] = [memo.palette.value, memo.lines.value];
    const colour = app.profile.colour.value;
    const context = canvas.current?.getContext('2d');
    if (context === null || context === undefined || scene === undefined) return;
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => {
      const scale = devicePixelRatio;
      fitCanvas(context.canvas, size, scale);
      context.setTransform(scale, 0, 0, scale, 0, 0);
      context.font = FONT;
      const characterWidth = context.measureText('0'.repeat(32)).width / 32;
      const hatch = hatchPattern(context, palette);
      const { ranges } = latest.current;
      paint(context, {
        controller,
        scene,
        palette,
        lines,
        hatch,
        colour,
        ranges,
        characterWidth,
      });
    });
  });
}

function paint(context: CanvasRenderingContext2D, picture: Picture): void {
  const { controller, palette, lines } = picture;
  const { width, height } = controller.size.peek();
  const gutter = controller.gutter.peek();
  context.fillStyle = palette.background;
  context.fillRect(0, 0, width, height);
  const { step, times } = ticksOf(controller.window.peek(), controller.plotWidth.peek());

  context.save();
  context.beginPath();
  context.rect(gutter, 0, width - gutter, height);
  context.clip();
  context.fillStyle = lines.line;
  for (const time of times) context.fillRect(Math.round(controller.xOf(time)), RULER, 1, height);
  context.restore();

  context.save();
  context.beginPath();
  context.rect(0, RULER, width, height - RULER);
  context.clip();
  const places = controller.inSight.peek();
  for (const place of places) paintTrack(context, picture, place);
  context.restore();

  paintRanges(context, picture);
  paintFlows(context, picture);
  paintRuler(context, picture, times, step);
}

function topOf(picture: Picture, place: PlacedTrack): number {
  return RULER + place.top - picture.controller.scroll.peek();
}

function paintTrack(context: CanvasRenderingContext2D, picture: Picture, place: PlacedTrack): void {
  const { controller, lines, scene } = picture;
  const { width } = controller.size.peek();
  const gutter = controller.gutter.peek();
  const top = topOf(picture, place);
  if (place.isHeading) {
    context.fillStyle = lines.panel;
    context.fillRect(0, top, width, place.height - 3);
  }
  context.fillStyle = lines.line;
  context.fillRect(0, top + place.height - 3, width, 1);
  const of = scene.tracks.indexOf(place.track.track);
  if (of >= 0 && !place.isHeading) {
    context.save();
    context.beginPath();
    context.rect(gutter, top, width - gutter, place.height);
    context.clip();
    if (place.isOpen) paintBars(context, picture, place, of);
    else paintActivity(context, picture, place, of);
    paintMarks(context, picture, place, of);
    paintSeries(context, picture, place);
    context.restore();
  }
  paintName(context, picture, place);
}

function paintName(context: CanvasRenderingContext2D, picture: Picture, place: PlacedTrack): void {
  const { controller, lines, palette } = picture;
  const { track } = place;
  const gutter = controller.gutter.peek();
  const top = topOf(picture, place);
  const folds = track.spans > 0 || track.samples > 0;
  const indent = 8 + Math.min(4, track.depth) * 12;
  const sign = folds ? (place.isOpen ? '▾ ' : '▸ ') : '';
  const name = track.name === '' ? `unnamed ${track.kind}` : track.name;
  context.textBaseline = 'middle';
  context.font = place.isHeading ? `600 ${LABEL_FONT}` : LABEL_FONT;
  const room = (gutter === 0 ? controller.size.peek().width : gutter) - indent - 8;
  const text = fitted(context, sign + name, room);
  if (gutter === 0 && !place.isHeading) {
    // Above its own picture: a strip of paper keeps it readable.
    const wide = context.measureText(text).width;
    context.globalAlpha = 0.8;
    context.fillStyle = palette.background;
    context.fillRect(indent - 4, top + 1, wide + 8, 15);
    context.globalAlpha = 1;
  }
  context.fillStyle = lines.ink;
  context.fillText(text, indent, top + (place.isHeading ? 11 : gutter === 0 ? 9 : 12));
  if (gutter === 0 || place.isHeading || place.height < 32) return;
  context.font = SMALL_FONT;
  context.fillStyle = lines.faint;
  const busy = track.busy > 0 ? `${shareText(track.busy, controller.length.peek())} busy` : '';
  const told = track.kind === 'thread' ? busy : [track.kind, busy].filter(Boolean).join(', ');
  context.fillText(fitted(context, told, room - 12), indent + (folds ? 14 : 0), top + 27);
}

function shareText(part: number, whole: number): string {
  const percent = (part / whole) * 100;
  return percent >= 10 ? `${Math.round(percent)} %` : `${percent.toPrecision(2)} %`;
}

function fitted(context: CanvasRenderingContext2D, text: string, room: number): string {
  if (context.measureText(text).width <= room) return text;
  let [least, most] = [0, text.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (context.measureText(`${text.slice(0, middle)}…`).width <= room) least = middle;
    else most = middle - 1;
  }
  return least === 0 ? '' : `${text.slice(0, least)}…`;
}

function paintBars(
  context: CanvasRenderingContext2D,
  picture: Picture,
  place: PlacedTrack,
  of: number,
): void {
  const { controller, scene, palette, colour, characterWidth } = picture;
  const { columns, result } = scene.answer;
  const { width } = controller.size.peek();
  const gutter = controller.gutter.peek();
  const top = topOf(picture, place) + place.chart;
  const searching = scene.search !== '';
  const texts: number[][] = [[], [], []];
  const matched: number[] = [];
  const { hovered, input } = controller;
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
    const y = top + row * ROW + 0.5;
    context.fillRect(left, y, wide, ROW - 1.5);
    if (wide >= NARROWEST_TEXT) texts[Math.floor(one / CLASSES)]!.push(bar);
    if (palette.border !== undefined && wide > 3) {
      context.strokeStyle = palette.border;
      context.strokeRect(left + 0.5, y + 0.5, wide - 1, ROW - 2.5);
    }
    if (searching && (flags & FlameFlag.MATCHES) !== 0) matched.push(bar);
    const pointed = hovered.peek();
    if (pointed?.kind === 'bar' && pointed.bar === bar) outlined.push([bar, palette.accent]);
    if (columns.bar_span[bar] === (input.peek().view.span ?? -2) + 1) {
      outlined.push([bar, palette.outline]);
    }
  }
  const box = (bar: number) => {
    const left = Math.max(controller.xOf(columns.bar_begin[bar]!), gutter - 20);
    const right = Math.min(controller.xOf(columns.bar_end[bar]!), width + 20);
    const y = top + columns.bar_row[bar]! * ROW + 0.5;
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
      if (room < NARROWEST_TEXT) continue;
      const name = result.names[columns.bar_name[bar]!]!;
      const merged = columns.bar_merged[bar]!;
      const label = merged > 0 ? `${name} +${merged}` : name;
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

/** A column a view unit: as high as it is busy, in the colour of what runs longest. */
function paintActivity(
  context: CanvasRenderingContext2D,
  picture: Picture,
  place: PlacedTrack,
  of: number,
): void {
  const { controller, scene, palette, colour } = picture;
  const { columns } = scene.answer;
  const { width } = controller.size.peek();
  const gutter = controller.gutter.peek();
  const top = topOf(picture, place) + place.chart;
  const room = FOLDED - 8;
  const unit = (scene.window.to - scene.window.from) / scene.width;
  for (let at = 0; at < columns.busy_of.length; at++) {
    if (columns.busy_of[at] !== of) continue;
    const begin = scene.window.from + columns.busy_unit[at]! * unit;
    const left = controller.xOf(begin);
    const right = controller.xOf(begin + unit);
    if (right < gutter || left > width) continue;
    const tall = Math.max(1.5, columns.busy_share[at]! * room);
    const one =
      columns.busy_colours[at] === 0 ? MERGED_CLASS : classOf(columns.busy_colours[at]!, colour);
    context.fillStyle = palette.fills[one] ?? palette.merged;
    context.fillRect(left, top + room - tall, right - left + 0.3, tall);
  }
}

function paintMarks(
  context: CanvasRenderingContext2D,
  picture: Picture,
  place: PlacedTrack,
  of: number,
): void {
  if (place.marks === undefined) return;
  const { controller, scene, palette } = picture;
  const { columns } = scene.answer;
  const pointed = controller.hovered.peek();
  const top = topOf(picture, place) + place.marks + 2;
  for (let mark = 0; mark < columns.mark_of.length; mark++) {
    if (columns.mark_of[mark] !== of) continue;
    const x = controller.xOf(columns.mark_time[mark]!);
    const isHovered = pointed?.kind === 'mark' && pointed.mark === mark;
    context.fillStyle = isHovered ? palette.accent : palette.outline;
    // Several are a filled diamond with a line under it.
    context.beginPath();
    context.moveTo(x, top);
    context.lineTo(x + 3.5, top + 4);
    context.lineTo(x, top + MARKS - 4);
    context.lineTo(x - 3.5, top + 4);
    context.closePath();
    context.fill();
  }
}

function paintSeries(
  context: CanvasRenderingContext2D,
  picture: Picture,
  place: PlacedTrack,
): void {
  const { controller, scene, palette, lines } = picture;
  const { columns } = scene.answer;
  const all = controller.tracks.peek().value?.counters ?? [];
  const { width } = controller.size.peek();
  const gutter = controller.gutter.peek();
  const unit = (scene.window.to - scene.window.from) / scene.width;
  for (const { counter, top: inTrack } of place.series) {
    const info = all[counter];
    if (info === undefined) continue;
    const top = topOf(picture, place) + inTrack + 3;
    const room = SERIES - 8;
    const least = Math.min(0, info.least);
    const range = Math.max(info.most - least, Number.MIN_VALUE);
    const yOf = (value: number) => top + room - ((value - least) / range) * (room - 12);
    context.beginPath();
    let last: number | undefined;
    let begun = gutter;
    for (let at = 0; at < columns.value_of.length; at++) {
      if (columns.value_of[at] !== counter) continue;
      const x = controller.xOf(scene.window.from + columns.value_unit[at]! * unit);
      const [low, high] = [yOf(columns.value_least[at]!), yOf(columns.value_most[at]!)];
      if (last === undefined) {
        context.moveTo(x, high);
        begun = x;
      } else context.lineTo(x, last);
      context.lineTo(x, high);
      context.lineTo(x, low);
      last = low;
    }
    if (last === undefined) continue;
    context.lineTo(width + 20, last);
    context.strokeStyle = palette.accent;
    context.lineWidth = 1.25;
    context.stroke();
    context.lineTo(width + 20, yOf(least));
    context.lineTo(begun, yOf(least));
    context.closePath();
    context.globalAlpha = 0.14;
    context.fillStyle = palette.accent;
    context.fill();
    context.globalAlpha = 1;
    context.font = SMALL_FONT;
    context.textBaseline = 'top';
    context.fillStyle = lines.faint;
    context.fillText(seriesLabel(info), gutter + 6, top - 1);
  }
}

/** What is chosen stays clear, the rest lies under a veil. */
function paintRanges(context: CanvasRenderingContext2D, picture: Picture): void {
  const { controller, palette, ranges } = picture;
  const { width, height } = controller.size.peek();
  const gutter = controller.gutter.peek();
  const clamp = (x: number) => Math.min(width, Math.max(gutter, x));
  const edges = (range: Window) =>
    [clamp(controller.xOf(range.from)), clamp(controller.xOf(range.to))] as const;
  if (ranges.length > 0) {
    context.fillStyle = palette.background;
    context.globalAlpha = 0.62;
    let at = gutter;
    for (const range of [...ranges].sort((one, other) => one.from - other.from)) {
      const [left, right] = edges(range);
      context.fillRect(at, RULER, Math.max(0, left - at), height);
      at = Math.max(at, right);
    }
    context.fillRect(at, RULER, Math.max(0, width - at), height);
    context.globalAlpha = 1;
    context.fillStyle = palette.accent;
    for (const range of ranges) {
      const [left, right] = edges(range);
      if (left > gutter) context.fillRect(left - 1, RULER, 1, height);
      if (right < width) context.fillRect(right, RULER, 1, height);
    }
  }
  const dragged = controller.dragged.peek();
  if (dragged === undefined) return;
  const [left, right] = edges(dragged);
  context.globalAlpha = 0.18;
  context.fillStyle = palette.accent;
  context.fillRect(left, RULER, right - left, height);
  context.globalAlpha = 1;
  context.fillRect(left, RULER, 1, height);
  context.fillRect(right, RULER, 1, height);
}

function paintFlows(context: CanvasRenderingContext2D, picture: Picture): void {
  const { controller, palette } = picture;
  const flows = controller.selected.peek().value?.flows ?? [];
  const { width, height } = controller.size.peek();
  context.save();
  context.beginPath();
  context.rect(controller.gutter.peek(), RULER, width, height);
  context.clip();
  context.strokeStyle = palette.outline;
  context.fillStyle = palette.outline;
  context.lineWidth = 1.5;
  for (const { tracks, times } of flows) {
    const [from, to] = tracks.map((track) => controller.placeOf(track));
    if (from === undefined || to === undefined) continue;
    const middle = (place: PlacedTrack) =>
      topOf(picture, place) + place.chart + (place.isOpen ? ROW / 2 : FOLDED / 2 - 4);
    const [x1, x2] = times.map((time) => controller.xOf(time)) as [number, number];
    const [y1, y2] = [middle(from), middle(to)];
    const bend = Math.max(20, Math.abs(x2 - x1) / 3);
    context.beginPath();
    context.moveTo(x1, y1);
    context.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2);
    context.stroke();
    context.beginPath();
    context.moveTo(x2, y2);
    context.lineTo(x2 - 6, y2 - 3.5);
    context.lineTo(x2 - 6, y2 + 3.5);
    context.fill();
  }
  context.restore();
}

function paintRuler(
  context: CanvasRenderingContext2D,
  picture: Picture,
  times: readonly number[],
  step: number,
): void {
  const { controller, palette, lines } = picture;
  const { width } = controller.size.peek();
  const gutter = controller.gutter.peek();
  context.fillStyle = palette.background;
  context.fillRect(0, 0, width, RULER);
  context.fillStyle = lines.line;
  context.fillRect(0, RULER - 1, width, 1);
  context.font = SMALL_FONT;
  context.textBaseline = 'middle';
  const origin = controller.tracks.peek().value?.origin ?? 0;
  for (const time of times) {
    const x = controller.xOf(time);
    if (x < gutter) continue;
    context.fillStyle = lines.line;
    context.fillRect(Math.round(x), RULER - 7, 1, 7);
    context.fillStyle = lines.faint;
    const text = timeLabel(origin + time, step);
    if (x + context.measureText(text).width + 6 < width)
      context.fillText(text, x + 4, RULER / 2 - 1);
  }
}

/** Nanoseconds as a unit of metrics. */
export const NANOSECONDS: Unit = { unit: 'nanoseconds', decimals: 0 };
