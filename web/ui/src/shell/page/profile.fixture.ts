import {
  type Answer,
  type DocumentInfo,
  EngineError,
  type FunctionInfo,
  type MetricInfo,
  type RowInfo,
  type Sort,
  type SummaryResult,
  type ViewSpec,
} from '@hotframe/engine';
import type { Answers } from './page.fixture.tsx';

/** A metric that counts. */
export const COUNTED: MetricInfo = {
  name: 'samples',
  unit: 'count',
  decimals: 0,
  formula: null,
  adds_up: true,
  signed: false,
  combine: 'sum',
};

/** A metric in nanoseconds. */
export const TIMED: MetricInfo = { ...COUNTED, name: 'cpu', unit: 'nanoseconds' };

/** What a summary says of a plain profile. */
export const SUMMARY: SummaryResult = {
  title: 'cpu.pb.gz',
  format: 'pprof',
  producer: '',
  time_s: null,
  duration_s: 2,
  metrics: [COUNTED],
  default_metric: 0,
  contexts: 7,
  frames: 7,
  functions: 7,
  points: 12,
  threads: 0,
  label_keys: [],
  roles: [],
  tracks: 0,
  has_processors: false,
  spans: 0,
  comments: [],
  doc_url: '',
  warnings: [],
  opened_s: null,
  members: 0,
  is_experiment: false,
  is_aligned: false,
  splits: [],
  estimated_paths: false,
  switched_off: 0,
  comparison: null,
};

/** Documents as an engine lists them. */
export function documentsOf(...titles: readonly string[]): DocumentInfo[] {
  return titles.map((title, document) => ({
    document,
    title,
    name: `/runs/${title}`,
    state: { kind: 'ready', shows: 'profile' },
    made_by: null,
  }));
}

/** An engine that has documents and knows nothing of what is in them. */
export function listing(documents: readonly DocumentInfo[]): Answers {
  return {
    documents: () => ({
      result: { documents: [...documents], opens_source: false, may_run: false, session: 'one' },
    }),
    wait: ({ document }) => ({
      result: documents.find((info) => info.document === document)!,
    }),
  };
}

/** A node of a tree; its number is its place in the list. */
interface Node {
  readonly name: string;
  readonly parent: number;
  readonly depth: number;
  readonly self: bigint[];
  readonly total: bigint[];
  readonly children: number[];
}

/** A call path, the outermost function first, with a value for each metric. */
export interface Stack {
  readonly names: readonly string[];
  readonly values: readonly bigint[];
}

/** What an engine says of the functions of some names. */
type Told = Readonly<Record<string, Partial<FunctionInfo>>>;

/** Stacks as lines: `main;compute;sort 3 50`. */
export function stacksOf(text: string): readonly Stack[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [, frames = '', values = ''] = /^(.*?)((?: -?\d+)+)$/.exec(line.trim()) ?? [];
      return { names: frames.split(';'), values: values.trim().split(' ').map(BigInt) };
    });
}

/**
 * An engine that has one profile of a few stacks. It knows top-down, bottom-up and flat trees and what is
 * around one function, and the filters of frames.
 */
export function stacksEngine(
  given: string | readonly Stack[],
  summary: Partial<SummaryResult> = {},
  told: Told = {},
): Answers {
  const stacks = typeof given === 'string' ? stacksOf(given) : given;
  const names = [...new Set(stacks.flatMap((stack) => stack.names))].toSorted();
  // Modules and files of the flat shape are counted behind them.
  const places = ['program', ...names.map((name) => `${name}.go`)];
  const keyOf = (name: string) => [...names, ...places].indexOf(name) + 10;
  const metrics = stacks[0]!.values.length;
  const standard = Array.from({ length: metrics }, (_, at) => (at === 0 ? COUNTED : TIMED));
  const shown: SummaryResult = { ...SUMMARY, metrics: standard, ...summary };
  const sumOf = (of: readonly Stack[]) =>
    standard.map((_, at) => of.reduce((sum, { values }) => sum + values[at]!, 0n));
  const whole = sumOf(stacks);
  const programOf = (view: ViewSpec) => sumOf(kept(stacks, view));

  const trees = new Map<string, readonly Node[]>();
  const treeOf = (spec: ViewSpec): readonly Node[] => {
    const key = treeKey(spec);
    const known = trees.get(key) ?? build(kept(stacks, spec), spec, names, metrics);
    trees.set(key, known);
    return known;
  };
  const instanceOf = (spec: ViewSpec) => {
    treeOf(spec);
    return [...trees.keys()].indexOf(treeKey(spec)) + 1;
  };
  const wayTo = (tree: readonly Node[], node: number): number[] =>
    node === 0 ? [] : [...wayTo(tree, tree[node]!.parent), node];
  const named = (tree: readonly Node[], nodes: readonly number[]) =>
    nodes.map((node) => ({ node, key: keyOf(tree[node]!.name), name: tree[node]!.name }));
  const inOrder = (tree: readonly Node[], nodes: readonly number[], sort: Sort) =>
    sorted(nodes, sort, (node) => tree[node]!);
  const infoOf = (name: string): FunctionInfo => ({
    key: keyOf(name),
    name,
    label: null,
    file: `${name}.go`,
    line: 1,
    module: 'program',
    colours: 0,
    tag: null,
    verdict: null,
    adjusted: null,
    interval: null,
    ...told[name],
  });

  return {
    ...listing(documentsOf(shown.title)),
    summary: () => ({ result: shown, columns: { total: BigInt64Array.from(whole) } }),
    estimates: () => ({ result: { rows: [] } }),
    advice: () => ({ result: { rows: [], more: 0, left_out: [] } }),
    functions({ view, metrics: wanted, sort, filter, first, count }) {
      const all = functionsOf(kept(stacks, view), metrics).filter(({ name }) =>
        matches(name, filter),
      );
      const rows = sorted(all, sort, (one) => one);
      const part = rows.slice(first, first + count);
      const values = (of: 'self' | 'total') =>
        BigInt64Array.from(part.flatMap((one) => wanted.map((metric) => one[of][metric]!)));
      return {
        result: {
          total_rows: rows.length,
          estimated: false,
          rows: part.map(({ name }) => infoOf(name)),
        },
        columns: {
          self_value: values('self'),
          total_value: values('total'),
          scale: BigInt64Array.from(wanted.map((metric) => programOf(view)[metric]!)),
        },
      };
    },
    rows({ view, root, expanded, sort, filter, first, count }) {
      const tree = treeOf(view);
      const isIn = (node: number): boolean =>
        matches(tree[node]!.name, filter) || tree[node]!.children.some(isIn);
      const below = (node: number): number[] =>
        inOrder(tree, tree[node]!.children, sort)
          .filter(isIn)
          .flatMap((child) => [child, ...(isOpen(child) ? below(child) : [])]);
      const isOpen = (node: number) => expanded.includes(node) || filter !== '';
      const rows = below(root);
      const part = rows.slice(first, first + count);
      const values = (of: 'self' | 'total') =>
        BigInt64Array.from(part.flatMap((node) => tree[node]![of]));
      return {
        result: {
          instance: instanceOf(view),
          total_rows: rows.length,
          metrics,
          rows: part.map((node): RowInfo => {
            const { name, depth, children } = tree[node]!;
            return {
              ...infoOf(name),
              node,
              depth: depth - 1,
              has_children: children.length > 0,
              expanded: isOpen(node),
              matched: filter !== '' && matches(name, filter),
            } as RowInfo;
          }),
        },
        columns: {
          self_value: values('self'),
          total_value: values('total'),
          scale: BigInt64Array.from(programOf(view)),
        },
      };
    },
    locate({ view, path }) {
      const tree = treeOf(view);
      const nodes: number[] = [];
      for (const key of path) {
        const at = nodes.at(-1) ?? 0;
        const next = tree[at]!.children.find((child) => keyOf(tree[child]!.name) === key);
        if (next === undefined) break;
        nodes.push(next);
      }
      return { result: { instance: instanceOf(view), nodes: named(tree, nodes) } };
    },
    hottest_path({ view, node }) {
      const tree = treeOf(view);
      const nodes = [node];
      for (;;) {
        const [largest] = tree[nodes.at(-1)!]!.children;
        if (largest === undefined) break;
        nodes.push(largest);
      }
      return { result: { instance: instanceOf(view), nodes } };
    },
    details({ view, node }) {
      const tree = treeOf(view);
      const { name, self, total, parent } = tree[node]!;
      const { metric } = view;
      const large = (of: readonly bigint[]) => BigInt64Array.from(of);
      return {
        result: {
          ...infoOf(name),
          instance: instanceOf(view),
          system_name: '',
          kind: 'code',
          start_line: 1,
          build_id: '',
          address: '',
          inlined: false,
          estimated: total.map(() => false),
          path: named(tree, wayTo(tree, node)),
          callers: [],
          more_callers: 0,
          callees: [],
          more_callees: 0,
          labels: [],
          more_labels: 0,
          lines: [],
          more_lines: 0,
          list_metric: metric,
          change: null,
        },
        columns: {
          self_value: large(self),
          total_value: large(total),
          parent_total: large(tree[parent]!.total),
          program_total: large(programOf(view)),
          function: large([self[metric]!, total[metric]!]),
          callers: large([]),
          callees: large([]),
          labels: large([]),
          lines: large([]),
        },
      };
    },
    filters({ view }) {
      const before = (at: number) => kept(stacks, { ...view, filters: view.filters.slice(0, at) });
      return {
        result: {
          filters: view.filters.map((filter, at) => {
            const share = sumOf(before(at + 1))[view.metric]!;
            return {
              kept: Number(share) / Number(whole[view.metric]!),
              matched:
                filter.kind.startsWith('label') ||
                names.some((name) => matches(name, filter.pattern)),
            };
          }),
          runs: null,
          notes: [],
        },
      };
    },
    search({ view, pattern }) {
      const hits = names.filter((name) => matches(name, pattern));
      const found = kept(stacks, view).filter((stack) =>
        stack.names.some((one) => hits.includes(one)),
      );
      const { metric } = view;
      const [matched, all] = [sumOf(found)[metric]!, whole[metric]!];
      const share = Number(matched) / Number(all);
      return {
        result: { matches: hits.length, top: [], list_metric: metric, share, estimated: false },
        columns: {
          matched: BigInt64Array.of(matched, all),
          top: new BigInt64Array(),
        },
      };
    },
    flame({ view, root, search }): Answer<'flame'> {
      const tree = treeOf(view);
      const { metric } = view;
      const all = (node: number): number[] => [node, ...tree[node]!.children.flatMap(all)];
      // Row by row, from left to right.
      const nodes = all(root).sort((a, b) => tree[a]!.depth - tree[b]!.depth);
      const scale = tree[root]!.total;
      const left = new Map([[root, 0]]);
      for (const node of nodes) {
        let x = left.get(node)!;
        for (const child of tree[node]!.children) {
          left.set(child, x);
          x += Number(tree[child]!.total[metric]) / Number(scale[metric]);
        }
      }
      const u32 = (value: (node: number) => number) => Uint32Array.from(nodes, value);
      const values = (of: 'self' | 'total') =>
        BigInt64Array.from(nodes, (node) => tree[node]![of][metric]!);
      const labels = [...new Set(nodes.map((node) => tree[node]!.name))];
      return {
        result: {
          instance: instanceOf(view),
          merged_frames: 0,
          total_rows: Math.max(...nodes.map((node) => tree[node]!.depth)) - tree[root]!.depth + 1,
          narrowest: 1,
          names: labels,
          labels: [],
          modules: ['', 'program'],
          files: [''],
          breadcrumb: named(tree, wayTo(tree, root)),
        },
        columns: {
          node: u32((node) => node),
          parent: u32((node) => tree[node]!.parent),
          row: u32((node) => tree[node]!.depth - tree[root]!.depth),
          x: Float64Array.from(nodes, (node) => left.get(node)!),
          width: Float64Array.from(
            nodes,
            (node) => Number(tree[node]!.total[metric]) / Number(scale[metric]),
          ),
          y: new Float64Array(),
          height: new Float64Array(),
          name: u32((node) => labels.indexOf(tree[node]!.name)),
          module: u32(() => 1),
          file: u32(() => 0),
          merged: u32(() => 0),
          flags: u32((node) => (search !== '' && matches(tree[node]!.name, search) ? 1 : 0)),
          key: u32((node) => (node === 0 ? 0 : keyOf(tree[node]!.name))),
          colours: u32(() => 0),
          self_value: values('self'),
          total_value: values('total'),
          scale: BigInt64Array.of(
            programOf(view)[metric]!,
            scale[metric]!,
            tree[tree[root]!.parent]!.total[metric]!,
          ),
          tag: new Uint32Array(),
          base_value: new BigInt64Array(),
          new_value: new BigInt64Array(),
        },
      };
    },
    find({ view, pattern, function: of }) {
      const tree = treeOf(view);
      const { metric } = view;
      const isWanted = (name: string) =>
        of === null ? matches(name, pattern) : keyOf(name) === of.key;
      const hits = tree
        .map((_, node) => node)
        .filter((node) => node > 0 && isWanted(tree[node]!.name))
        .sort((a, b) => Number(tree[b]!.total[metric]! - tree[a]!.total[metric]!));
      return {
        result: { instance: instanceOf(view), more: false },
        columns: {
          node: Uint32Array.from(hits),
          row: Uint32Array.from(hits, (node) => tree[node]!.depth),
          x: new Float64Array(hits.length),
          width: Float64Array.from(
            hits,
            (node) => Number(tree[node]!.total[metric]) / Number(whole[metric]),
          ),
        },
      };
    },
  };
}

/** Refuses a pattern as the engine does. */
export function badPattern(pattern: string): EngineError {
  return new EngineError({
    code: 'bad_pattern',
    message: `${pattern} cannot be searched for`,
    hint: 'Write less.',
  });
}

/** Whether a name matches a pattern, whose case counts where it says so. */
export function matches(name: string, pattern: string): boolean {
  const counts = pattern.includes('(?-i)');
  return new RegExp(pattern.replace('(?-i)', ''), counts ? '' : 'i').test(name);
}

/** The stacks that a view's filters keep. */
function kept(stacks: readonly Stack[], { filters }: ViewSpec): readonly Stack[] {
  return filters.reduce((left: readonly Stack[], { kind, pattern }) => {
    const has = ({ names }: Stack) => names.some((name) => matches(name, pattern));
    switch (kind) {
      case 'focus':
        return left.filter(has);
      case 'ignore':
        return left.filter((stack) => !has(stack));
      case 'hide':
        return left.map(({ names, values }) => ({
          names: names.filter((name) => !matches(name, pattern)),
          values,
        }));
      default:
        return left;
    }
  }, stacks);
}

function build(
  stacks: readonly Stack[],
  { shape, metric }: ViewSpec,
  names: readonly string[],
  metrics: number,
): readonly Node[] {
  const nothing = () => Array.from({ length: metrics }, () => 0n);
  const top = shape.kind === 'callees' || shape.kind === 'callers' ? names[shape.key - 10]! : 'all';
  const nodes: Node[] = [
    { name: top, parent: 0, depth: 0, self: nothing(), total: nothing(), children: [] },
  ];
  for (const { names: frames, values } of stacks) {
    const path = pathOf(frames, shape.kind, top);
    if (path === undefined) continue;
    let at = 0;
    const add = (node: number, of: 'self' | 'total') =>
      values.forEach((value, metric) => (nodes[node]![of][metric]! += value));
    add(0, 'total');
    for (const name of path) {
      let next = nodes[at]!.children.find((child) => nodes[child]!.name === name);
      if (next === undefined) {
        next = nodes.length;
        const { depth } = nodes[at]!;
        nodes.push({
          name,
          parent: at,
          depth: depth + 1,
          self: nothing(),
          total: nothing(),
          children: [],
        });
        nodes[at]!.children.push(next);
      }
      at = next;
      add(at, 'total');
    }
    add(at, 'self');
  }
  for (const node of nodes) {
    node.children.sort((a, b) => size(nodes[b]!.total[metric]!) - size(nodes[a]!.total[metric]!));
  }
  return nodes;
}

/** Children are in the order of a metric, so it is another tree in another one. */
function treeKey({ shape, filters, metric }: ViewSpec): string {
  return JSON.stringify([shape, filters, metric]);
}

/** Names below the root; undefined where a stack is not in such a tree. */
function pathOf(
  frames: readonly string[],
  shape: ViewSpec['shape']['kind'],
  top: string,
): readonly string[] | undefined {
  const at = frames.indexOf(top);
  switch (shape) {
    case 'bottom_up':
      return frames.toReversed();
    case 'flat':
      return ['program', `${frames.at(-1)}.go`, frames.at(-1)!];
    case 'callees':
      return at < 0 ? undefined : frames.slice(at + 1);
    case 'callers':
      return at < 0 ? undefined : frames.slice(0, at).toReversed();
    default:
      return frames;
  }
}

/** What is largest comes first, whatever its sign. */
function size(value: bigint): number {
  return Math.abs(Number(value));
}

interface Values {
  readonly name: string;
  readonly self: readonly bigint[];
  readonly total: readonly bigint[];
}

function functionsOf(stacks: readonly Stack[], metrics: number): readonly Values[] {
  const known = new Map<string, { name: string; self: bigint[]; total: bigint[] }>();
  const of = (name: string) => {
    const nothing = () => Array.from({ length: metrics }, () => 0n);
    const one = known.get(name) ?? { name, self: nothing(), total: nothing() };
    known.set(name, one);
    return one;
  };
  for (const { names, values } of stacks) {
    values.forEach((value, metric) => {
      of(names.at(-1)!).self[metric]! += value;
      for (const name of new Set(names)) of(name).total[metric]! += value;
    });
  }
  return [...known.values()];
}

function sorted<T>(all: readonly T[], { by, metric, reverse }: Sort, of: (one: T) => Values): T[] {
  const order = all.toSorted((a, b) => {
    const [one, other] = [of(a), of(b)];
    if (by === 'name') return one.name < other.name ? -1 : 1;
    const values = (values: Values) => (by === 'self_value' ? values.self : values.total);
    return size(values(other)[metric]!) - size(values(one)[metric]!);
  });
  return reverse ? order.toReversed() : order;
}
