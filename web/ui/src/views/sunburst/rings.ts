import type { Size } from '../../canvas/rect.ts';
import { boxAt, isMerged, type Scene } from '../../canvas/scene.ts';
import type { Place } from '../charts/shapes.ts';

/** Most rings around the root; what is further in is seen from closer by. */
export const MOST_RINGS = 16;
/** Radius of the root as a share of all. */
const ROOT = 0.16;
const MARGIN = 10;

/** Where rings lie on the screen, in CSS pixels. */
export interface Rings {
  readonly middle: Place;
  /** By row, where it ends; the root's is the first. */
  readonly ends: readonly number[];
}

export function ringsOf(
  { width, height }: Size,
  rows: number,
  isArea: boolean,
  margin = MARGIN,
): Rings {
  const outer = Math.max(2 * margin, Math.min(width, height) / 2 - margin);
  const root = rows <= 1 ? outer : outer * ROOT;
  const count = Math.max(1, rows - 1);
  const end = (row: number) => {
    const share = row / count;
    return isArea
      ? Math.sqrt(root ** 2 + share * (outer ** 2 - root ** 2))
      : root + share * (outer - root);
  };
  return {
    middle: [width / 2, height / 2],
    ends: Array.from({ length: Math.max(1, rows) }, (_, row) => (row === 0 ? root : end(row))),
  };
}

/** An arc: from and to as shares of the circle, clockwise from above; inner and outer radius. */
export interface Arc {
  readonly from: number;
  readonly to: number;
  readonly inner: number;
  readonly outer: number;
}

export function arcOf(scene: Scene, rings: Rings, box: number): Arc {
  const row = scene.boxes.row[box]!;
  const from = scene.boxes.x[box]!;
  return {
    from,
    to: Math.min(1, from + scene.boxes.width[box]!),
    inner: row === 0 ? 0 : rings.ends[row - 1]!,
    outer: rings.ends[row]!,
  };
}

/** The place at a share of the circle, so far from its middle. */
export function around([x, y]: Place, share: number, radius: number): Place {
  const angle = share * 2 * Math.PI;
  return [x + Math.sin(angle) * radius, y - Math.cos(angle) * radius];
}

/** The outline of an arc as an SVG path; a whole ring is two circles. */
export function outline(middle: Place, { from, to, inner, outer }: Arc): string {
  const at = (share: number, radius: number) =>
    around(middle, share, radius)
      .map((one) => one.toFixed(2))
      .join(' ');
  if (to - from >= 1 - 1e-9) {
    const circle = (radius: number, sweep: 0 | 1) =>
      `M${at(0, radius)}A${radius.toFixed(2)} ${radius.toFixed(2)} 0 0 ${sweep} ${at(0.5, radius)}` +
      `A${radius.toFixed(2)} ${radius.toFixed(2)} 0 0 ${sweep} ${at(0, radius)}Z`;
    return inner === 0 ? circle(outer, 1) : circle(outer, 1) + circle(inner, 0);
  }
  const large = to - from > 0.5 ? 1 : 0;
  const bend = (radius: number) => `A${radius.toFixed(2)} ${radius.toFixed(2)} 0 ${large}`;
  const back =
    inner === 0 ? `L${at(0, 0)}` : `L${at(to, inner)}${bend(inner)} 0 ${at(from, inner)}`;
  return `M${at(from, outer)}${bend(outer)} 1 ${at(to, outer)}${back}Z`;
}

/** The box under a place. */
export function boxUnder(scene: Scene, rings: Rings, [x, y]: Place): number | undefined {
  const [right, down] = [x - rings.middle[0], y - rings.middle[1]];
  const radius = Math.hypot(right, down);
  const row = rings.ends.findIndex((end) => radius <= end);
  if (row < 0) return undefined;
  const share = (Math.atan2(right, -down) / (2 * Math.PI) + 1) % 1;
  return boxAt(scene, share, row, 0);
}

/** What of a ring is drawn together, as its others. */
export interface Others {
  /** The root's is 0. */
  readonly ring: number;
  readonly count: number;
  /** Of the circle. */
  readonly share: number;
}

export function othersOf(scene: Scene, rows: number): readonly Others[] {
  const all = Array.from({ length: rows }, (_, ring) => ({ ring, count: 0, share: 0 }));
  for (let box = 0; box < scene.count; box++) {
    const ring = all[scene.boxes.row[box]!];
    if (ring === undefined || !isMerged(scene, box)) continue;
    ring.count += scene.boxes.merged[box]!;
    ring.share += scene.boxes.width[box]!;
  }
  return all.filter(({ count }) => count > 0);
}
