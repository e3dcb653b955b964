import { CHANGE_TAGS, type ChangeTag, type ColourBy } from '@hotframe/engine';
import { CHANGE_STEPS, GROUP_COLOURS, SELF_STEPS } from './generated/colours.ts';

/** Class of boxes that stand for several frames. */
export const MERGED_CLASS = 0;
/** Class of the whole program, which belongs to no group. */
export const PROGRAM_CLASS = 1;

/** Which of a theme's fills the engine's `colours` of a frame ask for. */
export function classOf(colours: number, by: ColourBy): number {
  switch (by) {
    case 'module':
      return 2 + (colours & 0xff);
    case 'file':
      return 2 + ((colours >>> 8) & 0xff);
    case 'function':
      return 2 + ((colours >>> 16) & 0xff);
    case 'self_share':
      return 2 + GROUP_COLOURS + ((colours >>> 24) & 0xf);
    case 'change':
      return changeClass((colours >>> 28 || CHANGE_STEPS + 1) - 1 - CHANGE_STEPS);
  }
}

/** The class of a step of the scale of changes: below 0 for less, above for more. */
export function changeClass(step: number): number {
  return 2 + GROUP_COLOURS + SELF_STEPS + CHANGE_STEPS + step;
}

/** The class of a frame's group, for swatches beside its name; modules where values decide. */
export function swatchClass(colours: number, by: ColourBy): number {
  return classOf(colours, by === 'self_share' || by === 'change' ? 'module' : by);
}

/** The kind of change that a number of the column `tag` says; none for boxes of several frames. */
export function changeOf(tag: number | undefined): ChangeTag | undefined {
  return tag === undefined ? undefined : CHANGE_TAGS[tag - 1];
}

/** What stands before the name of a frame; with a question mark where runs do not show the change. */
export function signOf(tag: number | undefined, isUnsure: boolean): string {
  const change = changeOf(tag);
  if (change === undefined) return '';
  return isUnsure ? CHANGE_SIGNS[change].replace(']', '?]') : CHANGE_SIGNS[change];
}

/** What stands before the name of a frame that changed so. */
export const CHANGE_SIGNS: Readonly<Record<ChangeTag, string>> = {
  added: '[A]',
  deleted: '[D]',
  larger: '[+]',
  smaller: '[-]',
  unchanged: '[=]',
};
