import type { Answer } from '@hotframe/engine';

/** Steps that positions are rounded to, so that boxes of one colour can be drawn at once. */
export const RAMP_STEPS = 48;

interface Rgb {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

/** Colours by step, made from colours at equal distances. */
export function rampSteps(colours: readonly string[]): readonly string[] {
  if (colours.length === 0) return [];
  const parsed = colours.map(parseHex);
  return Array.from({ length: RAMP_STEPS }, (_, step) => {
    const at = (step / (RAMP_STEPS - 1)) * (parsed.length - 1);
    const low = parsed[Math.floor(at)]!;
    const high = parsed[Math.ceil(at)]!;
    return toHex(mix(low, high, at - Math.floor(at)));
  });
}

/** How much of the ground is in the fill of a box, so that many of them stay calm. */
const SOFTNESS = 0.2;

/** Colours for the fills of boxes, which are larger than lines, on a ground. */
export function soften(ramp: readonly string[], ground: string): readonly string[] {
  if (!/^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(ground)) return ramp;
  const paper = parseHex(ground);
  return ramp.map((colour) => toHex(mix(parseHex(colour), paper, SOFTNESS)));
}

/** The step of a position from 0 to 1. */
export function stepOf(position: number): number {
  return Math.round(Math.min(1, Math.max(0, position)) * (RAMP_STEPS - 1));
}

/** The colour of what a box tells; undefined where it tells nothing. */
export function heatOf(
  overlay: Answer<'graph_overlay'> | undefined,
  ramp: readonly string[],
  box: number,
): string | undefined {
  const legend = overlay?.result.nodes;
  const position = overlay?.columns.node_position[box] ?? Number.NaN;
  if (legend === null || legend === undefined || Number.isNaN(position)) return undefined;
  return legend.categories.length > 0
    ? legend.categories[position]?.colour
    : ramp[stepOf(position)];
}

/** Black or white, whichever reads better on a colour. */
export function inkOn(colour: string): string {
  const { red, green, blue } = parseHex(colour);
  const linear = (value: number) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  const luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  // Where the contrast with black equals that with white.
  return luminance > 0.179 ? '#12151b' : '#ffffff';
}

function parseHex(colour: string): Rgb {
  // Style sheets write `#ffffff` as `#fff` where they can.
  const digits = colour.length === 4 ? colour.replace(/[0-9a-f]/gi, '$&$&') : colour;
  const value = Number.parseInt(digits.slice(1), 16);
  return { red: (value >> 16) & 255, green: (value >> 8) & 255, blue: value & 255 };
}

function mix(a: Rgb, b: Rgb, share: number): Rgb {
  return {
    red: a.red + (b.red - a.red) * share,
    green: a.green + (b.green - a.green) * share,
    blue: a.blue + (b.blue - a.blue) * share,
  };
}

function toHex({ red, green, blue }: Rgb): string {
  const pair = (value: number) => Math.round(value).toString(16).padStart(2, '0');
  return `#${pair(red)}${pair(green)}${pair(blue)}`;
}
