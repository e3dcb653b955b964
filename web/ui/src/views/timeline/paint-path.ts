import type { PathPieces } from '../../state/profile/look.ts';
import type { Picture } from './picture.ts';
import { FOLDED, type PlacedTrack, ROW, RULER } from './places.ts';

/** What a piece of a critical path is, as its column has it. */
const WAITING = 1;
const FLOW = 2;

const THICK = 3;
/** What is narrower is drawn with the next ones. */
const NARROWEST = 1;

/** A line of the path. */
export interface PathLine {
  readonly kind: number;
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
}

/**
 * The lines of a path: along the bottom of the rows where it is, and between them where it goes on
 * elsewhere. Pieces that are narrower than a pixel and stay where they are become one.
 */
export function pathLines(
  pieces: PathPieces,
  xOf: (time: number) => number,
  yOf: (track: number, row: number) => number | undefined,
  width: number,
): readonly PathLine[] {
  const lines: PathLine[] = [];
  let last: readonly [number, number] | undefined;
  for (let at = 0; at < pieces.begin.length; at++) {
    const kind = pieces.kind[at]!;
    const [left, right] = [xOf(pieces.begin[at]!), xOf(pieces.end[at]!)];
    const y = yOf(pieces.track[at]!, pieces.row[at]!);
    if (y === undefined) {
      last = undefined;
      continue;
    }
    if (right >= 0 && left <= width) {
      if (kind === FLOW && last !== undefined) {
        lines.push({ kind, from: last, to: [right, y] });
      } else if (kind !== FLOW) {
        const before = lines.at(-1);
        const follows = before?.kind === kind && before.to[1] === y && left - before.to[0] < 0.5;
        // Steps to a row and back within a pixel would only be noise.
        if (right - left < NARROWEST && before !== undefined && right - before.to[0] < NARROWEST) {
          continue;
        }
        if (follows) lines[lines.length - 1] = { ...before, to: [right, y] };
        else {
          if (last !== undefined && last[1] !== y) {
            lines.push({ kind: 0, from: [left, last[1]], to: [left, y] });
          }
          lines.push({ kind, from: [left, y], to: [right, y] });
        }
      }
    }
    last = [right, y];
  }
  return lines;
}

/** The critical path: solid where a span runs, dashed where nothing does, an arrow where a flow goes. */
export function paintPath(
  context: CanvasRenderingContext2D,
  { controller, palette, lines: { path: ink } }: Picture,
  pieces: PathPieces,
): void {
  const { width, height } = controller.size.peek();
  const gutter = controller.gutter.peek();
  const places = new Map(controller.places.peek().map((place) => [place.track.track, place]));
  const yOf = (track: number, row: number) => {
    const place = places.get(track);
    return place && bottomOf(place, row);
  };
  const bottomOf = (place: PlacedTrack, row: number) =>
    place.isOpen
      ? controller.rowTop(place, Math.min(row, Math.max(0, place.rows - 1))) + ROW - 2
      : controller.topOf(place) + (place.isHeading ? place.height / 2 : place.chart + FOLDED - 8);
  const lines = pathLines(pieces, controller.xOf, yOf, width);
  context.save();
  context.beginPath();
  context.rect(gutter, RULER, width - gutter, height);
  context.clip();
  context.lineJoin = 'round';
  // A line of the paper's colour around it keeps it apart from any frame.
  for (const casing of [true, false]) {
    context.strokeStyle = casing ? palette.background : ink;
    context.fillStyle = casing ? palette.background : ink;
    for (const { kind, from, to } of lines) {
      context.setLineDash(kind === WAITING && !casing ? [5, 4] : []);
      const isAcross = from[1] !== to[1];
      context.lineWidth = (isAcross ? THICK / 2 : THICK) + (casing ? 3 : 0);
      context.beginPath();
      context.moveTo(...from);
      context.lineTo(isAcross || to[0] - from[0] >= NARROWEST ? to[0] : from[0] + NARROWEST, to[1]);
      context.stroke();
      if (kind === FLOW) paintHead(context, from, to, casing ? 1.5 : 0);
    }
  }
  context.restore();
}

/** The head of an arrow, where a flow arrives. */
function paintHead(
  context: CanvasRenderingContext2D,
  from: readonly [number, number],
  to: readonly [number, number],
  more: number,
): void {
  const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
  const corner = (turn: number, far: number) =>
    [to[0] - far * Math.cos(angle + turn), to[1] - far * Math.sin(angle + turn)] as const;
  context.setLineDash([]);
  context.beginPath();
  context.moveTo(...corner(0, -more));
  context.lineTo(...corner(0.42, 9 + more));
  context.lineTo(...corner(-0.42, 9 + more));
  context.closePath();
  context.fill();
}
