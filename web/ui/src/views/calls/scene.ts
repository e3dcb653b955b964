import type { Answer, FunctionInfo } from '@hotframe/engine';
import type { Rect, Size } from '../../canvas/rect.ts';
import type { Place } from '../charts/shapes.ts';

/** A function of a call graph, in view units. */
export interface CallNode extends Rect {
  readonly info: FunctionInfo;
  /** How much larger than the smallest it is drawn. */
  readonly scale: number;
  readonly self: bigint;
  readonly total: bigint;
}

/** A call between two functions, which may be the same. */
export interface CallEdge {
  readonly caller: CallNode;
  readonly callee: CallNode;
  readonly value: bigint;
  /** Points from caller to callee. */
  readonly route: readonly Place[];
}

/** A call graph as the engine placed it. */
export interface CallScene {
  /** The one with the largest total first. */
  readonly nodes: readonly CallNode[];
  /** The largest first. */
  readonly edges: readonly CallEdge[];
  readonly size: Size;
  /** Total of the program. */
  readonly whole: bigint;
  /** What is not drawn, and self of functions that are not. */
  readonly cut: Pick<
    Answer<'call_graph'>['result'],
    'below' | 'beyond' | 'calls_below' | 'calls_apart'
  >;
  readonly selfBelow: bigint;
  readonly selfBeyond: bigint;
  readonly estimated: boolean;
}

export function sceneOf({ result, columns }: Answer<'call_graph'>): CallScene {
  const nodes = result.rows.map((info, at): CallNode => ({
    info,
    x: columns.x[at]!,
    y: columns.y[at]!,
    width: columns.width[at]!,
    height: columns.height[at]!,
    scale: columns.size[at]!,
    self: columns.self_value[at]!,
    total: columns.total_value[at]!,
  }));
  const edges = Array.from(columns.value, (value, at): CallEdge => {
    const first = at === 0 ? 0 : columns.route_end[at - 1]!;
    const xs = columns.route_x.subarray(first, columns.route_end[at]);
    return {
      caller: nodes[columns.caller[at]!]!,
      callee: nodes[columns.callee[at]!]!,
      value,
      route: Array.from(xs, (x, point) => [x, columns.route_y[first + point]!] as const),
    };
  });
  const [width, height] = result.size;
  const [whole = 0n, selfBelow = 0n, selfBeyond = 0n] = columns.scale;
  const { below, beyond, calls_below, calls_apart, estimated } = result;
  const cut = { below, beyond, calls_below, calls_apart };
  return { nodes, edges, size: { width, height }, whole, cut, selfBelow, selfBeyond, estimated };
}

/** What calls a function besides itself, the largest first. */
export function callersOf({ edges }: CallScene, node: CallNode): readonly CallEdge[] {
  return edges.filter(({ caller, callee }) => callee === node && caller !== node);
}

/** What it calls besides itself, the largest first. */
export function calleesOf({ edges }: CallScene, node: CallNode): readonly CallEdge[] {
  return edges.filter(({ caller, callee }) => caller === node && callee !== node);
}

/** The value of its direct calls of itself. */
export function itselfOf({ edges }: CallScene, node: CallNode): bigint | undefined {
  return edges.find(({ caller, callee }) => caller === node && callee === node)?.value;
}

/** The function under a place of the drawing. */
export function nodeAt({ nodes }: CallScene, [x, y]: Place): CallNode | undefined {
  return nodes.find(
    (node) => x >= node.x && x <= node.x + node.width && y >= node.y && y <= node.y + node.height,
  );
}

/** The nearest function of the same layer to the left or to the right. */
export function besideOf({ nodes }: CallScene, node: CallNode, step: -1 | 1): CallNode | undefined {
  const middle = (one: CallNode) => one.x + one.width / 2;
  const away = (one: CallNode) => (middle(one) - middle(node)) * step;
  const isBeside = (one: CallNode) =>
    one !== node && one.y < node.y + node.height && one.y + one.height > node.y && away(one) > 0;
  return nodes
    .filter(isBeside)
    .reduce<CallNode | undefined>(
      (best, one) => (best === undefined || away(one) < away(best) ? one : best),
      undefined,
    );
}
