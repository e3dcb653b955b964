import type { FlameColumns } from '@hotframe/engine';
import { createScene, type Scene } from '../../canvas/scene.ts';
import type { Cut } from '../../state/pruning.ts';
import { NO_VALUE } from '../../text/units.ts';

/** Neighbours of one parent that are left out, by their first and last box. */
export interface RestRun {
  readonly first: number;
  readonly last: number;
  readonly why: Cut;
}

/** What is not drawn of a scene, each frame without those below it. */
export interface Hidden {
  readonly count: number;
  /** Whether more may be left out: below narrow frames that are drawn as one nobody has looked. */
  readonly isLeast: boolean;
  /** Undefined where totals do not add up. */
  readonly total: bigint | undefined;
  /** Whether it is all that is left out below the root, not only in the part that is in sight. */
  readonly isAll: boolean;
}

/** A scene without what is left out; in its place stand boxes of what that is together. */
export interface PrunedScene extends Scene {
  readonly hidden: Hidden;
}

/** What is said of rests. */
interface Told {
  text(count: number, why: Cut): string;
  /** Whether totals of a box and its neighbours add up. */
  addsUp(box: number): boolean;
  /** Whether totals of boxes anywhere do of which none is below another. */
  readonly allAddUp: boolean;
}

/** A scene of some of its boxes and of one box a run of others. */
export function withRests(
  scene: Scene,
  drawn: readonly number[],
  runs: readonly RestRun[],
  told: Told,
): PrunedScene {
  const { boxes, window, result } = scene;
  const runOf = new Map(runs.map((run) => [run.first, run]));
  const kept = [...drawn, ...runOf.keys()].sort((a, b) => a - b);
  const columns = columnsOf(boxes, kept);
  const rests = new Map<number, string>();
  let [count, merged] = [0, 0];
  let total: bigint | undefined = 0n;
  for (const [index, box] of kept.entries()) {
    const run = runOf.get(box);
    if (run === undefined) {
      merged += boxes.merged[box]!;
      continue;
    }
    const frames = framesOf(boxes, run);
    const sum = told.addsUp(box) ? totalOf(boxes, run) : undefined;
    columns.merged[index] = frames;
    columns.width[index] = boxes.x[run.last]! + boxes.width[run.last]! - boxes.x[box]!;
    columns.total_value[index] = sum ?? NO_VALUE;
    columns.self_value[index] = NO_VALUE;
    columns.flags[index] = 0;
    columns.colours[index] = 0;
    if (columns.tag.length > 0) columns.tag[index] = 0;
    rests.set(index, told.text(frames, run.why));
    count += frames;
    total = sum === undefined || total === undefined ? undefined : total + sum;
  }
  const hasAllRows = window.firstRow === 0 && window.rows >= result.total_rows;
  const rows = kept.length === 0 ? 1 : boxes.row[kept.at(-1)!]! + 1;
  return {
    ...createScene(
      scene.subject,
      window,
      scene.root,
      {
        ...result,
        merged_frames: merged,
        total_rows: hasAllRows ? rows : result.total_rows,
      },
      columns,
    ),
    rests,
    hidden: {
      count,
      total: told.allAddUp ? total : undefined,
      isLeast: merged > 0,
      isAll: hasAllRows && window.from <= 0 && window.to >= 1,
    },
  };
}

/** How many frames a run of boxes stands for. */
function framesOf(boxes: FlameColumns, { first, last }: RestRun): number {
  let frames = 0;
  for (let box = first; box <= last; box++) frames += Math.max(1, boxes.merged[box]!);
  return frames;
}

/** What a run of boxes is together; undefined where one of them does not tell. */
function totalOf(boxes: FlameColumns, { first, last }: RestRun): bigint | undefined {
  let total = 0n;
  for (let box = first; box <= last; box++) {
    if (boxes.total_value[box] === NO_VALUE) return undefined;
    total += boxes.total_value[box]!;
  }
  return total;
}

/** The entries of some boxes; the columns that are not one entry a box stay. */
function columnsOf(boxes: FlameColumns, kept: readonly number[]): FlameColumns {
  const u32 = (column: Uint32Array) =>
    column.length === 0 ? column : Uint32Array.from(kept, (box) => column[box]!);
  const f64 = (column: Float64Array) =>
    column.length === 0 ? column : Float64Array.from(kept, (box) => column[box]!);
  const i64 = (column: BigInt64Array) =>
    column.length === 0 ? column : BigInt64Array.from(kept, (box) => column[box]!);
  return {
    node: u32(boxes.node),
    parent: u32(boxes.parent),
    row: u32(boxes.row),
    x: f64(boxes.x),
    width: f64(boxes.width),
    y: f64(boxes.y),
    height: f64(boxes.height),
    name: u32(boxes.name),
    module: u32(boxes.module),
    file: u32(boxes.file),
    merged: u32(boxes.merged),
    flags: u32(boxes.flags),
    key: u32(boxes.key),
    colours: u32(boxes.colours),
    self_value: i64(boxes.self_value),
    total_value: i64(boxes.total_value),
    scale: boxes.scale,
    tag: u32(boxes.tag),
    base_value: i64(boxes.base_value),
    new_value: i64(boxes.new_value),
  };
}
