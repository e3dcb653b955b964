import { CHANGE_TAGS, type ChangeTag, type ColourBy } from '@hotframe/engine';
import { packageOf } from '../text/names.ts';

/**
 * Hues, in degrees of OKLCH, that stay apart for the common kinds of colour blindness: neighbours
 * in the list differ in blue against yellow, and each has its own lightness offset.
 */
export const HUES: readonly { readonly hue: number; readonly lift: number }[] = [
  { hue: 255, lift: 0 },
  { hue: 65, lift: 0.01 },
  { hue: 135, lift: 0.02 },
  { hue: 300, lift: -0.02 },
  { hue: 205, lift: 0.02 },
  { hue: 350, lift: -0.01 },
  { hue: 95, lift: 0.035 },
  { hue: 175, lift: 0 },
  { hue: 30, lift: -0.015 },
  { hue: 275, lift: -0.035 },
];

/** Shades of one hue, so that neighbours of one group can be told apart. */
export const SHADES = 3;
/** Steps of the scale for the share of self in total. */
export const SELF_STEPS = 12;

/** Steps of the scale of changes, on either side of 'unchanged'. */
export const CHANGE_STEPS = 6;

/** What a box's colour is decided from. */
export interface Coloured {
  readonly name: string;
  readonly module: string;
  readonly file: string;
}

/**
 * The group that a frame is coloured by. For modules, a package in the name says more than the
 * binary it was linked into; where there is neither a package nor more than one module, the file
 * has to do, and then the name.
 */
export function colourGroup(by: ColourBy, frame: Coloured, oneModule: boolean): string {
  switch (by) {
    case 'module':
      return (
        packageOf(frame.name) ||
        (oneModule ? '' : frame.module) ||
        frame.file ||
        frame.module ||
        frame.name
      );
    case 'file':
      return frame.file || frame.module;
    case 'function':
    case 'self_share':
    case 'change':
      return frame.name;
  }
}

/** FNV-1a: stable over releases and machines, so that a screenshot's colours mean the same later. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  // FNV's low bits mix poorly for short texts, and the hue is a remainder.
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (value ^ (value >>> 12)) >>> 0;
}

/**
 * Which hue each group of a document has. A group's hash decides; where another group has that hue
 * already, the next free one is taken, so that up to ten groups are all different. Groups are
 * therefore best added largest first.
 */
export interface Hues {
  hueOf(group: string): number;
}

export function createHues(): Hues {
  const known = new Map<string, number>();
  const taken = new Set<number>();
  return {
    hueOf(group) {
      const before = known.get(group);
      if (before !== undefined) return before;
      let hue = hash(group) % HUES.length;
      if (taken.size < HUES.length) while (taken.has(hue)) hue = (hue + 1) % HUES.length;
      taken.add(hue);
      known.set(group, hue);
      return hue;
    },
  };
}

/** Which of the hue-and-shade colours a hue and a name get. */
export function colourIndex(hue: number, name: string): number {
  return hue * SHADES + (hash(name) % SHADES);
}

/** The kind of change that a number of the column `tag` says; none for boxes of several frames. */
export function changeOf(tag: number | undefined): ChangeTag | undefined {
  return tag === undefined ? undefined : CHANGE_TAGS[tag - 1];
}

/** What stands before the name of a frame that changed so. */
export const CHANGE_SIGNS: Readonly<Record<ChangeTag, string>> = {
  added: '[A]',
  deleted: '[D]',
  larger: '[+]',
  smaller: '[-]',
  unchanged: '[=]',
};

/**
 * Which step of the diverging scale a change gets: 0 for unchanged, above for more, below for
 * less, the further the larger the change is against the larger of both values.
 */
export function changeStep(tag: number, base: bigint, now: bigint): number {
  const kind = changeOf(tag);
  if (kind === undefined || kind === 'unchanged') return 0;
  const size = (value: bigint) => Math.abs(Number(value));
  const larger = Math.max(size(base), size(now), 1);
  const steps = Math.max(1, Math.round((size(now - base) / larger) * CHANGE_STEPS));
  const step = Math.min(CHANGE_STEPS, steps);
  return kind === 'added' || kind === 'larger' ? step : -step;
}

/** Which step of the sequential scale a share gets. */
export function selfStep(self: bigint, total: bigint): number {
  if (total === 0n) return 0;
  const share = Math.min(1, Math.max(0, Number(self) / Number(total)));
  return Math.min(SELF_STEPS - 1, Math.ceil(share * (SELF_STEPS - 1)));
}
