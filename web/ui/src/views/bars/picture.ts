import type { ColourBy } from '@hotframe/engine';
import { classOf } from '../../canvas/colour.ts';
import { shortenLabel } from '../../text/names.ts';
import { formatFigure, type Unit } from '../../text/units.ts';
import type { Inks } from '../charts/inks.ts';
import type { Shape } from '../charts/shapes.ts';
import type { Bar, BarsScene } from './rows.ts';

/** Height of a function with its bars, and of the axis above them, in CSS pixels. */
export const ROW = 36;
export const AXIS = 24;
const BAR = 11;
/** Behind the longest bar, for its value. */
const VALUES = 82;
/** Width of a letter of names. */
const LETTER = 6.7;
const SMALL = 11;
/** Between the middles of two numbers of the axis. */
const TICK_ROOM = 62;

export interface BarsLook {
  readonly inks: Inks;
  readonly fills: readonly string[];
  readonly colour: ColourBy;
  readonly unit: Unit;
  /** Functions that stand out; all where undefined. */
  readonly out: ReadonlySet<number> | undefined;
}

/** Where bars begin and end on the screen. */
export interface Span {
  readonly from: number;
  readonly to: number;
  at(value: number): number;
}

export function spanOf(width: number, ticks: readonly number[]): Span {
  const from = Math.min(300, Math.max(96, width * 0.32));
  const to = Math.max(from + 40, width - VALUES);
  const [first, last] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  return {
    from,
    to,
    at: (value) => from + ((value - first) / (last - first)) * (to - from),
  };
}

/** The numbers of the axis. */
export function axisShapes(scene: BarsScene, width: number, { inks, unit }: BarsLook): Shape[] {
  const span = spanOf(width, scene.ticks);
  const every = Math.ceil((TICK_ROOM * (scene.ticks.length - 1)) / (span.to - span.from));
  return scene.ticks
    .filter((_, index) => index % Math.max(1, every) === 0)
    .map((tick) => ({
      kind: 'text',
      at: [span.at(tick), AXIS - 8],
      text: formatFigure(tick, unit),
      fill: inks.mute,
      size: SMALL,
      anchor: 'middle',
    }));
}

/** The bars, from `top` down. */
export function barShapes(scene: BarsScene, width: number, look: BarsLook, top = 0): Shape[] {
  const { inks, fills, colour, out, unit } = look;
  const span = spanOf(width, scene.ticks);
  const bottom = top + scene.rows.length * ROW;
  const shapes: Shape[] = scene.ticks.map((tick) => ({
    kind: 'line',
    from: [span.at(tick), top],
    to: [span.at(tick), bottom],
    stroke: tick === 0 ? inks.mute : inks.line,
    width: 1,
  }));
  scene.rows.forEach(({ info, self, total }, index) => {
    const y = top + index * ROW;
    const isBack = out?.has(info.key) === false;
    const fill = fills[classOf(info.colours, colour)] ?? inks.mute;
    const columns = Math.floor((span.from - 18) / LETTER);
    shapes.push({
      kind: 'text',
      at: [10, y + ROW / 2 + 4],
      text: shortenLabel(info.name, info.label ?? info.name, columns),
      fill: isBack ? inks.mute : inks.ink,
      size: SMALL,
      anchor: 'start',
      mono: true,
    });
    shapes.push(...bar(total, y + 6, fill, isBack ? 0.2 : 0.5));
    shapes.push(...bar(self, y + 6 + BAR + 2, fill, isBack ? 0.35 : 1));
  });
  function bar(of: Bar, y: number, fill: string, opacity: number): Shape[] {
    if (!Number.isFinite(of.length)) return [];
    const [zero, end] = [span.at(0), span.at(of.length)];
    const middle = y + BAR / 2;
    const [least, most] = of.spread ?? [of.length, of.length];
    const [low, high] = [span.at(least), span.at(most)];
    const text = formatFigure(of.length, unit);
    const box: Shape = {
      kind: 'rect',
      at: [Math.min(zero, end), y],
      width: of.length === 0 ? 0 : Math.max(1, Math.abs(end - zero)),
      height: BAR,
      fill,
      opacity,
      stroke: inks.mute,
    };
    const edge = (x: number): Shape => ({
      kind: 'line',
      from: [x, middle - 3],
      to: [x, middle + 3],
      stroke: inks.ink,
      width: 1,
    });
    const whisker: Shape[] =
      of.spread === undefined
        ? []
        : [
            { kind: 'line', from: [low, middle], to: [high, middle], stroke: inks.ink, width: 1 },
            edge(low),
            edge(high),
          ];
    return [
      box,
      ...whisker,
      {
        kind: 'text',
        at: [Math.max(zero, end, low, high) + 6, y + BAR - 1.5],
        text,
        fill: inks.mute,
        size: 10.5,
        anchor: 'start',
      },
    ];
  }
  return shapes;
}
