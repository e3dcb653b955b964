import { classOf } from '../../canvas/colour.ts';
import type { ColourBy } from '@hotframe/engine';
import type { Inks } from '../charts/inks.ts';
import type { Shape } from '../charts/shapes.ts';
import { formatQuantity } from '../../text/quantity.ts';
import { formatFigure, type Unit } from '../../text/units.ts';
import type { ScatterScene } from './marks.ts';
import { placed, type Room } from './room.ts';

/** Between the middles of two numbers of an axis: they do not touch. */
const TICK_ROOM = { across: 54, up: 24 };
/** Diagonals nearer than that are left out. */
const DIAGONAL_ROOM = 46;
const SMALL = 11;

export interface ScatterLook {
  readonly inks: Inks;
  readonly fills: readonly string[];
  /** What colours tell; `self_share` is the share of recursive calls. */
  readonly colour: ColourBy;
  /** Around marks, for high contrast. */
  readonly border: string | undefined;
  readonly unit: Unit;
  /** Functions that stand out; all where undefined. */
  readonly out: ReadonlySet<number> | undefined;
}

/** A value a call, which may be a fraction of the unit. */
export function formatMean(value: number, unit: Unit): string {
  if (!Number.isFinite(value)) return '–';
  return formatFigure(value * 1000, { unit: unit.unit, decimals: unit.decimals + 3 });
}

/** Everything of a scatter but what moves with the pointer. */
export function scatterShapes(scene: ScatterScene, room: Room, look: ScatterLook): Shape[] {
  return [...frame(scene, room, look), ...marks(scene, room, look)];
}

/** Whole powers of ten from one to the other, as many as have room. */
export function powers([from, to]: readonly [number, number], room: number): number[] {
  const [low, high] = [Math.round(Math.log10(from)), Math.round(Math.log10(to))];
  const step = Math.max(1, Math.ceil((high - low) / Math.max(1, Math.floor(room))));
  const all: number[] = [];
  for (let power = low; power <= high; power += step) all.push(10 ** power);
  return all;
}

function frame(scene: ScatterScene, room: Room, { inks, unit }: ScatterLook): Shape[] {
  const { plot, noCalls, noValue, size } = room;
  const [right, bottom] = [plot.x + plot.width, plot.y + plot.height];
  const share = (value: number, [from, to]: readonly [number, number]) =>
    Math.log(value / from) / Math.log(to / from);
  const shapes: Shape[] = [];
  const text = (
    at: readonly [number, number],
    said: string,
    anchor: 'start' | 'middle' | 'end',
    more: { readonly turn?: number; readonly rim?: string } = {},
  ): Shape => ({ kind: 'text', at, text: said, fill: inks.mute, size: SMALL, anchor, ...more });
  shapes.push({
    kind: 'rect',
    at: [plot.x, plot.y],
    width: plot.width,
    height: plot.height,
    fill: inks.shade,
    round: 4,
  });
  for (const strip of [noCalls, noValue]) {
    if (strip === undefined) continue;
    const { x, y, width, height } = strip;
    shapes.push({ kind: 'rect', at: [x, y], width, height, fill: inks.shade, round: 4 });
  }
  for (const tick of powers(scene.across, plot.width / TICK_ROOM.across)) {
    const [x] = room.at(share(tick, scene.across), 0);
    shapes.push(line([x, plot.y], [x, bottom], inks.line));
    shapes.push(
      text(
        [x, (noValue ? noValue.y + noValue.height : bottom) + 15],
        formatQuantity(tick, ''),
        'middle',
      ),
    );
  }
  for (const tick of powers(scene.up, plot.height / TICK_ROOM.up)) {
    const [, y] = room.at(0, share(tick, scene.up));
    shapes.push(line([plot.x, y], [right, y], inks.line));
    shapes.push(text([(noCalls?.x ?? plot.x) - 6, y + 4], formatMean(tick, unit), 'end'));
  }
  shapes.push(...diagonals(scene, room, inks, unit));
  const calls = scene.of === 'own_value' ? 'calls' : 'primitive calls';
  const value = scene.of === 'own_value' ? 'self a call' : 'total a primitive call';
  shapes.push(text([plot.x + plot.width / 2, size.height - 8], calls, 'middle'));
  shapes.push(text([12, plot.y + plot.height / 2], value, 'middle', { turn: -90 }));
  if (noCalls !== undefined) {
    const at = [noCalls.x + noCalls.width / 2, bottom + 15] as const;
    shapes.push(text(at, 'none', 'middle'));
  }
  if (noValue !== undefined)
    shapes.push(text([(noCalls?.x ?? plot.x) - 6, noValue.y + noValue.height / 2 + 4], '0', 'end'));
  return shapes;
}

function line(
  from: readonly [number, number],
  to: readonly [number, number],
  stroke: string,
): Shape {
  return { kind: 'line', from, to, stroke, width: 1 };
}

/** Lines of equal products with what they stand for at their upper ends. */
function diagonals(scene: ScatterScene, room: Room, inks: Inks, unit: Unit): Shape[] {
  const shapes: Shape[] = [];
  let last: readonly [number, number] | undefined;
  for (const { product, begin, end } of scene.diagonals) {
    const [from, to] = [room.at(begin[0], begin[1]), room.at(end[0], end[1])];
    const long = Math.hypot(to[0] - from[0], to[1] - from[1]);
    const near =
      last !== undefined && Math.hypot(from[0] - last[0], from[1] - last[1]) < DIAGONAL_ROOM;
    if (near) continue;
    last = from;
    shapes.push({ kind: 'line', from, to, stroke: inks.mute, width: 0.75, dashed: true });
    if (long < 70) continue;
    const turn = (Math.atan2(to[1] - from[1], to[0] - from[0]) * 180) / Math.PI;
    const along = 10 / long;
    const at = [from[0] + (to[0] - from[0]) * along, from[1] + (to[1] - from[1]) * along] as const;
    shapes.push({
      kind: 'text',
      at,
      text: formatMean(product, unit),
      fill: inks.mute,
      size: 10,
      anchor: 'start',
      turn,
      rim: inks.shade,
    });
  }
  return shapes;
}

function marks(scene: ScatterScene, room: Room, look: ScatterLook): Shape[] {
  const { inks, fills, colour, out, border } = look;
  return scene.marks.map((mark): Shape => {
    const { at, radius } = placed(room, mark);
    const { key, colours } = mark.info;
    const isBack = out?.has(key) === false;
    return {
      kind: 'circle',
      at,
      radius,
      fill: fills[classOf(colours, colour)] ?? inks.mute,
      opacity: isBack ? 0.25 : 0.85,
      stroke: out?.has(key) === true ? inks.accent : (border ?? (isBack ? inks.line : inks.mute)),
      width: out?.has(key) === true ? 2 : 0.75,
      of: key,
    };
  });
}
