import type { Answer, FunctionInfo, ScatterOf } from '@hotframe/engine';
import type { App } from '../../state/app.ts';
import { NO_VALUE, type Unit } from '../../text/units.ts';

/** Where a mark stands: on both axes, or in a strip of those without calls or without a value. */
export type Zone = 'plot' | 'no_calls' | 'no_value';

const ZONES: readonly Zone[] = ['plot', 'no_calls', 'no_value'];

/** A function of the scatter. */
export interface Mark {
  readonly info: FunctionInfo;
  readonly zone: Zone;
  /** Shares of the plot from the left and from the bottom. */
  readonly x: number;
  readonly y: number;
  /** Share of the largest radius. */
  readonly radius: number;
  readonly calls: bigint;
  /** Undefined where it is not known. */
  readonly primitive: bigint | undefined;
  readonly self: bigint;
  readonly total: bigint;
  /** What stands upwards, in the metric's own integers; NaN without calls. */
  readonly mean: number;
}

/** A scatter as the engine placed it. */
export interface ScatterScene {
  readonly of: ScatterOf;
  /** The metric that is divided by calls. */
  readonly metric: number;
  readonly primitiveUnknown: string | undefined;
  readonly totalRows: number;
  readonly marks: readonly Mark[];
  readonly across: readonly [number, number];
  readonly up: readonly [number, number];
  readonly diagonals: Answer<'scatter'>['result']['diagonals'];
  /** Total of the program, self of what is not placed, the largest total. */
  readonly whole: bigint;
  readonly rest: bigint;
  readonly largest: bigint;
}

export function sceneOf({ result, columns }: Answer<'scatter'>): ScatterScene {
  const marks = result.rows.map((info, at): Mark => {
    const primitive = columns.primitive[at]!;
    return {
      info,
      zone: ZONES[columns.zone[at]!] ?? 'plot',
      x: columns.x[at]!,
      y: columns.y[at]!,
      radius: columns.radius[at]!,
      calls: columns.calls[at]!,
      primitive: primitive === NO_VALUE ? undefined : primitive,
      self: columns.self_value[at]!,
      total: columns.total_value[at]!,
      mean: columns.mean[at]!,
    };
  });
  return {
    of: result.of,
    metric: result.metric,
    primitiveUnknown: result.primitive_unknown ?? undefined,
    totalRows: result.total_rows,
    marks,
    across: result.across,
    up: result.up,
    diagonals: result.diagonals,
    whole: columns.scale[0] ?? 0n,
    rest: columns.scale[1] ?? 0n,
    largest: columns.scale[2] ?? 0n,
  };
}

/** What values of a scatter are in. */
export function unitOf(app: App, { metric }: ScatterScene): Unit {
  return app.profile.summary.value?.metrics[metric] ?? app.profile.metricInfo.value;
}

/** The share of a function's calls that came from inside of itself; undefined where it is not known. */
export function recursionOf({ calls, primitive }: Mark): number | undefined {
  if (primitive === undefined || calls === 0n) return undefined;
  return 1 - Number(primitive) / Number(calls);
}
