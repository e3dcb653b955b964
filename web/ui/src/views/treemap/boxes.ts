import type { Rect } from '../../canvas/rect.ts';
import { childrenOf, isMerged, type Scene } from '../../canvas/scene.ts';
import type { Place } from '../charts/shapes.ts';

/** A box with room for its name above its parts has so much, in CSS pixels. */
const HEAD = 17;
/** An only part is set in by less than this. */
const THIN = 2.5;

/** Where a box stands in the picture, in CSS pixels. */
export function rectOf({ boxes }: Scene, box: number): Rect {
  return {
    x: boxes.x[box]!,
    y: boxes.y[box]!,
    width: boxes.width[box]!,
    height: boxes.height[box]!,
  };
}

/** The innermost box under a place. */
export function boxUnder(scene: Scene, [x, y]: Place): number | undefined {
  // What is further in stands behind.
  for (let box = scene.count - 1; box >= 0; box--) {
    const rect = rectOf(scene, box);
    const isIn = x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height;
    if (isIn) return box;
  }
  return undefined;
}

/** What of a treemap has a name, and where. */
export interface Caption {
  readonly box: number;
  /** The boxes around it that share its name's place, from the outermost in. */
  readonly above: readonly number[];
  /** Whether it has parts, so that its name has one line above them. */
  readonly isHead: boolean;
}

/**
 * Names that have a place: of boxes without parts, and of those with room above them. A box that
 * has one part and nothing else has its name beside that of the part.
 */
export function captionsOf(scene: Scene): readonly Caption[] {
  const captions: Caption[] = [];
  const above = new Map<number, readonly number[]>();
  for (let box = 0; box < scene.count; box++) {
    const parts = childrenOf(scene, box);
    const before = above.get(box) ?? [];
    const { y } = rectOf(scene, box);
    const [only] = parts;
    if (only !== undefined && parts.length === 1 && !isMerged(scene, only)) {
      const part = rectOf(scene, only);
      const isThin = part.y - y < THIN && part.x - rectOf(scene, box).x < THIN;
      const fills = part.height > rectOf(scene, box).height - 2 * THIN;
      if (isThin && fills) {
        above.set(only, [...before, box]);
        continue;
      }
    }
    const head = Math.min(...parts.map((part) => rectOf(scene, part).y)) - y;
    if (head >= HEAD) captions.push({ box, above: before, isHead: parts.length > 0 });
  }
  return captions;
}
