import type { ColourBy } from '@hotframe/engine';
import { planPaint } from '../../canvas/paint-plan.ts';
import { FADED, type Palette } from '../../canvas/palette.ts';
import type { Size } from '../../canvas/rect.ts';
import { boxAt, isMerged, labelOf, nameOf, type Scene } from '../../canvas/scene.ts';
import { shortenLabel } from '../../text/names.ts';
import type { Unit } from '../../text/units.ts';
import { AXIS, axisShapes, barShapes, ROW } from '../bars/picture.ts';
import type { Inks } from '../charts/inks.ts';
import type { Place, Shape } from '../charts/shapes.ts';
import { scatterShapes } from '../scatter/picture.ts';
import { markAt, placed, roomOf } from '../scatter/room.ts';
import { sunburstShapes } from '../sunburst/picture.ts';
import { arcOf, boxUnder as boxOfRings, MOST_RINGS, outline, ringsOf } from '../sunburst/rings.ts';
import { boxUnder as boxOfTreemap, rectOf } from '../treemap/boxes.ts';
import { treemapShapes } from '../treemap/picture.ts';
import { type CellChart, type CellDrawing, MOST_ROWS } from './cell-loading.ts';

/** Height of a row of a flame graph, and width of a letter on it, in CSS pixels. */
const FLAME_ROW = 15;
const LETTER = 6.1;
const TEXT = 10;
/** Letters of the shortest name that says anything. */
const LEAST_LETTERS = 3;
/** In the flat shape functions stand below program, module and file. */
const FLAT_FUNCTIONS = 3;

export interface CellLook {
  readonly palette: Palette;
  readonly inks: Inks;
  readonly colour: ColourBy;
  readonly unit: Unit;
}

/** A tree that is drawn of a cell. */
type Tree = Extract<CellDrawing, { readonly scene: Scene }>;

/** The room that a chart takes of its cell's, in CSS pixels. */
export function heightOf(drawing: CellDrawing): number {
  switch (drawing.kind) {
    case 'flame':
      return Math.min(MOST_ROWS, drawing.scene.result.total_rows) * FLAME_ROW;
    case 'bars':
      return AXIS + drawing.bars.rows.length * ROW;
    default:
      return drawing.size.height;
  }
}

/** Everything of a chart but what is lit. */
export function cellShapes(
  { drawing, runs }: Pick<CellChart, 'drawing' | 'runs'>,
  width: number,
  look: CellLook,
): readonly Shape[] {
  const { palette, inks, unit } = look;
  const flat = {
    inks,
    unit,
    fills: palette.fills,
    border: palette.border,
    // Marks and bars have an axis for self.
    colour: look.colour === 'self_share' ? ('module' as const) : look.colour,
    out: undefined,
  };
  switch (drawing.kind) {
    case 'flame':
      return flameShapes(drawing.scene, drawing.size.width, look);
    case 'sunburst':
      return sunburstShapes(drawing.scene, ringsIn(drawing), { ...look, lit: new Set() });
    case 'treemap':
      return treemapShapes(drawing.scene, {
        palette,
        unit,
        colouring: look.colour,
        shares: false,
        runs,
        lit: new Set(),
      });
    case 'bars':
      return [
        ...axisShapes(drawing.bars, width, flat),
        ...barShapes(drawing.bars, width, flat, AXIS),
      ];
    case 'scatter':
      return scatterShapes(drawing.scatter, roomOf(drawing.size, drawing.scatter), flat);
  }
}

/** What lights a function in a chart, over everything else. */
export function litShapes(
  drawing: CellDrawing,
  width: number,
  key: number,
  { palette }: Pick<CellLook, 'palette'>,
): readonly Shape[] {
  const edge = { kind: 'path', fill: 'none', stroke: palette.outline, width: 2 } as const;
  const around = (x: number, y: number, across: number, down: number): Shape => ({
    ...edge,
    d: `M${x + 1} ${y + 1}h${Math.max(1, across - 2)}v${down - 2}h${-Math.max(1, across - 2)}Z`,
  });
  switch (drawing.kind) {
    case 'bars':
      return drawing.bars.rows.flatMap(({ info }, row) =>
        info.key === key ? [around(0, AXIS + row * ROW, width, ROW)] : [],
      );
    case 'scatter': {
      const room = roomOf(drawing.size, drawing.scatter);
      const marks = drawing.scatter.marks.filter(({ info }) => info.key === key);
      return marks.map((mark): Shape => {
        const { at, radius } = placed(room, mark);
        const ring = { kind: 'circle', fill: 'none', width: 2, opacity: 1 } as const;
        return { ...ring, at, radius: radius + 2, stroke: palette.outline };
      });
    }
    default:
      return boxesOf(drawing, key).map((box): Shape => {
        const { scene, size } = drawing;
        if (drawing.kind === 'sunburst') {
          const rings = ringsIn(drawing);
          return { ...edge, d: outline(rings.middle, arcOf(scene, rings, box)) };
        }
        if (drawing.kind === 'treemap') {
          const rect = rectOf(scene, box);
          return around(rect.x, rect.y, rect.width, rect.height);
        }
        const { x, width: share, row } = scene.boxes;
        const from = x[box]! * size.width;
        return around(from, row[box]! * FLAME_ROW, share[box]! * size.width, FLAME_ROW - 1);
      });
  }
}

/** The key of the function at a place of a chart. */
export function keyAt(drawing: CellDrawing, [x, y]: Place): number | undefined {
  switch (drawing.kind) {
    case 'bars':
      return y < AXIS ? undefined : drawing.bars.rows[Math.floor((y - AXIS) / ROW)]?.info.key;
    case 'scatter': {
      const room = roomOf(drawing.size, drawing.scatter);
      return markAt(room, drawing.scatter.marks, [x, y])?.info.key;
    }
    default: {
      const box = boxUnder(drawing, [x, y]);
      return box !== undefined && isFunction(drawing.scene, box)
        ? drawing.scene.boxes.key[box]
        : undefined;
    }
  }
}

function boxUnder(drawing: Tree, [x, y]: Place): number | undefined {
  const { scene, size } = drawing;
  switch (drawing.kind) {
    case 'flame':
      return x < 0 || x >= size.width
        ? undefined
        : boxAt(scene, x / size.width, Math.floor(y / FLAME_ROW), 0);
    case 'sunburst':
      return boxOfRings(scene, ringsIn(drawing), [x, y]);
    case 'treemap':
      return boxOfTreemap(scene, [x, y]);
  }
}

/** The boxes of a function. */
export function boxesOf({ scene }: Tree, key: number): readonly number[] {
  const boxes: number[] = [];
  for (let box = 0; box < scene.count; box++) {
    if (scene.boxes.key[box] === key && isFunction(scene, box)) boxes.push(box);
  }
  return boxes;
}

/** Keys of the program, and in the flat shape those of modules and files, are not those of functions. */
function isFunction(scene: Scene, box: number): boolean {
  const row = scene.boxes.row[box]!;
  const isFlat = scene.subject.spec.shape.kind === 'flat';
  return row > 0 && !isMerged(scene, box) && (!isFlat || row === FLAT_FUNCTIONS);
}

function ringsIn({ scene, size }: { readonly scene: Scene; readonly size: Size }) {
  const rows = Math.min(MOST_RINGS + 1, scene.result.total_rows);
  // Their whole area is the value, as in all cells; within it rings are equally wide.
  return ringsOf(size, rows, false, 0);
}

function flameShapes(scene: Scene, width: number, { palette, colour }: CellLook): readonly Shape[] {
  const { classes } = planPaint(scene, colour);
  const { boxes } = scene;
  const shapes: Shape[] = [];
  const texts: Shape[] = [];
  for (let box = 0; box < scene.count; box++) {
    const [left, across] = [boxes.x[box]! * width, boxes.width[box]! * width];
    const top = boxes.row[box]! * FLAME_ROW;
    const kind = classes[box]!;
    shapes.push({
      kind: 'rect',
      at: [left, top],
      // Half a pixel between neighbours, where they have room.
      width: Math.max(0.5, across - 0.5),
      height: FLAME_ROW - 1,
      fill: isMerged(scene, box) ? palette.merged : (palette.fills[kind] ?? palette.merged),
      ...(palette.border !== undefined && { stroke: palette.border }),
      of: boxes.node[box]!,
    });
    const columns = Math.floor((across - 4) / LETTER);
    if (columns < LEAST_LETTERS || isMerged(scene, box)) continue;
    const isFaded = kind >= FADED;
    texts.push({
      kind: 'text',
      at: [left + 3, top + FLAME_ROW - 4.5],
      text: shortenLabel(nameOf(scene, box), labelOf(scene, box), columns),
      fill: palette.inks[isFaded ? 2 : 0],
      size: TEXT,
      anchor: 'start',
      mono: true,
    });
  }
  return [...shapes, ...texts];
}
