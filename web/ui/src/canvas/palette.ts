import { CLASSES, THEMES } from './generated/colours.ts';

/** The colours of a flame graph under one theme. */
export interface Palette {
  /** By colour class and finish, see `paint-plan.ts`. */
  readonly fills: readonly string[];
  /** Of names on boxes as they are, without source, faded. */
  readonly inks: readonly [string, string, string];
  readonly background: string;
  /** The outline of the selected box and of matches. */
  readonly outline: string;
  readonly accent: string;
  /** A line around each box, for high contrast; undefined for none. */
  readonly border: string | undefined;
  /** Boxes that stand for several frames, and the lines on them. */
  readonly merged: string;
  readonly hatch: string;
}

/** The finishes, as what is added to a class: as it is, without source, not among the matches. */
export const PALE = CLASSES;
export const FADED = CLASSES * 2;

/** The palette of a theme where `element` is; paper and accent may be an editor's. */
export function paletteOf(theme: keyof typeof THEMES, element: Element): Palette {
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(name).trim();
  return { ...THEMES[theme], background: token('--bg'), accent: token('--accent') };
}
