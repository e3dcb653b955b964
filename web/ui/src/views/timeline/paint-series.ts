import { fitted, type Picture, SMALL_FONT } from './picture.ts';
import { type PlacedTrack, SERIES } from './places.ts';
import { seriesLabel } from './words.ts';

/** Lines of values over time. */
export function paintSeries(
  context: CanvasRenderingContext2D,
  picture: Picture,
  place: PlacedTrack,
): void {
  const { controller, scene, palette, lines } = picture;
  const { columns } = scene.answer;
  const all = controller.tracks.peek().value?.counters ?? [];
  const { width } = controller.size.peek();
  const gutter = controller.gutter.peek();
  for (const { counter, top: inTrack } of place.series) {
    const info = all[counter];
    if (info === undefined) continue;
    const top = controller.topOf(place) + inTrack + 3;
    const room = SERIES - 8;
    const least = Math.min(0, info.least);
    const range = Math.max(info.most - least, Number.MIN_VALUE);
    const yOf = (value: number) => top + room - ((value - least) / range) * (room - 12);
    context.beginPath();
    let last: number | undefined;
    let begun = gutter;
    for (let at = 0; at < columns.value_of.length; at++) {
      if (columns.value_of[at] !== counter) continue;
      const x = controller.xOf(scene.valueAt[at]!);
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
    context.fillText(fitted(context, seriesLabel(info), width - gutter - 12), gutter + 6, top - 1);
  }
}
