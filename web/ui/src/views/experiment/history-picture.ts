import type { ExperimentHistoryResult, ExperimentLine } from '@hotframe/engine';
import { shortenName } from '../../text/names.ts';
import { formatFigure } from '../../text/units.ts';
import type { Inks } from '../charts/inks.ts';
import type { Shape } from '../charts/shapes.ts';
import { linearAxis } from './ratios.ts';

/** Room around the plot of a line, and the plot's height, in CSS pixels. */
const [LEFT, RIGHT, TOP, BOTTOM, PLOT] = [74, 16, 12, 30, 150];
export const LINE_HEIGHT = TOP + PLOT + BOTTOM;
const [FILE_WIDTH, TITLE] = [900, 26];

/** How many digits of fractions of small values are told; formatting takes whole numbers. */
const FINE = 6;

export interface Spot {
  readonly x: number;
  readonly y: number;
}

/** Where steps stand in a picture of some width; undefined where nothing was measured. */
export function spotsOf(line: ExperimentLine, width: number): readonly (Spot | undefined)[] {
  const axis = axisOf(line);
  return line.steps.map(({ mean }, at) =>
    mean === null ? undefined : { x: across(line, width, at), y: down(axis, mean.value) },
  );
}

type Axis = ReturnType<typeof linearAxis>;

function axisOf({ steps }: ExperimentLine): Axis {
  return linearAxis(
    steps.flatMap(({ mean }) =>
      mean === null ? [] : [mean.low ?? mean.value, mean.high ?? mean.value],
    ),
  );
}

function across({ steps }: ExperimentLine, width: number, at: number): number {
  const room = Math.max(1, width - LEFT - RIGHT);
  return LEFT + ((at + 0.5) / steps.length) * room;
}

const down = ({ low, high }: Axis, value: number) =>
  TOP + PLOT - ((value - low) / (high - low || 1)) * PLOT;

/** A line with whiskers; where it jumps stands a mark above. */
export function lineShapes(
  { unit }: ExperimentHistoryResult,
  line: ExperimentLine,
  width: number,
  inks: Inks,
): Shape[] {
  const axis = axisOf(line);
  const shapes: Shape[] = [];
  const stroke = (
    from: readonly [number, number],
    to: readonly [number, number],
    colour: string,
    thick = 1,
    dashed = false,
  ) => shapes.push({ kind: 'line', from, to, stroke: colour, width: thick, dashed });
  for (const tick of axis.ticks) {
    const y = down(axis, tick);
    stroke([LEFT, y], [width - RIGHT, y], inks.line);
    shapes.push({
      kind: 'text',
      at: [LEFT - 8, y],
      text: formatFigure(tick * 10 ** FINE, { unit, decimals: FINE }),
      fill: inks.mute,
      size: 11,
      anchor: 'end',
      middle: true,
    });
  }
  const spots = spotsOf(line, width);
  for (const { step, before } of line.changes) {
    const x = (across(line, width, before) + across(line, width, step)) / 2;
    stroke([x, TOP], [x, TOP + PLOT], inks.accent, 1.5, true);
    shapes.push({
      kind: 'text',
      at: [x, TOP - 2],
      text: '◆',
      fill: inks.accent,
      size: 11,
      anchor: 'middle',
    });
  }
  const there = spots.filter((spot) => spot !== undefined);
  shapes.push({
    kind: 'path',
    d: there
      .map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`)
      .join(' '),
    fill: 'none',
    stroke: inks.mute,
    width: 1.25,
  });
  const every = Math.ceil((line.steps.length * 84) / Math.max(1, width - LEFT - RIGHT));
  line.steps.forEach(({ level, mean }, at) => {
    const x = across(line, width, at);
    if (mean !== null && mean.low !== null && mean.high !== null) {
      const [low, high] = [down(axis, mean.low), down(axis, mean.high)];
      stroke([x, low], [x, high], inks.ink);
      for (const end of [low, high]) stroke([x - 3, end], [x + 3, end], inks.ink);
    }
    const spot = spots[at];
    if (spot !== undefined)
      shapes.push({
        kind: 'circle',
        at: [spot.x, spot.y],
        radius: 4,
        fill: inks.accent,
        stroke: inks.paper,
        width: 1.5,
        opacity: 1,
        of: at,
      });
    if (at % every === 0)
      shapes.push({
        kind: 'text',
        at: [x, TOP + PLOT + 18],
        text: shortenName(level, 12),
        fill: mean === null ? inks.mute : inks.ink,
        size: 11,
        anchor: 'middle',
      });
  });
  return shapes;
}

/** All lines below each other, for a file. */
export function historyPicture(
  history: ExperimentHistoryResult,
  lines: readonly ExperimentLine[],
  inks: Inks,
): { readonly shapes: readonly Shape[]; readonly size: { width: number; height: number } } {
  const shapes: Shape[] = [];
  let y = TITLE;
  const heading = (text: string) =>
    shapes.push({
      kind: 'text',
      at: [10, y - 8],
      text,
      fill: inks.ink,
      size: 13,
      anchor: 'start',
    });
  heading(history.caption);
  for (const line of lines) {
    y += TITLE;
    heading(line.title);
    shapes.push(...lineShapes(history, line, FILE_WIDTH, inks).map((shape) => lowered(shape, y)));
    y += LINE_HEIGHT;
  }
  return { shapes, size: { width: FILE_WIDTH, height: y } };
}

function lowered(shape: Shape, by: number): Shape {
  switch (shape.kind) {
    case 'path':
      return {
        ...shape,
        d: shape.d.replace(/([ML])(\S+) (\S+)/g, (_, move: string, x: string, y: string) => {
          return `${move}${x} ${(Number(y) + by).toFixed(1)}`;
        }),
      };
    case 'line':
      return {
        ...shape,
        from: [shape.from[0], shape.from[1] + by],
        to: [shape.to[0], shape.to[1] + by],
      };
    default:
      return { ...shape, at: [shape.at[0], shape.at[1] + by] };
  }
}
