import type { ColourBy } from '@hotframe/engine';
import { CHANGE_SIGNS, classOf } from '../../canvas/colour.ts';
import { FADED, type Palette } from '../../canvas/palette.ts';
import type { Rect } from '../../canvas/rect.ts';
import { csvLine } from '../../text/csv.ts';
import { shortenLabel } from '../../text/names.ts';
import { formatShare, formatValue, NO_VALUE, shareOf, type Unit } from '../../text/units.ts';
import type { Inks } from '../charts/inks.ts';
import { rampClasses } from '../charts/ramp.ts';
import type { Shape } from '../charts/shapes.ts';
import { alongRoute, arrowOf, pathOf } from './routes.ts';
import type { CallEdge, CallNode, CallScene } from './scene.ts';

/** Sizes of texts and width of a letter, in view units at the smallest box. */
const NAME = 11.5;
const FIGURE = 10.5;
const LETTER = 6.95;
const MARGIN = 9;
/** Widths of the line of a call that nothing goes through, and what one of everything has more. */
const THIN = 1;
const THICK = 7;
/** Where along its route a call's value may stand, the best first. */
const PLACES = [0.5, 0.62, 0.38, 0.74, 0.26];

export interface CallLook {
  readonly inks: Inks;
  readonly palette: Palette;
  readonly colouring: ColourBy | 'share';
  readonly unit: Unit;
  /** Whether shares of the whole say anything. */
  readonly shares: boolean;
  /** Functions that stand out; all where undefined. */
  readonly out: ReadonlySet<number> | undefined;
  /** The chosen function. */
  readonly chosen: number | undefined;
}

/** How thick the line of a call is. */
export function thicknessOf(value: bigint, whole: bigint): number {
  const share = Math.min(1, Math.abs(shareOf(value, whole)) || 0);
  return THIN + THICK * share;
}

export function callShapes(scene: CallScene, look: CallLook): Shape[] {
  const shapes: Shape[] = [];
  const front: Shape[] = [];
  for (const edge of scene.edges) {
    const isChosen = edge.caller.info.key === look.chosen || edge.callee.info.key === look.chosen;
    const isOut =
      look.out === undefined || standsOut(edge.caller, look) || standsOut(edge.callee, look);
    const stroke = isChosen ? look.inks.accent : isOut ? look.inks.mute : look.inks.line;
    const width = thicknessOf(edge.value, scene.whole);
    const into = isChosen ? front : shapes;
    into.push({ kind: 'path', d: pathOf(edge.route, width), fill: 'none', stroke, width });
    const head = arrowOf(edge.route, width);
    into.push({ kind: 'path', d: head, fill: stroke, stroke, width: 0.5 });
  }
  const nodes = scene.nodes.flatMap((node) => nodeShapes(scene, node, look));
  return [...shapes, ...front, ...nodes, ...valueShapes(scene, look)];
}

const standsOut = ({ info }: CallNode, { out }: CallLook) => out === undefined || out.has(info.key);

function nodeShapes(scene: CallScene, node: CallNode, look: CallLook): Shape[] {
  const { palette, unit } = look;
  const { x, y, width, height, scale, info } = node;
  const isOut = standsOut(node, look);
  const fill = palette.fills[classIn(scene, node, look) + (isOut ? 0 : FADED)] ?? palette.merged;
  const ink = palette.inks[isOut ? 0 : 2];
  const isChosen = info.key === look.chosen;
  const isFound = look.out !== undefined && isOut;
  const text = (at: number, told: string, size: number, mono: boolean): Shape => ({
    kind: 'text',
    at: [x + MARGIN * scale, y + at * scale],
    text: told,
    fill: ink,
    size: size * scale,
    anchor: 'start',
    mono,
  });
  const figure = (word: string, value: bigint) =>
    `${word} ${formatValue(value, unit)}${shareText(value, scene, look)}`;
  const sign = look.colouring === 'change' && info.tag !== null ? `${CHANGE_SIGNS[info.tag]} ` : '';
  const columns = Math.floor((width / scale - 2 * MARGIN) / LETTER) - sign.length;
  const name = shortenLabel(info.name, info.label ?? info.name, columns);
  return [
    {
      kind: 'rect',
      at: [x, y],
      width,
      height,
      round: 4,
      fill,
      stroke: isChosen ? palette.accent : isFound ? palette.outline : look.inks.line,
      thick: isChosen || isFound ? 2.5 : 1,
      of: info.key,
    },
    text(16, sign + name, NAME, true),
    text(30, figure('self', node.self), FIGURE, false),
    text(43, figure('total', node.total), FIGURE, false),
  ];
}

function shareText(value: bigint, { whole }: CallScene, { shares }: CallLook): string {
  return shares && value !== NO_VALUE ? ` (${formatShare(shareOf(value, whole))})` : '';
}

function classIn({ whole }: CallScene, { info, total }: CallNode, { colouring }: CallLook): number {
  if (colouring !== 'share') return classOf(info.colours, colouring);
  const share = Math.min(1, Math.abs(shareOf(total, whole)) || 0);
  const ramp = rampClasses();
  return ramp[Math.round(Math.sqrt(share) * (ramp.length - 1))]!;
}

/** Values of calls beside their lines, the largest first, where they do not hide each other. */
function valueShapes(scene: CallScene, look: CallLook): Shape[] {
  const taken: Rect[] = [...scene.nodes];
  return scene.edges.flatMap((edge): Shape[] => {
    const text = formatValue(edge.value, look.unit);
    const width = text.length * 6 + 6;
    const isLoop = edge.caller === edge.callee;
    for (const share of isLoop ? [0.5] : PLACES) {
      const [x, y] = alongRoute(edge.route, share);
      const left = x + thicknessOf(edge.value, scene.whole) / 2 + 4;
      const room = { x: left, y: y - 8, width, height: 16 };
      if (taken.some((other) => meets(other, room))) continue;
      taken.push(room);
      const isOut = standsOut(edge.caller, look) || standsOut(edge.callee, look);
      return [
        {
          kind: 'text',
          at: [left, y],
          text,
          fill: isOut ? look.inks.ink : look.inks.mute,
          size: FIGURE,
          anchor: 'start',
          middle: true,
          rim: look.inks.paper,
        },
      ];
    }
    return [];
  });
}

function meets(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Functions and calls, a row each; values in the metric's own integers. */
export function callsCsv(scene: CallScene): string {
  const label = ({ info }: CallNode) => info.label ?? info.name;
  const head = ['what', 'function', 'file', 'module', 'self', 'total', 'calls', 'value of calls'];
  const told = (value: bigint) => (value === NO_VALUE ? undefined : value);
  return [
    csvLine(head),
    ...scene.nodes.map((node) =>
      csvLine([
        'function',
        label(node),
        node.info.file,
        node.info.module,
        told(node.self),
        told(node.total),
        undefined,
        undefined,
      ]),
    ),
    ...scene.edges.map(({ caller, callee, value }: CallEdge) =>
      csvLine([
        'call',
        label(caller),
        caller.info.file,
        caller.info.module,
        undefined,
        undefined,
        label(callee),
        value,
      ]),
    ),
  ].join('');
}
