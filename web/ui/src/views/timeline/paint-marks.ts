import type { Picture } from './picture.ts';
import type { PlacedTrack } from './places.ts';

/** Marks that stand closer are lines, for diamonds would hide each other. */
const CLOSE = 8;
/** Where there are thousands, they are a calm grey band. */
const CLOSE_ALPHA = 0.55;
const HALF = 3.5;

/** The instants of a track. */
export function paintMarks(
  context: CanvasRenderingContext2D,
  picture: Picture,
  place: PlacedTrack,
  of: number,
): void {
  if (place.marks === undefined) return;
  const { controller, scene, palette, lines } = picture;
  const { columns } = scene.answer;
  const pointed = controller.hovered.peek();
  const found = controller.foundMark.peek();
  const { width } = controller.size.peek();
  const top = controller.topOf(place) + place.marks + 2;
  const all: number[] = [];
  for (let mark = 0; mark < columns.mark_of.length; mark++) {
    if (columns.mark_of[mark] !== of) continue;
    const x = controller.xOf(columns.mark_time[mark]!);
    if (x > -CLOSE && x < width + CLOSE) all.push(mark);
  }
  const xOf = (mark: number | undefined, none: number) =>
    mark === undefined ? none : controller.xOf(columns.mark_time[mark]!);
  const diamond = (x: number, half: number) => {
    context.beginPath();
    context.moveTo(x, top + 4 - half - 0.5);
    context.lineTo(x + half, top + 4);
    context.lineTo(x, top + 4 + half + 0.5);
    context.lineTo(x - half, top + 4);
    context.closePath();
    context.fill();
  };
  all.forEach((mark, at) => {
    const x = xOf(mark, 0);
    const isAlone =
      x - xOf(all[at - 1], -Infinity) >= CLOSE && xOf(all[at + 1], Infinity) - x >= CLOSE;
    context.fillStyle = isAlone ? palette.outline : lines.faint;
    context.globalAlpha = isAlone ? 1 : CLOSE_ALPHA;
    if (isAlone) diamond(x, HALF);
    else context.fillRect(x - 0.5, top, 1, 8);
  });
  context.globalAlpha = 1;
  context.fillStyle = palette.accent;
  if (pointed?.kind === 'mark' && columns.mark_of[pointed.mark] === of) {
    diamond(xOf(pointed.mark, 0), HALF + 1);
  }
  if (found !== undefined && found.track === place.track.track) {
    diamond(controller.xOf(found.time), HALF + 1);
  }
}
