import { isFoldable, kindOf, labelOf } from '../../state/graph-drawing.ts';
import { shortenName, textColumns } from '../../text/names.ts';
import { type Brush, inkFor, onScreen } from './brush.ts';
import { hasHeaders, HEADER, LABEL_SIZE, LEAST_LETTERS, textPlan } from './detail.ts';
import { GLYPH_SIZE, GLYPHS } from './glyphs.ts';
import { secondLine } from './texts.ts';

/** From this zoom on boxes have glyphs; further out shapes have to do. */
const GLYPHS_FROM = 0.5;
/** Room for a glyph before a label, at a zoom of one. */
const GLYPH_ROOM = 15;

/** Titles in the headers of open containers, with a chevron that folds them. */
export function paintHeaders(brush: Brush): void {
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
export function paintTexts(brush: Brush): void {
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
