import {
  type FlameColumns,
  FlameFlag,
  type FlameResult,
  type LabelBy,
  type ViewSpec,
} from '@hotframe/engine';
import { formatThings } from '../text/units.ts';
import type { Range } from './viewport.ts';

/** The part of a flame graph that was asked for. */
export interface SceneWindow extends Range {
  /** Width of the part in CSS pixels. */
  readonly width: number;
  readonly firstRow: number;
  readonly rows: number;
}

/** Which tree, where zoomed, what highlighted: what decides the boxes besides the window. */
export interface SceneSubject {
  readonly spec: ViewSpec;
  readonly path: readonly number[];
  readonly search: string;
  /** What frames are called. */
  readonly labels: LabelBy;
}

/** The boxes of one answer, with what is needed to find them again. */
export interface Scene {
  readonly subject: SceneSubject;
  readonly window: SceneWindow;
  readonly root: number;
  readonly result: FlameResult;
  readonly boxes: FlameColumns;
  readonly count: number;
  /**
   * `rowStarts[r]` is the first box of row `window.firstRow + r`; one entry more than there are
   * rows, so that a row is always a slice.
   */
  readonly rowStarts: Uint32Array;
  readonly indexOfNode: ReadonlyMap<number, number>;
  /** By name, what it is shown as where functions share it. */
  readonly labels: ReadonlyMap<number, string>;
  /** By box that stands for frames which are left out, what is said of them. */
  readonly rests?: ReadonlyMap<number, string>;
}

export function createScene(
  subject: SceneSubject,
  window: SceneWindow,
  root: number,
  result: FlameResult,
  boxes: FlameColumns,
): Scene {
  const count = boxes.node.length;
  const lastRow = count === 0 ? window.firstRow : boxes.row[count - 1]!;
  const rowStarts = new Uint32Array(Math.max(0, lastRow - window.firstRow) + 2).fill(count);
  const indexOfNode = new Map<number, number>();
  for (let index = count - 1; index >= 0; index--) {
    rowStarts[boxes.row[index]! - window.firstRow] = index;
    indexOfNode.set(boxes.node[index]!, index);
  }
  for (let row = rowStarts.length - 2; row >= 0; row--) {
    rowStarts[row] = Math.min(rowStarts[row]!, rowStarts[row + 1]!);
  }
  const labels = new Map(result.labels.map(({ name, label }) => [name, label]));
  return { subject, window, root, result, boxes, count, rowStarts, indexOfNode, labels };
}

/** Whether a tree is one of the sandwich's two, whose root is a function, not the program. */
export function isPane(spec: ViewSpec): boolean {
  return spec.shape.kind === 'callers' || spec.shape.kind === 'callees';
}

/** The boxes of a row, as a slice of the columns. */
export function rowSlice(scene: Scene, row: number): readonly [number, number] {
  const entry = row - scene.window.firstRow;
  if (entry < 0 || entry + 1 >= scene.rowStarts.length) return [0, 0];
  return [scene.rowStarts[entry]!, scene.rowStarts[entry + 1]!];
}

/** The box at a place; `slack` finds boxes that are drawn wider than they are. */
export function boxAt(scene: Scene, x: number, row: number, slack: number): number | undefined {
  const [start, end] = rowSlice(scene, row);
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (scene.boxes.x[middle]! <= x) low = middle + 1;
    else high = middle;
  }
  const left = low - 1;
  if (left >= start && x <= scene.boxes.x[left]! + Math.max(scene.boxes.width[left]!, slack)) {
    return left;
  }
  return low < end && scene.boxes.x[low]! - x <= slack ? low : undefined;
}

/** The name that filters know it by. */
export function nameOf(scene: Scene, box: number): string {
  return scene.result.names[scene.boxes.name[box]!] ?? '';
}

/** What it is shown as: its name, with its place where another function has the same name. */
export function labelOf(scene: Scene, box: number): string {
  return scene.labels.get(scene.boxes.name[box]!) ?? nameOf(scene, box);
}

export function moduleOf(scene: Scene, box: number): string {
  return scene.result.modules[scene.boxes.module[box]!] ?? '';
}

export function fileOf(scene: Scene, box: number): string {
  return scene.result.files[scene.boxes.file[box]!] ?? '';
}

export function isMerged(scene: Scene, box: number): boolean {
  return scene.boxes.merged[box]! > 0;
}

/** Whether the runs of a comparison do not show if a box changed. */
export function isUnsure(scene: Scene, box: number): boolean {
  return (scene.boxes.flags[box]! & FlameFlag.UNSURE) !== 0;
}

/** Whether a box stands for frames that are left out. */
export function isRest(scene: Scene, box: number): boolean {
  return scene.rests?.has(box) ?? false;
}

/** What a box that stands for several frames is called. */
export function severalText(scene: Scene, box: number): string {
  const narrow = () => formatThings(scene.boxes.merged[box]!, 'narrow frame');
  return scene.rests?.get(box) ?? narrow();
}

export function parentOf(scene: Scene, box: number): number | undefined {
  const parent = scene.indexOfNode.get(scene.boxes.parent[box]!);
  return parent === box ? undefined : parent;
}

/** The boxes one row further in that belong to a box, from left to right. */
export function childrenOf(scene: Scene, box: number): readonly number[] {
  const node = scene.boxes.node[box]!;
  if (isMerged(scene, box)) return [];
  return boxesIn(scene, scene.boxes.row[box]! + 1).filter(
    (child) => child !== box && scene.boxes.parent[child] === node,
  );
}

/** The children of a box's parent, the box included. */
export function siblingsOf(scene: Scene, box: number): readonly number[] {
  const parent = scene.boxes.parent[box]!;
  return boxesIn(scene, scene.boxes.row[box]!).filter(
    (other) => scene.boxes.parent[other] === parent,
  );
}

/** The box `step` places to the right in the same row, over the borders between families. */
export function neighbourOf(scene: Scene, box: number, step: -1 | 1): number | undefined {
  const [start, end] = rowSlice(scene, scene.boxes.row[box]!);
  const next = box + step;
  return next >= start && next < end ? next : undefined;
}

/** The widest of some boxes. */
export function widest(scene: Scene, boxes: readonly number[]): number | undefined {
  return boxes.reduce<number | undefined>(
    (best, box) =>
      best === undefined || scene.boxes.width[box]! > scene.boxes.width[best]! ? box : best,
    undefined,
  );
}

/** The box that `keys` lead to from the root's box, if all of the way is in the scene. */
export function followKeys(scene: Scene, keys: readonly number[]): number | undefined {
  let box = scene.indexOfNode.get(scene.root);
  for (const key of keys) {
    if (box === undefined) return undefined;
    box = childrenOf(scene, box).find(
      (child) => scene.boxes.key[child] === key && !isMerged(scene, child),
    );
  }
  return box;
}

function boxesIn(scene: Scene, row: number): readonly number[] {
  const [start, end] = rowSlice(scene, row);
  return Array.from({ length: end - start }, (_, index) => start + index);
}
