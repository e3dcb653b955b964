import { BoxFlag, GRAPH_KINDS, type GraphDrawingColumns, type GraphKind } from '@hotframe/engine';
import { createDrawing, type Drawing } from './graph-drawing.ts';

/** A box of a drawing that is written down by hand. */
export interface BoxSketch {
  readonly element: number;
  readonly kind: GraphKind;
  readonly label: string;
  /** Left, top, width, height. */
  readonly at: readonly [number, number, number, number];
  /** What is in it; a box with a list is open. */
  readonly boxes?: readonly BoxSketch[];
}

/** From, to, by labels, with points; the element is 1,000 and its place. */
export type EdgeSketch = readonly [string, string, readonly (readonly [number, number])[]];

export function drawingOf(root: BoxSketch, edges: readonly EdgeSketch[]): Drawing {
  const boxes: { box: BoxSketch; parent: number }[] = [];
  const add = (box: BoxSketch, parent: number) => {
    const place = boxes.length;
    boxes.push({ box, parent });
    for (const inner of box.boxes ?? []) add(inner, place);
  };
  add(root, 0);
  const texts = ['', ...new Set(boxes.map(({ box }) => box.label))];
  const place = (label: string) => boxes.findIndex(({ box }) => box.label === label);
  const points = edges.flatMap(([, , route]) => route);
  const first = edges.map((_, edge) =>
    edges.slice(0, edge).reduce((sum, [, , route]) => sum + route.length, 0),
  );
  const columns: GraphDrawingColumns = {
    element: Uint32Array.from(boxes, ({ box }) => box.element),
    parent: Uint32Array.from(boxes, ({ parent }) => parent),
    x: Float64Array.from(boxes, ({ box }) => box.at[0]),
    y: Float64Array.from(boxes, ({ box }) => box.at[1]),
    width: Float64Array.from(boxes, ({ box }) => box.at[2]),
    height: Float64Array.from(boxes, ({ box }) => box.at[3]),
    kind: Uint32Array.from(boxes, ({ box }) => GRAPH_KINDS.indexOf(box.kind)),
    label: Uint32Array.from(boxes, ({ box }) => texts.indexOf(box.label)),
    note: new Uint32Array(boxes.length),
    flags: Uint32Array.from(boxes, ({ box }) =>
      box.boxes !== undefined
        ? BoxFlag.FOLDABLE | BoxFlag.UNFOLDED
        : box.kind === 'map'
          ? BoxFlag.FOLDABLE
          : 0,
    ),
    edge_element: Uint32Array.from(edges, (_, edge) => 1000 + edge),
    edge_from: Uint32Array.from(edges, ([from]) => place(from)),
    edge_to: Uint32Array.from(edges, ([, to]) => place(to)),
    edge_label: new Uint32Array(edges.length),
    edge_flags: new Uint32Array(edges.length),
    edge_first_point: Uint32Array.from(first),
    point_x: Float64Array.from(points, ([x]) => x),
    point_y: Float64Array.from(points, ([, y]) => y),
  };
  const view = { document: 0, depth: null, opened: [], closed: [], hidden: [], aspect: null };
  const [, , width, height] = root.at;
  return createDrawing(view, { width, height, depth: 2, texts, hidden: 0, lost_edges: 0 }, columns);
}

/** A graph with one state: `a` and `b` lead to the map `m`, which leads to `c`. */
export function sampleDrawing(open: boolean): Drawing {
  const grown = open ? 100 : 0;
  const inner: readonly BoxSketch[] = [
    { element: 6, kind: 'tasklet', label: 't', at: [60, 140, 60, 40] },
    { element: 7, kind: 'map_exit', label: 'x', at: [40, 228, 100, 12] },
  ];
  const root: BoxSketch = {
    element: 0,
    kind: 'graph',
    label: 'g',
    at: [0, 0, 240, 300 + grown],
    boxes: [
      {
        element: 1,
        kind: 'state',
        label: 's',
        at: [10, 10, 220, 280 + grown],
        boxes: [
          { element: 2, kind: 'access', label: 'a', at: [20, 40, 60, 40] },
          { element: 3, kind: 'access', label: 'b', at: [120, 40, 60, 40] },
          {
            element: 4,
            kind: 'map',
            label: 'm',
            at: [40, 120, 100, 40 + grown * 0.8],
            ...(open ? { boxes: inner } : {}),
          },
          { element: 5, kind: 'access', label: 'c', at: [60, 200 + grown, 60, 40] },
        ],
      },
    ],
  };
  return drawingOf(root, [
    [
      'a',
      'm',
      [
        [50, 80],
        [70, 120],
      ],
    ],
    [
      'b',
      'm',
      [
        [150, 80],
        [110, 120],
      ],
    ],
    [
      'm',
      'c',
      [
        [90, 160 + grown * 0.8],
        [90, 200 + grown],
      ],
    ],
  ]);
}
