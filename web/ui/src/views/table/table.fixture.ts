import type { Engine, Params, RowInfo } from '@hotframe/engine';
import { signal } from '@preact/signals';
import type { Pruned } from '../../state/pruning.ts';
import { createSelection } from '../../state/selection.ts';
import type { TableInput } from './controller.ts';
import { SPEC } from './rows.fixture.ts';

/** A node of a tree; its number is its place in the list. */
interface Node {
  readonly name: string;
  readonly parent: number;
  readonly depth: number;
  total: number;
}

/** What an engine answers, by method. */
export type TreeAnswers = ReturnType<typeof treeAnswers>;

/** A tree of stacks such as `main;compute 90`. Functions have keys from 10 on, by their names. */
function treeAnswers(stacks: string) {
  const nodes: Node[] = [{ name: '', parent: 0, depth: 0, total: 0 }];
  for (const line of stacks.trim().split('\n')) {
    const [frames = '', value] = line.trim().split(' ');
    let at = 0;
    for (const name of frames.split(';')) {
      let next = nodes.findIndex(
        (node, place) => place > 0 && node.parent === at && node.name === name,
      );
      if (next < 0)
        next = nodes.push({ name, parent: at, depth: nodes[at]!.depth + 1, total: 0 }) - 1;
      nodes[next]!.total += Number(value);
      at = next;
    }
    nodes[0]!.total += Number(value);
  }
  const names = [...new Set(nodes.slice(1).map(({ name }) => name))].toSorted();
  const keyOf = (node: number) => names.indexOf(nodes[node]!.name) + 10;
  const childrenOf = (parent: number) =>
    [...nodes.keys()]
      .filter((node) => node > 0 && nodes[node]!.parent === parent)
      .sort((a, b) => nodes[b]!.total - nodes[a]!.total);
  const wayTo = (node: number): number[] =>
    node === 0 ? [] : [...wayTo(nodes[node]!.parent), node];
  const named = (way: readonly number[]) =>
    way.map((node) => ({ node, key: keyOf(node), name: nodes[node]!.name }));
  return {
    rows({ expanded, filter, first, count }: Params<'rows'>) {
      const below = (node: number): number[] =>
        childrenOf(node).flatMap((child) => [
          child,
          ...(expanded.includes(child) ? below(child) : []),
        ]);
      const all = below(0).filter((node) => nodes[node]!.name.includes(filter));
      const part = all.slice(first, first + count);
      const rows = part.map((node) => ({
        ...named([node])[0],
        depth: nodes[node]!.depth - 1,
        has_children: childrenOf(node).length > 0,
        expanded: expanded.includes(node),
      })) as RowInfo[];
      const total = BigInt64Array.from(part, (node) => BigInt(nodes[node]!.total));
      return {
        result: { instance: 1, total_rows: all.length, metrics: 1, rows },
        columns: {
          self_value: total,
          total_value: total,
          scale: BigInt64Array.of(BigInt(nodes[0]!.total)),
        },
      };
    },
    locate({ path }: Params<'locate'>) {
      const way: number[] = [];
      for (const key of path) {
        const next = childrenOf(way.at(-1) ?? 0).find((child) => keyOf(child) === key);
        if (next === undefined) break;
        way.push(next);
      }
      return { result: { instance: 1, nodes: named(way) } };
    },
    hottest_path({ node }: Params<'hottest_path'>) {
      const way = [node];
      for (let next = childrenOf(node)[0]; next !== undefined; next = childrenOf(next)[0])
        way.push(next);
      return { result: { instance: 1, nodes: way } };
    },
    details: ({ node }: Params<'details'>) => ({
      result: { instance: 1, path: named(wayTo(node)) },
    }),
  };
}

/** What a table of the stacks is made of, and what was asked for it. */
export function tableOf(
  stacks: string,
  others: (known: TreeAnswers) => Partial<TreeAnswers> = () => ({}),
) {
  const known = treeAnswers(stacks);
  const answers = { ...known, ...others(known) };
  const asked: { readonly method: string; readonly params: unknown }[] = [];
  const call = async (method: keyof TreeAnswers, params: never) => {
    asked.push({ method, params });
    return answers[method](params);
  };
  const engine = { call } as unknown as Engine;
  const input = signal<TableInput>({
    spec: { ...SPEC, metric: 0, filters: [], shape: { kind: 'top_down' } },
    sort: { by: 'total_value', metric: 0, reverse: false },
    filter: '',
  });
  const selection = createSelection(engine, signal(undefined));
  const pruned = signal<Pruned | undefined>(undefined);
  const last = <T>(method: keyof TreeAnswers) =>
    asked.findLast((one) => one.method === method)?.params as T | undefined;
  return { engine, input, selection, pruned, asked, last };
}

/** Leaves out what is less than a share of the program. */
export function below(percent: number): Pruned {
  const metric = { name: 'samples', unit: 'count', decimals: 0, adds_up: true };
  return {
    hideBelow: percent,
    levels: undefined,
    metrics: [metric] as unknown as Pruned['metrics'],
    isComparison: false,
    revealed: new Set(),
  };
}
