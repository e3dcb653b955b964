import type { Cells } from './cells.ts';
import { cellOfElement, cornerOf, type Places } from './places.ts';

/** Colours of marks and of what tells nothing. */
export interface AccessesPalette {
  readonly panel: string;
  readonly ink: string;
  readonly accent: string;
  /** Of elements that are never accessed. */
  readonly unused: string;
  /** Of elements that are accessed and tell nothing or 0. */
  readonly none: string;
  readonly read: string;
  readonly write: string;
}

export function readAccessesPalette(element: Element): AccessesPalette {
  const style = getComputedStyle(element);
  const text = (name: string) => style.getPropertyValue(name).trim();
  return {
    panel: text('--panel'),
    ink: text('--ink'),
    accent: text('--accent'),
    unused: text('--access-unused'),
    none: text('--access-none'),
    read: text('--access-read'),
    write: text('--access-write'),
  };
}

/** Elements that are marked, over what they tell. */
export interface Marks {
  readonly reads: readonly number[];
  readonly writes: readonly number[];
  readonly chosen: readonly number[];
  readonly inputs: readonly number[];
  readonly hovered: number | undefined;
  readonly cursor: number | undefined;
}

/** Sizes a canvas for its screen and gives what draws on it, in CSS pixels. */
function sized(canvas: HTMLCanvasElement, places: Places): CanvasRenderingContext2D | undefined {
  // Large pictures at the screen's full sharpness would be larger than canvases may be.
  const scale = Math.max(places.width, places.height) > 2000 ? 1 : devicePixelRatio;
  const [width, height] = [places.width * scale, places.height * scale].map(Math.ceil);
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width!;
    canvas.height = height!;
    canvas.style.width = `${places.width}px`;
    canvas.style.height = `${places.height}px`;
  }
  const context = canvas.getContext('2d');
  if (context === null) return undefined;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, places.width, places.height);
  return context;
}

/** Draws what cells tell. */
export function paintCells(
  canvas: HTMLCanvasElement,
  scene: {
    readonly places: Places;
    readonly cells: Cells | { readonly problem: string };
    readonly palette: AccessesPalette;
    colour(value: number): string | undefined;
  },
): void {
  const { places, cells, palette } = scene;
  if ('problem' in cells) return;
  const context = sized(canvas, places);
  if (context === undefined) return;
  const inset = places.side >= 7 ? 1 : 0;
  const side = places.side - inset;
  const { values, touched } = cells;
  for (let cell = 0; cell < values.length; cell += 1) {
    const { x, y } = cornerOf(places, cell);
    const value = values[cell]!;
    if (touched[cell] === 0) {
      // Hollow: never accessed is another thing than accessed with nothing to tell.
      context.strokeStyle = palette.unused;
      context.lineWidth = 1;
      if (places.side >= 7) context.strokeRect(x + 0.5, y + 0.5, side - 1, side - 1);
      else {
        context.fillStyle = palette.unused;
        context.fillRect(x, y, side, side);
      }
      continue;
    }
    context.fillStyle = scene.colour(value) ?? palette.none;
    context.fillRect(x, y, side, side);
  }
}

/** Draws marks over cells. */
export function paintMarks(
  canvas: HTMLCanvasElement,
  scene: {
    readonly places: Places;
    readonly shape: readonly number[];
    readonly marks: Marks;
    readonly palette: AccessesPalette;
  },
): void {
  const { places, shape, marks, palette } = scene;
  const context = sized(canvas, places);
  if (context === undefined) return;
  const side = places.side - (places.side >= 7 ? 1 : 0);
  const corner = (element: number) => cornerOf(places, cellOfElement(places, shape, element));
  const ring = (element: number, colour: string, width: number, out: number) => {
    const { x, y } = corner(element);
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.strokeRect(x - out, y - out, side + 2 * out, side + 2 * out);
  };
  for (const element of marks.inputs) {
    context.setLineDash([2, 2]);
    ring(element, palette.ink, 1.5, 0);
    context.setLineDash([]);
  }
  for (const element of marks.chosen) {
    ring(element, palette.panel, 4, 0);
    ring(element, palette.accent, 2, 0);
  }
  for (const element of marks.reads) {
    ring(element, palette.panel, 3.5, -1);
    ring(element, palette.read, 2, -1);
  }
  for (const element of marks.writes) {
    const { x, y } = corner(element);
    ring(element, palette.panel, 3.5, -1);
    ring(element, palette.write, 2, -1);
    // A write is told apart by a cross, not by its colour alone.
    context.beginPath();
    context.moveTo(x + 2, y + 2);
    context.lineTo(x + side - 2, y + side - 2);
    context.moveTo(x + side - 2, y + 2);
    context.lineTo(x + 2, y + side - 2);
    // With a rim, as the rings have, so that it is seen on dark cells and on light ones.
    for (const [colour, width] of [
      [palette.panel, 3.5],
      [palette.write, 1.5],
    ] as const) {
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.stroke();
    }
  }
  for (const element of [marks.hovered, marks.cursor]) {
    if (element !== undefined) ring(element, palette.ink, 1.5, 0.5);
  }
}
