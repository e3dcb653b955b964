import { CHANGE_STEPS, HUES, SELF_STEPS, SHADES } from './colour.ts';

/** The colours of a flame graph under one theme, read from the style sheet's tokens. */
export interface Palette {
  /** By colour class, see `paint-plan.ts`. */
  readonly fills: readonly string[];
  readonly ink: string;
  readonly mutedInk: string;
  readonly fadedInk: string;
  readonly background: string;
  /** The outline of the selected box and of matches. */
  readonly outline: string;
  readonly accent: string;
  /** A line around each box, for high contrast; undefined for none. */
  readonly border: string | undefined;
  readonly hatch: string;
  readonly mergedFill: string;
}

/** Class of merged boxes. */
export const MERGED_CLASS = 0;
/** Class of the whole program, which belongs to no group. */
export const PROGRAM_CLASS = 1;
const HUE_CLASSES = HUES.length * SHADES;
/** Classes of one variant; the variants are normal, pale (no source), faded (not a match). */
export const CLASSES_PER_VARIANT = 2 + HUE_CLASSES + SELF_STEPS + 2 * CHANGE_STEPS + 1;
export const PALE = CLASSES_PER_VARIANT;
export const FADED = CLASSES_PER_VARIANT * 2;

export function hueClass(index: number): number {
  return 2 + index;
}

export function selfClass(step: number): number {
  return 2 + HUE_CLASSES + step;
}

export function changeClass(step: number): number {
  return 2 + HUE_CLASSES + SELF_STEPS + CHANGE_STEPS + step;
}

/** Blue and orange stay apart for every common kind of colour blindness. */
const LESS_HUE = 255;
const MORE_HUE = 55;

/** Reads the palette of the theme that `element` is shown in. */
export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const text = (name: string) => style.getPropertyValue(name).trim();
  const number = (name: string) => Number.parseFloat(text(name));
  const lightness = number('--frame-lightness');
  const chroma = number('--frame-chroma');
  const step = number('--frame-step');
  const variant = (toBackground: number, chromaShare: number): readonly string[] => {
    const mix = (l: number) => l + (number('--frame-paper-lightness') - l) * toBackground;
    const merged = text('--frame-merged');
    const hues = HUES.flatMap(({ hue, lift }) =>
      Array.from({ length: SHADES }, (_, shade) =>
        oklch(mix(lightness + lift + (shade - 1) * step), chroma * chromaShare, hue),
      ),
    );
    const coolest = number('--self-cool-lightness');
    const hottest = number('--self-hot-lightness');
    const scale = Array.from({ length: SELF_STEPS }, (_, index) => {
      const share = index / (SELF_STEPS - 1);
      const l = coolest + (hottest - coolest) * share;
      return oklch(
        mix(l),
        (0.015 + number('--self-hot-chroma') * share) * chromaShare,
        70 - 25 * share,
      );
    });
    const changes = Array.from({ length: 2 * CHANGE_STEPS + 1 }, (_, index) => {
      const step = (index - CHANGE_STEPS) / CHANGE_STEPS;
      const l = number('--change-none-lightness');
      const far = number('--change-far-lightness');
      return oklch(
        mix(l + (far - l) * Math.abs(step)),
        Math.abs(step) * number('--self-hot-chroma') * chromaShare,
        step < 0 ? LESS_HUE : MORE_HUE,
      );
    });
    return [merged, text('--frame-program'), ...hues, ...scale, ...changes];
  };
  return {
    fills: [...variant(0, 1), ...variant(0.45, 0.6), ...variant(0.72, 0.25)],
    ink: text('--frame-ink'),
    mutedInk: text('--frame-muted-ink'),
    fadedInk: text('--frame-faded-ink'),
    background: text('--bg'),
    outline: text('--frame-outline'),
    accent: text('--accent'),
    border: text('--frame-border') === 'none' ? undefined : text('--frame-border'),
    hatch: text('--frame-hatch'),
    mergedFill: text('--frame-merged'),
  };
}

function oklch(lightness: number, chroma: number, hue: number): string {
  return `oklch(${lightness.toFixed(3)} ${chroma.toFixed(3)} ${hue})`;
}
