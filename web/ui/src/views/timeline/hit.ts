import type { TimelineController } from './controller.ts';
import { NAME_ROOM } from './track-places.ts';
import { MARKS, ROW, RULER } from './places.ts';

/** What is under the pointer. */
export type Pointed =
  | { readonly kind: 'bar'; readonly bar: number }
  | { readonly kind: 'mark'; readonly mark: number }
  | { readonly kind: 'name'; readonly track: number };

/** How far beside a mark one may point, in CSS pixels. */
const NEAR_MARK = 6;

/** What is at a place of the picture. */
export function hitTimeline(
  controller: TimelineController,
  x: number,
  y: number,
): Pointed | undefined {
  const place = controller.placeAt(y);
  if (y < RULER || place === undefined) return undefined;
  const gutter = controller.gutter.peek();
  const inTrack = y - controller.topOf(place);
  const isName = gutter === 0 && inTrack < NAME_ROOM;
  if (x < gutter || isName || place.isHeading) return { kind: 'name', track: place.track.track };
  const drawn = controller.scene.peek();
  const of = drawn?.tracks.indexOf(place.track.track) ?? -1;
  if (drawn === undefined || of < 0) return undefined;
  const { columns } = drawn.answer;
  const time = controller.timeAt(x);
  const unit = controller.unit.peek();
  if (place.marks !== undefined && inTrack >= place.marks && inTrack < place.marks + MARKS) {
    let best: number | undefined;
    let nearest = NEAR_MARK * unit;
    for (let mark = 0; mark < columns.mark_of.length; mark++) {
      if (columns.mark_of[mark] !== of) continue;
      const away = Math.abs(columns.mark_time[mark]! - time);
      if (away > nearest) continue;
      [best, nearest] = [mark, away];
    }
    return best === undefined ? undefined : { kind: 'mark', mark: best };
  }
  if (!place.isOpen) return undefined;
  const fromTop = Math.floor((inTrack - place.chart) / ROW);
  const row = controller.input.peek().view.upwards ? place.rows - 1 - fromTop : fromTop;
  for (let bar = 0; bar < columns.bar_of.length; bar++) {
    if (columns.bar_of[bar] !== of || columns.bar_row[bar] !== row) continue;
    const [begin, end] = [columns.bar_begin[bar]!, columns.bar_end[bar]!];
    if (time >= begin && time < Math.max(end, begin + unit)) return { kind: 'bar', bar };
  }
  return undefined;
}
