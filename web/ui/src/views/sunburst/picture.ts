import { FlameFlag, type ColourBy } from '@hotframe/engine';
import { classOf } from '../../canvas/colour.ts';
import { FADED, type Palette } from '../../canvas/palette.ts';
import { isMerged, labelOf, nameOf, type Scene } from '../../canvas/scene.ts';
import { csvLine } from '../../text/csv.ts';
import { shortenLabel } from '../../text/names.ts';
import type { Shape } from '../charts/shapes.ts';
import { type Arc, around, arcOf, outline, type Rings } from './rings.ts';

/** Width of a letter of a name on an arc, in CSS pixels. */
const LETTER = 6.2;
const TEXT = 10.5;
/** Letters of the shortest name that says anything. */
const LEAST_LETTERS = 4;

export interface SunburstLook {
  readonly palette: Palette;
  readonly colour: ColourBy;
  /** Functions whose arcs are lit. */
  readonly lit: ReadonlySet<number>;
}

export function sunburstShapes(scene: Scene, rings: Rings, look: SunburstLook): Shape[] {
  const { palette, colour, lit } = look;
  const { boxes, subject } = scene;
  const shapes: Shape[] = [];
  const texts: Shape[] = [];
  const front: Shape[] = [];
  for (let box = 0; box < scene.count; box++) {
    if (boxes.row[box]! >= rings.ends.length) continue;
    const arc = arcOf(scene, rings, box);
    const isProgram = boxes.row[box] === 0 && scene.root === 0;
    const matches = (boxes.flags[box]! & FlameFlag.MATCHES) !== 0;
    const isFaded = subject.search !== '' && !matches;
    const own = isProgram ? 1 : classOf(boxes.colours[box]!, colour);
    const fill = isMerged(scene, box)
      ? palette.merged
      : (palette.fills[own + (isFaded ? FADED : 0)] ?? palette.merged);
    const isLit = lit.has(boxes.key[box]!) && !isMerged(scene, box) && boxes.row[box]! > 0;
    const shape: Shape = {
      kind: 'path',
      d: outline(rings.middle, arc),
      fill,
      stroke: isLit ? palette.accent : (palette.border ?? palette.background),
      width: isLit ? 2 : 0.75,
      of: boxes.node[box]!,
    };
    (isLit ? front : shapes).push(shape);
    if (!isMerged(scene, box)) {
      const name = labelOn(scene, rings, box, arc, palette.inks[isFaded ? 2 : 0]);
      if (name !== undefined) texts.push(name);
    }
  }
  return [...shapes, ...front, ...texts];
}

/** The name of an arc along it, where it has room. */
function labelOn(
  scene: Scene,
  rings: Rings,
  box: number,
  { from, to, inner, outer }: Arc,
  fill: string,
): Shape | undefined {
  const isRoot = scene.boxes.row[box] === 0;
  if (outer - inner < TEXT + 3) return undefined;
  const radius = (inner + outer) / 2;
  // Straight text in a bent arc: neither its corners nor its ends reach out of it.
  const half = Math.min(Math.PI / 2, (to - from) * Math.PI);
  const corner = Math.sqrt(Math.max(0, outer ** 2 - (radius + TEXT / 3) ** 2));
  const room = isRoot ? outer * 1.7 : 2 * Math.min(corner, inner * Math.sin(half)) - 4;
  const columns = Math.floor(room / LETTER);
  if (columns < LEAST_LETTERS) return undefined;
  const share = (from + to) / 2;
  const at = isRoot ? rings.middle : around(rings.middle, share, radius);
  const isBelow = share > 0.25 && share < 0.75;
  return {
    kind: 'text',
    at: [at[0], at[1] + (isRoot ? TEXT / 3 : 0)],
    text: shortenLabel(nameOf(scene, box), labelOf(scene, box), columns),
    fill,
    size: TEXT,
    anchor: 'middle',
    middle: !isRoot,
    mono: true,
    ...(!isRoot && { turn: share * 360 + (isBelow ? 180 : 0) }),
  };
}

/** Every arc, a row each; values in the metric's own integers. */
export function arcsCsv(scene: Scene): string {
  const { boxes } = scene;
  const lines = [csvLine(['ring', 'function', 'others', 'from', 'share', 'self', 'total'])];
  for (let box = 0; box < scene.count; box++) {
    const merged = boxes.merged[box]!;
    lines.push(
      csvLine([
        boxes.row[box]!,
        merged > 0 ? '' : labelOf(scene, box),
        merged > 0 ? merged : undefined,
        boxes.x[box]!,
        boxes.width[box]!,
        merged > 0 ? undefined : boxes.self_value[box]!,
        boxes.total_value[box]!,
      ]),
    );
  }
  return lines.join('');
}
