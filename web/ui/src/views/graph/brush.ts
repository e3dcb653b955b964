import type { Rect, Size } from '../../canvas/rect.ts';
import type { GraphScene } from '../../state/graph-scene.ts';
import type { Camera } from '../../state/graph-view.ts';
import { toScreen } from './camera.ts';
import { rectAt, type Visible } from './detail.ts';
import type { Target } from './hit.ts';
import type { LabelPlaces } from './label-places.ts';
import type { GraphPalette } from './palette.ts';
import { heatOf, inkOn } from './ramp.ts';

/** All that a picture of a graph is made from. */
export interface GraphPicture {
  readonly scene: GraphScene;
  /** Left, top, width and height by box: the drawing's own, or on the way from another one. */
  readonly rects: Float64Array;
  /** How far boxes are on their way; edges appear with it. */
  readonly settled: number;
  readonly camera: Camera;
  readonly size: Size;
  /** Pixels of the device a CSS pixel. */
  readonly scale: number;
  readonly palette: GraphPalette;
  readonly fonts: Fonts;
  readonly selected: Target | undefined;
  readonly hovered: Target | undefined;
  /** Elements that a search found. */
  readonly matches: ReadonlySet<number>;
  /** Elements that are added up. */
  readonly summed: ReadonlySet<number>;
}

/** The page's fonts, and how wide their letters are for each pixel of size. */
export interface Fonts {
  readonly mono: string;
  readonly sans: string;
  readonly monoWidth: number;
}

export function readFonts(context: CanvasRenderingContext2D, element: Element): Fonts {
  const style = getComputedStyle(element);
  const mono = style.getPropertyValue('--mono').trim();
  const sans = style.getPropertyValue('--sans').trim();
  context.font = `100px ${mono}`;
  return { mono, sans, monoWidth: context.measureText('0').width / 100 };
}

/** What the parts of a picture are painted with. */
export interface Brush {
  readonly context: CanvasRenderingContext2D;
  readonly picture: GraphPicture;
  readonly visible: Visible;
  /** Colours by step, of edges and of boxes. */
  readonly ramp: readonly string[];
  readonly fills: readonly string[];
  /** What reads on each fill. */
  readonly inks: Map<string, string>;
  readonly texts: LabelPlaces;
}

/** Runs `paint` with view units of the drawing as units of the canvas. */
export function inWorld({ context, picture }: Brush, paint: () => void): void {
  const { camera, size, scale } = picture;
  const zoom = camera.zoom * scale;
  const left = size.width / 2 - camera.x * camera.zoom;
  const top = size.height / 2 - camera.y * camera.zoom;
  context.setTransform(zoom, 0, 0, zoom, left * scale, top * scale);
  paint();
}

/** Where a box is on the screen, in CSS pixels. */
export function onScreen({ rects, camera, size }: GraphPicture, box: number): Rect {
  const rect = rectAt(rects, box);
  const corner = toScreen(camera, size, rect);
  return { ...corner, width: rect.width * camera.zoom, height: rect.height * camera.zoom };
}

/** What is written with on a box: on colours whichever of black and white reads. */
export function inkFor(brush: Brush, box: number): { readonly ink: string; readonly mute: string } {
  const { ink, mute } = brush.picture.palette;
  const fill = heatOf(brush.picture.scene.overlay, brush.fills, box);
  if (fill === undefined || !fill.startsWith('#')) return { ink, mute };
  let on = brush.inks.get(fill);
  if (on === undefined) brush.inks.set(fill, (on = inkOn(fill)));
  return { ink: on, mute: on };
}

/** Adds to the members of a group. */
export function group<K>(groups: Map<K, number[]>, key: K, member: number): void {
  const members = groups.get(key);
  if (members === undefined) groups.set(key, [member]);
  else members.push(member);
}
