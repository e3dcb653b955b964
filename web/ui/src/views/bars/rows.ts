import type { Answer, FunctionInfo } from '@hotframe/engine';

/** A bar: what it tells, and how long it is, in the metric's own integers. */
export interface Bar {
  readonly value: bigint;
  /** NaN where there is no value. */
  readonly length: number;
  /** The members with the least and with the most of it, where the bar is a mean. */
  readonly spread: readonly [least: number, most: number] | undefined;
}

/** A function with its two bars. */
export interface BarRow {
  readonly info: FunctionInfo;
  readonly self: Bar;
  readonly total: Bar;
}

export interface BarsScene {
  readonly rows: readonly BarRow[];
  readonly totalRows: number;
  readonly estimated: boolean;
  /** How many members bars are means of. */
  readonly members: number | undefined;
  readonly ticks: readonly number[];
  readonly whole: bigint;
  /** Self of what is not drawn. */
  readonly rest: bigint;
}

export function sceneOf({ result, columns }: Answer<'bars'>): BarsScene {
  const isMean = result.members !== null;
  const rows = result.rows.map((info, at): BarRow => {
    const spread = (least: Float64Array, most: Float64Array) =>
      isMean ? ([least[at]!, most[at]!] as const) : undefined;
    return {
      info,
      self: {
        value: columns.self_value[at]!,
        length: columns.self_length[at]!,
        spread: spread(columns.self_least, columns.self_most),
      },
      total: {
        value: columns.total_value[at]!,
        length: columns.total_length[at]!,
        spread: spread(columns.total_least, columns.total_most),
      },
    };
  });
  return {
    rows,
    totalRows: result.total_rows,
    estimated: result.estimated,
    members: result.members ?? undefined,
    ticks: result.ticks,
    whole: columns.scale[0] ?? 0n,
    rest: columns.scale[1] ?? 0n,
  };
}
