import type { FunctionInfo } from '@hotframe/engine';
import { NO_VALUE } from '../../text/units.ts';
import type { Answers } from './page.fixture.tsx';
import { COUNTED, SUMMARY, stacksEngine, TIMED } from './profile.fixture.ts';

/** A function as charts are told of it. */
interface Counted {
  readonly name: string;
  readonly self: number;
  readonly total: number;
  readonly calls: number;
  /** Undefined where it is not known. */
  readonly primitive: number | undefined;
}

/** What each function takes and how often it is called; `fib` calls itself. */
export const FUNCTIONS: readonly Counted[] = [
  { name: 'main', self: 10, total: 100, calls: 1, primitive: 1 },
  { name: 'fib', self: 60, total: 60, calls: 40, primitive: 10 },
  { name: 'walk', self: 30, total: 30, calls: 20, primitive: 20 },
];

const keyOf = (name: string) => ['fib', 'main', 'walk'].indexOf(name) + 10;

function infoOf({ name }: Counted): FunctionInfo {
  return {
    key: keyOf(name),
    name,
    label: null,
    file: `${name}.py`,
    line: 1,
    module: '',
    colours: 0,
    tag: null,
    verdict: null,
    adjusted: null,
    interval: null,
  };
}

const large = (numbers: readonly number[]) => BigInt64Array.from(numbers, BigInt);

/** An engine with a profile that counts calls, placed as its charts are. */
export function chartsEngine(
  functions: readonly Counted[] = FUNCTIONS,
  more: Answers = {},
): Answers {
  const isKnown = functions.every(({ primitive }) => primitive !== undefined);
  const self = functions.map((one) => one.self);
  const total = functions.map((one) => one.total);
  const none = new Float64Array();
  return {
    ...stacksEngine('main;fib 60 40\nmain;walk 30 20\nmain 10 1', {
      metrics: [
        { ...TIMED, name: 'time' },
        { ...COUNTED, name: 'calls' },
      ],
    }),
    scatter: ({ of }) => ({
      result: {
        of: isKnown ? of : 'own_value',
        metric: 0,
        primitive_unknown: isKnown ? null : 'Which calls were recursive is not known',
        total_rows: functions.length,
        rows: functions.map(infoOf),
        across: [1, 100],
        up: [1, 100],
        diagonals: [],
      },
      columns: {
        zone: Uint32Array.from(functions, () => 0),
        x: Float64Array.from(functions, ({ calls }) => Math.log10(calls) / 2),
        y: Float64Array.from(functions, ({ calls, self: own }) => Math.log10(own / calls) / 2),
        radius: Float64Array.from(functions, (one) => Math.sqrt(one.total / 100)),
        calls: large(functions.map(({ calls }) => calls)),
        primitive: BigInt64Array.from(functions, ({ primitive }) =>
          primitive === undefined ? NO_VALUE : BigInt(primitive),
        ),
        self_value: large(self),
        total_value: large(total),
        mean: Float64Array.from(functions, (one) =>
          of === 'own_value' ? one.self / one.calls : one.total / (one.primitive ?? 1),
        ),
        scale: large([100, 0, 100]),
      },
    }),
    bars({ sort }) {
      const of = (one: Counted) => (sort.by === 'self_value' ? one.self : one.total);
      const rows = functions.toSorted((a, b) => of(b) - of(a));
      return {
        result: {
          total_rows: rows.length,
          estimated: false,
          rows: rows.map(infoOf),
          members: null,
          ticks: [0, 50, 100],
        },
        columns: {
          self_value: large(rows.map((one) => one.self)),
          total_value: large(rows.map((one) => one.total)),
          self_length: Float64Array.from(rows, (one) => one.self),
          total_length: Float64Array.from(rows, (one) => one.total),
          self_least: none,
          self_most: none,
          total_least: none,
          total_most: none,
          scale: large([100, 0]),
        },
      };
    },
    call_graph: ({ least_node: least }) => {
      const rows = functions.filter((one) => one.total / 100 >= least);
      const at = (name: string) => rows.findIndex((one) => one.name === name);
      const calls = [
        { caller: 'main', callee: 'fib', value: 60 },
        { caller: 'main', callee: 'walk', value: 30 },
        { caller: 'fib', callee: 'fib', value: 45 },
      ].filter(({ callee }) => at(callee) >= 0);
      return {
        result: {
          total_rows: functions.length,
          below: functions.length - rows.length,
          beyond: 0,
          calls_below: 0,
          calls_apart: 3 - calls.length,
          estimated: !isKnown,
          rows: rows.map(infoOf),
          size: [300, 200],
        },
        columns: {
          x: Float64Array.from(rows, ({ name }) => (name === 'walk' ? 200 : 0)),
          y: Float64Array.from(rows, ({ name }) => (name === 'main' ? 0 : 100)),
          width: Float64Array.from(rows, () => 80),
          height: Float64Array.from(rows, () => 40),
          size: Float64Array.from(rows, () => 1),
          self_value: large(rows.map((one) => one.self)),
          total_value: large(rows.map((one) => one.total)),
          caller: Uint32Array.from(calls, ({ caller }) => at(caller)),
          callee: Uint32Array.from(calls, ({ callee }) => at(callee)),
          value: large(calls.map(({ value }) => value)),
          route_end: Uint32Array.from(calls, (_, index) => 2 * index + 2),
          route_x: Float64Array.from(calls.flatMap(() => [0, 10])),
          route_y: Float64Array.from(calls.flatMap(() => [0, 10])),
          scale: large([
            100,
            functions.filter((one) => !rows.includes(one)).reduce((sum, one) => sum + one.self, 0),
            0,
          ]),
        },
      };
    },
    ...more,
  };
}

/** An engine with a profile of stacks whose treemap lays parts beside each other. */
export function treemapEngine(stacks: string, hidden = 0): Answers {
  const engine = stacksEngine(stacks, { ...SUMMARY, metrics: [TIMED] });
  return {
    ...engine,
    async treemap({ width, height, least, ...params }) {
      const { result, columns } = await engine.flame!({
        ...params,
        from: 0,
        to: 1,
        width,
        first_row: 0,
        rows: 100,
      });
      const { x, width: widths, row } = columns!;
      return {
        result: { ...result!, merged_frames: hidden, narrowest: least },
        columns: {
          ...columns!,
          x: x.map((at) => at * width),
          width: widths.map((share) => share * width),
          y: Float64Array.from(row, (level) => level * 18),
          height: Float64Array.from(row, (level) => height - level * 18),
        },
      };
    },
  };
}
