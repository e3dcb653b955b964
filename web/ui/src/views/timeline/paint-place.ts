import type { TimePlace } from '@hotframe/engine';
import type { Picture } from './picture.ts';
import { RULER } from './places.ts';

const CAP = 6;

/** A bracket over the stretch that a list led to: a gap, or a state, has no bar of its own. */
export function paintPlace(
  context: CanvasRenderingContext2D,
  { controller, palette }: Picture,
  { track, row, begin, length }: TimePlace,
): void {
  const place = track === null ? undefined : controller.placeOf(track);
  if (place === undefined || length === 0) return;
  const { width, height } = controller.size.peek();
  const gutter = controller.gutter.peek();
  const top =
    row !== null && place.isOpen && row < place.rows
      ? controller.rowTop(place, row)
      : controller.topOf(place) + (place.isHeading ? 4 : place.chart);
  const clamp = (x: number) => Math.min(width + 20, Math.max(gutter - 20, x));
  const [left, right] = [clamp(controller.xOf(begin)), clamp(controller.xOf(begin + length))];
  context.save();
  context.beginPath();
  context.rect(gutter, RULER, width - gutter, height);
  context.clip();
  for (const casing of [true, false]) {
    context.strokeStyle = casing ? palette.background : palette.outline;
    context.lineWidth = casing ? 4 : 2;
    context.beginPath();
    context.moveTo(left, top + CAP);
    context.lineTo(left, top);
    context.lineTo(right, top);
    context.lineTo(right, top + CAP);
    context.stroke();
  }
  context.restore();
}
