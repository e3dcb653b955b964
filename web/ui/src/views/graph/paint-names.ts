import type { Point, Rect, Size } from '../../canvas/rect.ts';
import { isFoldable, labelOf } from '../../state/graph-drawing.ts';
import { visible as harmless } from '../../text/names.ts';
import { type Brush, type GraphPicture, onScreen } from './brush.ts';
import { hasHeaders, HEADER, LEAST_LETTERS, rectAt, TEXT_FROM, textPlan } from './detail.ts';

/** Names of what is too small for a header, as maps write names of countries. */
const NAME_SIZE = 12;

/** Names over containers whose headers cannot be read, the outermost first. */
export function paintNames(brush: Brush): void {
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
