import type { ColourBy } from '@hotframe/engine';
import { colourGroup, colourIndex, selfStep } from './colour.ts';
import { FADED, hueClass, MERGED_CLASS, PALE, selfClass } from './palette.ts';
import {
  FLAG_MATCH,
  FLAG_NO_SOURCE,
  fileOf,
  isMerged,
  moduleOf,
  nameOf,
  type Scene,
} from './scene.ts';

/** What a whole tree is like, as far as it was seen: decides how its parts are coloured. */
export interface Traits {
  readonly oneModule: boolean;
  /** Whether any frame has a source position; dimming all of them would say nothing. */
  readonly anySource: boolean;
}

/** Which colour each box has, and an order that draws equal colours together. */
export interface PaintPlan {
  readonly classes: Uint16Array;
  readonly order: Uint32Array;
}

/** The traits of a tree given what was known and a further part of it. */
export function mergeTraits(known: Traits | undefined, scene: Scene): Traits {
  const modules = scene.result.modules.filter((module) => module !== '').length;
  const flags = scene.boxes.flags;
  const seenSource = flags.some(
    (flag, box) => (flag & FLAG_NO_SOURCE) === 0 && scene.boxes.file[box] !== 0,
  );
  return {
    oneModule: (known?.oneModule ?? true) && modules <= 1,
    anySource: (known?.anySource ?? false) || seenSource,
  };
}

export function planPaint(scene: Scene, by: ColourBy, traits: Traits): PaintPlan {
  const searching = scene.subject.search !== '';
  const classes = new Uint16Array(scene.count);
  // Frames repeat: one lookup a frame, not one a box.
  const known = new Map<number, number>();
  for (let box = 0; box < scene.count; box++) {
    const flags = scene.boxes.flags[box]!;
    let colour = MERGED_CLASS;
    if (!isMerged(scene, box)) {
      if (by === 'self_share') {
        colour = selfClass(selfStep(scene.boxes.self_value[box]!, scene.boxes.total_value[box]!));
      } else {
        const key = scene.boxes.key[box]!;
        colour = known.get(key) ?? hueClass(colourOf(scene, box, by, traits));
        known.set(key, colour);
      }
    }
    if (searching && (flags & FLAG_MATCH) === 0) colour += FADED;
    else if (traits.anySource && (flags & FLAG_NO_SOURCE) !== 0) colour += PALE;
    classes[box] = colour;
  }
  const order = Uint32Array.from({ length: scene.count }, (_, box) => box);
  order.sort((a, b) => classes[a]! - classes[b]! || a - b);
  return { classes, order };
}

/** The colour of a frame by name alone, for swatches beside the flame graph. */
export function swatchClass(
  by: ColourBy,
  frame: { readonly name: string; readonly module: string; readonly file: string },
  traits: Traits,
): number {
  const group = colourGroup(by === 'self_share' ? 'module' : by, frame, traits.oneModule);
  return hueClass(colourIndex(group, frame.name));
}

function colourOf(scene: Scene, box: number, by: ColourBy, traits: Traits): number {
  const name = nameOf(scene, box);
  const frame = { name, module: moduleOf(scene, box), file: fileOf(scene, box) };
  return colourIndex(colourGroup(by, frame, traits.oneModule), name);
}
