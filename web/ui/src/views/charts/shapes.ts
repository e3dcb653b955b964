/** What charts are drawn from: the same on the screen and in a file. Places are CSS pixels. */

export type Place = readonly [x: number, y: number];

export type Shape =
  | {
      readonly kind: 'path';
      readonly d: string;
      readonly fill: string;
      readonly stroke: string;
      readonly width: number;
      /** What it stands for, by its number. */
      readonly of?: number;
    }
  | {
      readonly kind: 'line';
      readonly from: Place;
      readonly to: Place;
      readonly stroke: string;
      readonly width: number;
      readonly dashed?: boolean;
    }
  | {
      readonly kind: 'rect';
      readonly at: Place;
      readonly width: number;
      readonly height: number;
      readonly fill: string;
      readonly round?: number;
      readonly opacity?: number;
      readonly stroke?: string;
      /** Of its stroke, in CSS pixels. */
      readonly thick?: number;
      /** What it stands for, by its number. */
      readonly of?: number;
    }
  | {
      readonly kind: 'circle';
      readonly at: Place;
      readonly radius: number;
      readonly fill: string;
      readonly stroke: string;
      readonly width: number;
      readonly opacity: number;
      /** What it stands for, by its key. */
      readonly of?: number;
    }
  | {
      readonly kind: 'text';
      readonly at: Place;
      readonly text: string;
      readonly fill: string;
      readonly size: number;
      readonly anchor: 'start' | 'middle' | 'end';
      /** In degrees, clockwise around its place. */
      readonly turn?: number;
      /** Whether its place is its middle, not its foot. */
      readonly middle?: boolean;
      /** Names of code. */
      readonly mono?: boolean;
      /** A rim that keeps it legible over lines. */
      readonly rim?: string;
    };

type Attributes = Readonly<Record<string, string | number | undefined>>;

/** The element that draws a shape. */
export function elementOf(shape: Shape): { readonly tag: string; readonly attributes: Attributes } {
  const near = (value: number) => Math.round(value * 100) / 100;
  switch (shape.kind) {
    case 'path':
      return {
        tag: 'path',
        attributes: {
          d: shape.d,
          fill: shape.fill,
          stroke: shape.stroke,
          'stroke-width': shape.width,
          'data-node': shape.of,
        },
      };
    case 'line':
      return {
        tag: 'line',
        attributes: {
          x1: near(shape.from[0]),
          y1: near(shape.from[1]),
          x2: near(shape.to[0]),
          y2: near(shape.to[1]),
          stroke: shape.stroke,
          'stroke-width': shape.width,
          'stroke-dasharray': shape.dashed === true ? '3 4' : undefined,
        },
      };
    case 'rect':
      return {
        tag: 'rect',
        attributes: {
          x: near(shape.at[0]),
          y: near(shape.at[1]),
          width: near(shape.width),
          height: near(shape.height),
          rx: shape.round,
          fill: shape.fill,
          'fill-opacity': shape.opacity,
          stroke: shape.stroke,
          'stroke-width': shape.stroke === undefined ? undefined : (shape.thick ?? 0.75),
          'data-node': shape.of,
        },
      };
    case 'circle':
      return {
        tag: 'circle',
        attributes: {
          cx: near(shape.at[0]),
          cy: near(shape.at[1]),
          r: near(shape.radius),
          fill: shape.fill,
          'fill-opacity': shape.opacity,
          stroke: shape.stroke,
          'stroke-width': shape.width,
          'data-key': shape.of,
        },
      };
    case 'text': {
      const [x, y] = [near(shape.at[0]), near(shape.at[1])];
      return {
        tag: 'text',
        attributes: {
          x,
          y,
          fill: shape.fill,
          'font-size': shape.size,
          'text-anchor': shape.anchor,
          'dominant-baseline': shape.middle === true ? 'central' : undefined,
          'font-family':
            shape.mono === true ? 'ui-monospace, DejaVu Sans Mono, monospace' : undefined,
          transform: shape.turn === undefined ? undefined : `rotate(${near(shape.turn)} ${x} ${y})`,
          stroke: shape.rim,
          'stroke-width': shape.rim === undefined ? undefined : 3,
          'stroke-linejoin': shape.rim === undefined ? undefined : 'round',
          'paint-order': shape.rim === undefined ? undefined : 'stroke',
        },
      };
    }
  }
}

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (one) => `&#${one.codePointAt(0)};`).replace(/\p{Cc}/gu, ' ');

/** Shapes that stand together, with their own places from there on. */
export interface Placed {
  readonly at: Place;
  readonly shapes: readonly Shape[];
}

/** Shapes as a document of their own. */
export function svgOf(
  shapes: readonly Shape[],
  size: { readonly width: number; readonly height: number },
  paper: string,
  groups: readonly Placed[] = [],
): string {
  const { width, height } = size;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"`,
    ` viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif">`,
    `<rect width="100%" height="100%" fill="${escaped(paper)}"/>`,
    ...written(shapes),
    ...groups.flatMap(({ at, shapes: own }) => [
      `<g transform="translate(${at[0]} ${at[1]})">`,
      ...written(own),
      '</g>',
    ]),
    '</svg>',
  ].join('');
}

function written(shapes: readonly Shape[]): readonly string[] {
  return shapes.map((shape) => {
    const { tag, attributes } = elementOf(shape);
    const told = Object.entries(attributes)
      .filter(([name, value]) => value !== undefined && !name.startsWith('data-'))
      .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
      .join('');
    const text = shape.kind === 'text' ? escaped(shape.text) : '';
    return `<${tag}${told}>${text}</${tag}>`;
  });
}
