import { formatThings } from '../../text/units.ts';
import { fitted, LABEL_FONT, type Picture, SMALL_FONT } from './picture.ts';
import { hasChart, MOST_ROWS, type PlacedTrack, RULER } from './places.ts';

/** Room of a name and what is told below it. */
const NAME = 36;

/** The name of a track, and what is told of it besides; it stays in sight as long as its track is. */
export function paintName(
  context: CanvasRenderingContext2D,
  picture: Picture,
  place: PlacedTrack,
): void {
  const { controller, lines, palette } = picture;
  const { track } = place;
  const gutter = controller.gutter.peek();
  const sticky = place.isPinned ? 0 : controller.sticky.peek();
  const from = controller.topOf(place);
  const top = Math.min(Math.max(from, RULER + sticky), Math.max(from, from + place.height - NAME));
  const folds = hasChart(track) || place.under > 0;
  const indent = 8 + Math.min(4, place.depth) * 12;
  const isOpen =
    hasChart(track) && place.sum === undefined ? place.isOpen : place.sum === undefined;
  const sign = folds ? (isOpen ? '▾ ' : '▸ ') : '';
  context.textBaseline = 'middle';
  context.font = place.isHeading ? `600 ${LABEL_FONT}` : LABEL_FONT;
  const isCurrent = controller.cursor.peek() === track.track;
  // Beside it stands the button of its menu.
  const button = isCurrent || controller.overTrack.peek() === track.track || gutter === 0 ? 24 : 0;
  const room = (gutter === 0 ? controller.size.peek().width : gutter) - indent - 8 - button;
  // What tells recordings apart stands where there is room for it.
  const isBeside = gutter !== 0 && !place.isHeading;
  const name =
    isBeside || track.recording === '' ? track.name : `${track.name} of ${track.recording}`;
  const wide = place.isHeading ? controller.size.peek().width - indent - 40 : room;
  const text = fitted(context, sign + name, wide);
  if (gutter === 0 && !place.isHeading) {
    // Above its own picture: a strip of paper keeps it readable.
    context.globalAlpha = 0.8;
    context.fillStyle = palette.background;
    context.fillRect(indent - 4, top + 1, context.measureText(text).width + 8, 15);
    context.globalAlpha = 1;
  }
  context.fillStyle = lines.ink;
  context.fillText(text, indent, top + (place.isHeading ? 11 : gutter === 0 ? 9 : 12));
  if (isCurrent) {
    context.fillStyle = palette.accent;
    context.fillRect(0, from, 3, place.height - 3);
  }
  if (gutter === 0 || place.isHeading || place.height < 32) return;
  context.font = SMALL_FONT;
  context.fillStyle = lines.faint;
  const told = toldOf(place);
  context.fillText(fitted(context, told, room + button - 12), indent + (folds ? 14 : 0), top + 27);
}

/** What is told below the name of a track. */
export function toldOf(place: PlacedTrack): string {
  const { track, sum, of, more } = place;
  if (sum !== undefined) return `mean of ${formatThings(sum, 'track')}`;
  const busy = track.busy > 0 ? `${shareText(track.busy_share, 1)} busy` : '';
  const rows = more > 0 ? `first ${MOST_ROWS} of ${MOST_ROWS + more} rows` : '';
  const kind = track.kind === 'thread' ? '' : track.kind;
  return [kind, track.recording, busy, rows, of === undefined ? '' : `of ${of}`]
    .filter(Boolean)
    .join(', ');
}

function shareText(part: number, whole: number): string {
  const percent = (part / whole) * 100;
  return percent >= 10 ? `${Math.round(percent)} %` : `${percent.toPrecision(2)} %`;
}
