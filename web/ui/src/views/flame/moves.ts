import {
  contentHeight,
  graphWidth,
  PADDING,
  ROW_HEIGHT,
  rowAt,
  shareAt,
} from '../../canvas/paint.ts';
import type { Point, Size } from '../../canvas/rect.ts';
import {
  boxAt,
  childrenOf,
  followKeys,
  neighbourOf,
  parentOf,
  type Scene,
  type SceneSubject,
  widest,
} from '../../canvas/scene.ts';
import {
  clampRange,
  clampTop,
  type Range,
  rangeAround,
  type Viewport,
  WHOLE,
} from '../../canvas/viewport.ts';
import { samePath, specKey, startsWith } from '../../state/nodes.ts';
import { NO_ZOOM, type Zoom } from '../../state/view-state.ts';
import { rootKeys, sameRoot } from './source.ts';

/** Narrower boxes are shown from closer by, in CSS pixels. */
const NARROWEST = 3;

/**
 * The nearest viewport that has something to show; `rows` are there though the scene, which has no
 * rows of narrow boxes, may not know them.
 */
export function clampViewport(
  view: Viewport,
  scene: Scene | undefined,
  size: Size,
  rows = 0,
): Viewport {
  const content = scene === undefined ? 0 : Math.max(contentHeight(scene), rows * ROW_HEIGHT);
  return { ...clampRange(view), top: clampTop(view.top, content, size.height) };
}

/** Whether all of the root's width is in sight. */
export function isWhole({ from, to }: Range): boolean {
  return to - from >= 1 - 1e-9;
}

/** The box under a place of the canvas. */
export function boxUnder(
  scene: Scene,
  view: Viewport,
  size: Size,
  inverted: boolean,
  { x, y }: Point,
): number | undefined {
  const slack = (view.to - view.from) / graphWidth(size);
  return boxAt(scene, shareAt(x, view, size), rowAt(y, view, size, inverted), slack);
}

/** The viewport in a scene that shows a range of one of its boxes as if that were the root. */
export function boxViewport(scene: Scene, box: number, range: Range & { top?: number }): Viewport {
  const x = scene.boxes.x[box]!;
  const width = scene.boxes.width[box]!;
  return {
    from: x + range.from * width,
    to: x + range.to * width,
    top: scene.boxes.row[box]! * ROW_HEIGHT + (range.top ?? 0),
  };
}

/** The viewport of a closer look at a box that is not a root, for it stands for several frames. */
export function closerViewport(scene: Scene, box: number, top: number): Viewport {
  return { ...rangeAround(scene.boxes.x[box]!, scene.boxes.width[box]!), top };
}

/** Where a box is, drawn or not, as shares of the root's width. */
export interface BoxPlace {
  readonly x: number;
  readonly width: number;
  readonly row: number;
}

export function placeOfBox({ boxes }: Scene, box: number): BoxPlace {
  return { x: boxes.x[box]!, width: boxes.width[box]!, row: boxes.row[box]! };
}

/**
 * Where to look to have a box in sight, as closely as before if that is possible; undefined where
 * it is in sight.
 */
export function viewportWith(
  { x, width, row }: BoxPlace,
  view: Viewport,
  size: Size,
): Viewport | undefined {
  const span = view.to - view.from;
  const hidden = x + width <= view.from || x >= view.to;
  const tooNarrow = (width / span) * graphWidth(size) < NARROWEST;
  const range = tooNarrow
    ? rangeAround(x, width * 8)
    : hidden
      ? clampRange({ from: x + width / 2 - span / 2, to: x + width / 2 + span / 2 })
      : view;
  const y = row * ROW_HEIGHT;
  const isOut = y < view.top || y + ROW_HEIGHT * 2 + PADDING > view.top + size.height;
  const top = isOut ? y - size.height / 2 : view.top;
  return range === view && top === view.top ? undefined : { ...range, top };
}

/** Keys from the program to a box; undefined where rows above are not in the scene. */
export function keysOf(scene: Scene, box: number): readonly number[] | undefined {
  const keys: number[] = [];
  let at: number | undefined = box;
  while (at !== undefined && scene.boxes.row[at]! > 0) {
    keys.push(scene.boxes.key[at]!);
    at = parentOf(scene, at);
  }
  return at === undefined ? undefined : [...rootKeys(scene), ...keys.reverse()];
}

/** The zoom to a path, undefined where that is the root already. */
export function zoomInto(zoom: Zoom, path: readonly number[]): Zoom | undefined {
  if (samePath(path, zoom.path)) return undefined;
  const stops = startsWith(path, zoom.path)
    ? [...zoom.stops, zoom.path.length]
    : zoom.stops.filter((stop) => stop < path.length && startsWith(path, zoom.path.slice(0, stop)));
  return { path, stops, range: WHOLE };
}

/** The zoom one stop further out, undefined where the whole program is shown. */
export function zoomOutOf({ path, stops }: Zoom): Zoom | undefined {
  if (path.length === 0) return undefined;
  const stop = stops.at(-1) ?? 0;
  return stop < path.length
    ? { path: path.slice(0, stop), stops: stops.slice(0, -1), range: WHOLE }
    : NO_ZOOM;
}

/** The box of an old scene that is the root of the next one. */
export function boxAhead(old: Scene, next: SceneSubject): number | undefined {
  const way = rootKeys(old);
  const leads = isOtherRoot(old, next) && startsWith(next.path, way);
  return leads ? followKeys(old, next.path.slice(way.length)) : undefined;
}

/** The box of a new scene that was the root of the old one. */
export function boxBehind(old: Scene, scene: Scene): number | undefined {
  const { subject } = scene;
  const leads = isOtherRoot(old, subject) && startsWith(rootKeys(old), subject.path);
  return leads ? scene.indexOfNode.get(old.root) : undefined;
}

function isOtherRoot(old: Scene, next: SceneSubject): boolean {
  return specKey(old.subject.spec) === specKey(next.spec) && !sameRoot(old.subject, next);
}

export type FlameWalk = 'parent' | 'child' | 'left' | 'right';

/** Where an arrow key goes, from nowhere to the root; undefined where there is nothing that way. */
export function boxBeside(
  scene: Scene,
  from: number | undefined,
  way: FlameWalk,
): number | undefined {
  if (scene.count === 0) return undefined;
  if (from === undefined) return 0;
  switch (way) {
    case 'parent':
      return parentOf(scene, from);
    case 'child':
      return widest(scene, childrenOf(scene, from));
    case 'left':
      return neighbourOf(scene, from, -1);
    case 'right':
      return neighbourOf(scene, from, 1);
  }
}
