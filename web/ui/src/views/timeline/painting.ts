import type { ColourBy } from '@hotframe/engine';
import { computed, useSignalEffect } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { paletteOf } from '../../canvas/palette.ts';
import { fitCanvas } from '../../canvas/surface.ts';
import { useApp } from '../../state/services.ts';
import type { TimelineController } from './controller.ts';
import { paintActivity, paintBars } from './paint-bars.ts';
import { paintMarks } from './paint-marks.ts';
import { paintName } from './paint-names.ts';
import { paintPath } from './paint-path.ts';
import { paintPlace } from './paint-place.ts';
import { paintSeries } from './paint-series.ts';
import { FONT, type Lines, type Picture, SMALL_FONT } from './picture.ts';
import { FOLDED, type PlacedTrack, ROW, RULER } from './places.ts';
import { ticksOf, timeLabel, type Window } from './times.ts';

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
        path: token('--path'),
      };
    });
    return { palette, lines };
  }, []);
  const frame = useRef(0);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  useSignalEffect(() => {
    controller.window.value;
    controller.axis.value;
    controller.scroll.value;
    controller.hovered.value;
    controller.dragged.value;
    controller.places.value;
    controller.selected.value;
    controller.cursor.value;
    controller.overTrack.value;
    controller.foundMark.value;
    controller.sticky.value;
    controller.input.value;
    app.view.value.filters;
    const scene = controller.scene.value;
    const size = controller.size.value;
    const [palette, lines] = [memo.palette.value, memo.lines.value];
    const colour = app.profile.colour.value;
    const path = app.profile.path.value;
    const place = app.profile.place.value;
    const context = canvas.current?.getContext('2d');
    if (context === null || context === undefined || scene === undefined) return;
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => {
      const scale = devicePixelRatio;
      fitCanvas(context.canvas, size, scale);
      context.setTransform(scale, 0, 0, scale, 0, 0);
      context.font = FONT;
      const characterWidth = context.measureText('0'.repeat(32)).width / 32;
      const { ranges } = latest.current;
      paint(context, {
        controller,
        scene,
        palette,
        lines,
        colour,
        ranges,
        path,
        place,
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
  const parts = controller.axis.peek().parts(controller.window.peek());
  const origin = controller.tracks.peek().value?.origin ?? 0;
  const { step, times } = ticksOf(parts, controller.unit.peek(), origin);

  context.save();
  context.beginPath();
  context.rect(gutter, 0, width - gutter, height);
  context.clip();
  context.fillStyle = lines.line;
  for (const time of times) context.fillRect(Math.round(controller.xOf(time)), RULER, 1, height);
  context.restore();

  const places = controller.inSight.peek();
  const sticky = controller.sticky.peek();
  const part = (from: number, to: number, isThere: (place: PlacedTrack) => boolean) => {
    context.save();
    context.beginPath();
    context.rect(0, from, width, to - from);
    context.clip();
    for (const place of places) if (isThere(place)) paintTrack(context, picture, place);
    context.restore();
  };
  part(RULER + sticky, height, ({ isPinned }) => sticky === 0 || !isPinned);
  if (sticky > 0) {
    part(RULER, RULER + sticky, ({ isPinned }) => isPinned);
    context.globalAlpha = 0.5;
    context.fillStyle = lines.faint;
    context.fillRect(0, RULER + sticky - 3, width, 2);
    context.globalAlpha = 1;
  }

  paintBreaks(context, picture);
  paintRanges(context, picture);
  if (picture.path !== undefined) paintPath(context, picture, picture.path);
  if (picture.place !== undefined) paintPlace(context, picture, picture.place);
  paintFlows(context, picture);
  paintRuler(context, picture, times, step);
}

function paintTrack(context: CanvasRenderingContext2D, picture: Picture, place: PlacedTrack): void {
  const { controller, lines, scene } = picture;
  const { width } = controller.size.peek();
  const gutter = controller.gutter.peek();
  const top = controller.topOf(place);
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

/** Where idle time is left out. */
function paintBreaks(context: CanvasRenderingContext2D, picture: Picture): void {
  const { controller, lines, palette } = picture;
  const { width, height } = controller.size.peek();
  const gutter = controller.gutter.peek();
  for (const { from, to } of controller.axis.peek().breaks) {
    const left = Math.max(gutter, controller.xOf(from));
    const right = Math.min(width, controller.xOf(to));
    if (right - left < 0.5) continue;
    context.fillStyle = palette.background;
    context.fillRect(left, RULER, right - left, height);
    context.fillStyle = lines.panel;
    context.fillRect(left, RULER, right - left, height);
    context.fillStyle = lines.faint;
    for (let y = RULER; y < height; y += 6) {
      if (left > gutter) context.fillRect(left - 0.5, y, 1, 3);
      if (right < width) context.fillRect(right - 0.5, y + 3, 1, 3);
    }
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
      place.isOpen
        ? controller.rowTop(place, 0) + ROW / 2
        : controller.topOf(place) + place.chart + FOLDED / 2 - 4;
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
  // Texts of breaks first: what is told there is told nowhere else.
  const taken: (readonly [number, number])[] = [];
  const isFree = (left: number, right: number) =>
    left >= gutter && right <= width && taken.every(([from, to]) => right < from || left > to);
  for (const { from, to } of controller.axis.peek().breaks) {
    const middle = (controller.xOf(from) + controller.xOf(to)) / 2;
    const text = `${timeLabel(to - from, 10 ** Math.max(0, Math.floor(Math.log10(to - from)) - 2))} idle`;
    const wide = context.measureText(text).width;
    const left = Math.min(Math.max(gutter + 4, middle - wide / 2), width - wide - 4);
    if (middle < gutter || middle > width || !isFree(left - 4, left + wide + 4)) continue;
    taken.push([left - 4, left + wide + 4]);
    context.fillStyle = lines.ink;
    context.fillText(text, left, RULER / 2 - 1);
  }
  for (const time of times) {
    const x = controller.xOf(time);
    if (x < gutter) continue;
    context.fillStyle = lines.line;
    context.fillRect(Math.round(x), RULER - 7, 1, 7);
    context.fillStyle = lines.faint;
    const text = timeLabel(origin + time, step);
    const right = x + context.measureText(text).width + 6;
    if (!isFree(x, right)) continue;
    taken.push([x, right]);
    context.fillText(text, x + 4, RULER / 2 - 1);
  }
}
