import { FlameFlag, type ColourBy } from '@hotframe/engine';
import { changeStep, colourGroup, colourIndex, type Hues, selfStep } from './colour.ts';
import {
  CLASSES_PER_VARIANT,
  changeClass,
  FADED,
  hueClass,
  MERGED_CLASS,
  PALE,
  PROGRAM_CLASS,
  selfClass,
} from './palette.ts';
import { fileOf, isMerged, isPane, moduleOf, nameOf, type Scene } from './scene.ts';

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
    (flag, box) => (flag & FlameFlag.NO_SOURCE) === 0 && scene.boxes.file[box] !== 0,
  );
  return {
    oneModule: (known?.oneModule ?? true) && modules <= 1,
    anySource: (known?.anySource ?? false) || seenSource,
  };
}

export function planPaint(scene: Scene, by: ColourBy, traits: Traits, hues: Hues): PaintPlan {
  const groups = groupsOf(scene, by, traits);
  nameHues(scene, by, groups, hues);
  const searching = scene.subject.search !== '';
  const classes = new Uint16Array(scene.count);
  const known = new Map<number, number>();
  for (let box = 0; box < scene.count; box++) {
    const flags = scene.boxes.flags[box]!;
    let colour = MERGED_CLASS;
    if (scene.boxes.node[box] === 0 && !isPane(scene.subject.spec)) colour = PROGRAM_CLASS;
    else if (!isMerged(scene, box)) {
      if (by === 'change') {
        const { tag, base_value: base, new_value: now } = scene.boxes;
        colour = changeClass(changeStep(tag[box] ?? 0, base[box] ?? 0n, now[box] ?? 0n));
      } else if (by === 'self_share') {
        colour = selfClass(selfStep(scene.boxes.self_value[box]!, scene.boxes.total_value[box]!));
      } else {
        const look = lookOf(scene, box);
        colour =
          known.get(look) ??
          hueClass(colourIndex(hues.hueOf(groups.get(look)!), nameOf(scene, box)));
        known.set(look, colour);
      }
    }
    if (searching && (flags & FlameFlag.MATCHES) === 0) colour += FADED;
    else if (traits.anySource && (flags & FlameFlag.NO_SOURCE) !== 0) colour += PALE;
    classes[box] = colour;
  }
  return { classes, order: sortByClass(classes) };
}

/** Boxes by class, equal classes in the order of boxes: a counting sort, as there are few classes. */
function sortByClass(classes: Uint16Array): Uint32Array {
  const starts = new Uint32Array(CLASSES_PER_VARIANT * 3 + 1);
  for (const colour of classes) starts[colour + 1]! += 1;
  for (let colour = 1; colour < starts.length; colour++) starts[colour]! += starts[colour - 1]!;
  const order = new Uint32Array(classes.length);
  for (let box = 0; box < classes.length; box++) order[starts[classes[box]!]!++] = box;
  return order;
}

/** The colour of a frame by name alone, for swatches beside the flame graph. */
export function swatchClass(
  by: ColourBy,
  frame: { readonly name: string; readonly module: string; readonly file: string },
  traits: Traits,
  hues: Hues,
): number {
  const group = colourGroup(
    by === 'self_share' || by === 'change' ? 'module' : by,
    frame,
    traits.oneModule,
  );
  return hueClass(colourIndex(hues.hueOf(group), frame.name));
}

/**
 * A number that is equal for boxes that look alike. Keys would not do: in the flat shape modules,
 * files and functions are each counted from 0.
 */
function lookOf(scene: Scene, box: number): number {
  const { name, file, module } = scene.boxes;
  const { files, modules } = scene.result;
  return (name[box]! * files.length + file[box]!) * modules.length + module[box]!;
}

/** The group of each look. Frames repeat: one is decided a look, not one a box. */
function groupsOf(scene: Scene, by: ColourBy, traits: Traits): ReadonlyMap<number, string> {
  const groups = new Map<number, string>();
  if (by === 'self_share' || by === 'change') return groups;
  for (let box = 0; box < scene.count; box++) {
    const look = lookOf(scene, box);
    if (groups.has(look) || isMerged(scene, box)) continue;
    const frame = {
      name: nameOf(scene, box),
      module: moduleOf(scene, box),
      file: fileOf(scene, box),
    };
    groups.set(look, colourGroup(by, frame, traits.oneModule));
  }
  return groups;
}

/** Gives the groups of a scene their hues, the widest first. */
function nameHues(
  scene: Scene,
  by: ColourBy,
  groups: ReadonlyMap<number, string>,
  hues: Hues,
): void {
  if (by === 'self_share' || by === 'change' || by === 'function') return;
  const widths = new Map<string, number>();
  for (let box = 0; box < scene.count; box++) {
    const group = groups.get(lookOf(scene, box));
    if (group === undefined || isMerged(scene, box) || scene.boxes.row[box] === 0) continue;
    widths.set(group, (widths.get(group) ?? 0) + scene.boxes.width[box]!);
  }
  for (const [group] of [...widths].sort(([, a], [, b]) => b - a)) hues.hueOf(group);
}
