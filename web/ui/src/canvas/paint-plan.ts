import { FlameFlag, type ColourBy } from '@hotframe/engine';
import { classOf, MERGED_CLASS, PROGRAM_CLASS } from './colour.ts';
import { CLASSES } from './generated/colours.ts';
import { FADED, PALE } from './palette.ts';
import { isMerged, isPane, type Scene } from './scene.ts';

/** Which colour each box has, and an order that draws equal colours together. */
export interface PaintPlan {
  readonly classes: Uint16Array;
  readonly order: Uint32Array;
  /** Whether colours tell changes. */
  readonly byChange: boolean;
}

/** The engine decides what groups there are, steps and all; see its `colours`. */
export function planPaint(scene: Scene, by: ColourBy): PaintPlan {
  const { colours, flags, node } = scene.boxes;
  const searching = scene.subject.search !== '';
  const classes = new Uint16Array(scene.count);
  for (let box = 0; box < scene.count; box++) {
    let colour = MERGED_CLASS;
    const isProgram = node[box] === 0 && !isPane(scene.subject.spec);
    if (isProgram && by !== 'change') colour = PROGRAM_CLASS;
    else if (!isMerged(scene, box)) colour = classOf(colours[box]!, by);
    if (searching && (flags[box]! & FlameFlag.MATCHES) === 0) colour += FADED;
    else if ((flags[box]! & FlameFlag.PALE) !== 0) colour += PALE;
    classes[box] = colour;
  }
  return { classes, order: sortByClass(classes), byChange: by === 'change' };
}

/** Boxes by class, equal classes in the order of boxes: a counting sort, as there are few classes. */
function sortByClass(classes: Uint16Array): Uint32Array {
  const starts = new Uint32Array(CLASSES * 3 + 1);
  for (const colour of classes) starts[colour + 1]! += 1;
  for (let colour = 1; colour < starts.length; colour++) starts[colour]! += starts[colour - 1]!;
  const order = new Uint32Array(classes.length);
  for (let box = 0; box < classes.length; box++) order[starts[classes[box]!]!++] = box;
  return order;
}
