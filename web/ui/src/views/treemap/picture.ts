import { FlameFlag, type ColourBy } from '@hotframe/engine';
import { classOf, PROGRAM_CLASS, signOf } from '../../canvas/colour.ts';
import { SELF_STEPS } from '../../canvas/generated/colours.ts';
import { FADED, type Palette } from '../../canvas/palette.ts';
import { isMerged, isUnsure, labelOf, nameOf, type Scene } from '../../canvas/scene.ts';
import { csvLine } from '../../text/csv.ts';
import { shortenLabel, textColumns } from '../../text/names.ts';
import {
  formatFigure,
  formatInteger,
  formatShare,
  formatValue,
  NO_VALUE,
  shareOf,
  type Unit,
} from '../../text/units.ts';
import { rampClasses } from '../charts/ramp.ts';
import type { Shape } from '../charts/shapes.ts';
import { type Caption, captionsOf, rectOf } from './boxes.ts';

/** Width of a letter of names and of values, in CSS pixels. */
const LETTER = 6.7;
const SMALL_LETTER = 6.2;
const NAME = 11;
const VALUE = 10.5;
const MARGIN = 6;
/** Letters of the shortest part of a name that says anything. */
const LEAST_LETTERS = 5;
/** Steps of the ramp from one level to the next, where there are few levels. */
const STEPS_A_LEVEL = 2;

/** What colours tell: depth and share, or what those of other pictures do. */
export type Colouring = ColourBy | 'depth' | 'share';

export interface TreemapLook {
  readonly palette: Palette;
  readonly colouring: Colouring;
  readonly unit: Unit;
  /** Whether shares of the whole say anything. */
  readonly shares: boolean;
  /** Runs that figures are means of; the values themselves where undefined. */
  readonly runs?: number;
  /** Functions whose boxes are lit. */
  readonly lit: ReadonlySet<number>;
}

/** What a box's area stands for: self by module, file and function, else the total. */
export function valueOf(scene: Scene, box: number): bigint {
  const isFlat = scene.subject.spec.shape.kind === 'flat';
  const { self_value: own, total_value: total } = scene.boxes;
  // The whole program's is the total in any shape.
  return isFlat && scene.boxes.row[box]! + scene.root > 0 ? own[box]! : total[box]!;
}

export function treemapShapes(scene: Scene, look: TreemapLook): Shape[] {
  const shapes: Shape[] = [];
  const front: Shape[] = [];
  for (let box = 0; box < scene.count; box++) {
    const { x, y, width, height } = rectOf(scene, box);
    const matches = (scene.boxes.flags[box]! & FlameFlag.MATCHES) !== 0;
    const isLit = look.lit.has(scene.boxes.key[box]!) && !isMerged(scene, box);
    const edge = isLit ? look.palette.accent : matches ? look.palette.outline : undefined;
    shapes.push({
      kind: 'rect',
      at: [x, y],
      width,
      height,
      round: 2,
      fill: fillOf(scene, box, look),
      stroke: look.palette.border ?? look.palette.background,
      of: scene.boxes.node[box]!,
    });
    if (edge !== undefined && scene.boxes.row[box]! > 0) {
      const d = `M${x + 1} ${y + 1}h${width - 2}v${height - 2}h${2 - width}Z`;
      front.push({ kind: 'path', d, fill: 'none', stroke: edge, width: 2 });
    }
  }
  const texts = captionsOf(scene).flatMap((caption) => textsOf(scene, caption, look));
  return [...shapes, ...front, ...texts];
}

function fillOf(scene: Scene, box: number, look: TreemapLook): string {
  const { palette } = look;
  if (isMerged(scene, box)) return palette.merged;
  const faded = isFaded(scene, box) ? FADED : 0;
  return palette.fills[classIn(scene, box, look) + faded] ?? palette.merged;
}

function isFaded(scene: Scene, box: number): boolean {
  const matches = (scene.boxes.flags[box]! & FlameFlag.MATCHES) !== 0;
  return scene.subject.search !== '' && !matches;
}

/** The class of every level: the nearer to the root, the paler. */
export function depthClasses(scene: Scene): readonly number[] {
  const ramp = rampClasses();
  const levels = Math.max(1, scene.result.total_rows);
  const step = Math.min(STEPS_A_LEVEL, (ramp.length - 1) / Math.max(1, levels - 1));
  return Array.from({ length: levels }, (_, row) => ramp[Math.round(row * step)]!);
}

function classIn(scene: Scene, box: number, { colouring }: TreemapLook): number {
  const last = SELF_STEPS - 1;
  const row = scene.boxes.row[box]!;
  switch (colouring) {
    case 'depth':
      return depthClasses(scene)[row]!;
    case 'share': {
      const whole = scene.boxes.scale[0]!;
      const share = Math.min(1, Math.abs(shareOf(valueOf(scene, box), whole)) || 0);
      return rampClasses()[Math.round(Math.sqrt(share) * last)]!;
    }
    default:
      return row === 0 && scene.root === 0
        ? PROGRAM_CLASS
        : classOf(scene.boxes.colours[box]!, colouring);
  }
}

/** Name and value of a box, where they have room. */
function textsOf(scene: Scene, { box, above, isHead }: Caption, look: TreemapLook): Shape[] {
  const { x, y, width, height } = rectOf(scene, box);
  const columns = Math.floor((width - 2 * MARGIN) / LETTER);
  if (height < NAME + 4) return [];
  const fill = look.palette.inks[isFaded(scene, box) ? 2 : 0];
  const value = figureOf(scene, box, look);
  const hasLine = !isHead && height >= 2 * NAME + 12;
  // Beside the name in a head, below it elsewhere.
  const room = isHead ? columns - textColumns(value) - 2 : columns;
  const text = captionText(scene, box, above, look, isHead && room >= 12 ? room : columns);
  const whole = textColumns(isMerged(scene, box) ? text : nameOf(scene, box));
  if (columns < (isMerged(scene, box) ? whole : Math.min(whole, LEAST_LETTERS))) return [];
  const shapes: Shape[] = [
    { kind: 'text', at: [x + MARGIN, y + 13], text, fill, size: NAME, anchor: 'start', mono: true },
  ];
  const fits = value.length * SMALL_LETTER <= width - 2 * MARGIN;
  if (hasLine && fits) {
    const at = [x + MARGIN, y + 27] as const;
    shapes.push({ kind: 'text', at, text: value, fill, size: VALUE, anchor: 'start' });
  } else if (isHead && room >= 12) {
    const at = [x + width - MARGIN, y + 13] as const;
    shapes.push({ kind: 'text', at, text: value, fill, size: VALUE, anchor: 'end' });
  }
  return shapes;
}

/** The name of a box after those that share its place, as far as they have room. */
function captionText(
  scene: Scene,
  box: number,
  above: readonly number[],
  look: TreemapLook,
  columns: number,
): string {
  if (columns < 1) return '';
  if (isMerged(scene, box)) {
    const count = formatInteger(scene.boxes.merged[box]!);
    return textColumns(`${count} smaller`) <= columns ? `${count} smaller` : `+${count}`;
  }
  const tag = look.colouring === 'change' ? scene.boxes.tag[box] : undefined;
  const sign = tag === undefined ? '' : `${signOf(tag, isUnsure(scene, box))} `;
  const own = shortenLabel(nameOf(scene, box), labelOf(scene, box), columns - sign.length);
  let text = `${sign}${own}`;
  for (let at = above.length - 1; at >= 0; at--) {
    const longer = `${labelOf(scene, above[at]!)} › ${text}`;
    // What is left out leaves a mark.
    const left = at === 0 ? 0 : 4;
    if (textColumns(longer) + left > columns) {
      return textColumns(text) + 4 <= columns ? `… › ${text}` : text;
    }
    text = longer;
  }
  return text;
}

/** What a box's area stands for, with its share of all. */
export function figureOf(
  scene: Scene,
  box: number,
  look: Pick<TreemapLook, 'unit' | 'shares' | 'runs'>,
) {
  const value = valueOf(scene, box);
  const isMean = look.runs !== undefined && value !== NO_VALUE;
  const told = isMean
    ? formatFigure(Number(value) / look.runs, look.unit)
    : formatValue(value, look.unit);
  if (!look.shares || value === NO_VALUE) return told;
  return `${told} · ${formatShare(shareOf(value, scene.boxes.scale[0]!))}`;
}

/** Every box, a row each; values in the metric's own integers. */
export function boxesCsv(scene: Scene): string {
  const { boxes } = scene;
  const head = ['level', 'name', 'file', 'module', 'others', 'self', 'total', 'in level', 'in'];
  const lines = [csvLine(head)];
  for (let box = 0; box < scene.count; box++) {
    const merged = boxes.merged[box]!;
    const parent = boxes.row[box] === 0 ? undefined : scene.indexOfNode.get(boxes.parent[box]!);
    const told = (value: bigint) => (value === NO_VALUE ? undefined : value);
    const isSum = merged > 0 && scene.subject.spec.shape.kind !== 'flat';
    lines.push(
      csvLine([
        boxes.row[box]!,
        merged > 0 ? '' : labelOf(scene, box),
        scene.result.files[boxes.file[box]!],
        scene.result.modules[boxes.module[box]!],
        merged > 0 ? merged : undefined,
        isSum ? undefined : told(boxes.self_value[box]!),
        told(boxes.total_value[box]!),
        parent === undefined ? undefined : boxes.row[parent]!,
        parent === undefined ? undefined : labelOf(scene, parent),
      ]),
    );
  }
  return lines.join('');
}
