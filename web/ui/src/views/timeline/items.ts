import type { Engine, FlowInfo, ViewSpec } from '@hotframe/engine';
import type { SampledFrame } from './state.ts';

/** A span, or a frame of a sample. */
export type ItemKey =
  | { readonly span: number; readonly frame?: undefined }
  | { readonly span?: undefined; readonly frame: SampledFrame };

/** All that is known of one. */
export interface Item {
  readonly key: ItemKey;
  readonly name: string;
  readonly file: string;
  /** 0 where it is not known. */
  readonly line: number;
  readonly track: number | undefined;
  /** Nanoseconds after the first time; of a frame, when the sample was taken. */
  readonly begin: number;
  /** Where it ends on the axis; of a frame, as it begins. */
  readonly end: number;
  /** As it was measured; undefined for frames of samples. */
  readonly length: number | undefined;
  /** Whether it never ends: it lasts that long at least. */
  readonly isUnfinished: boolean;
  readonly self: number | undefined;
  readonly arguments: readonly (readonly [string, string])[];
  readonly flows: readonly FlowInfo[];
  readonly moreFlows: number;
  /** Keys of its call path. */
  readonly path: readonly number[];
}

/** Asks for all about one. */
export async function loadItem(
  engine: Engine,
  view: ViewSpec,
  key: ItemKey,
  signal: AbortSignal,
): Promise<Item> {
  if (key.frame !== undefined) {
    const { result } = await engine.call('sampled_frame', { view, ...key.frame }, { signal });
    return {
      key,
      name: result.name,
      file: result.file,
      line: result.line,
      track: result.track ?? undefined,
      begin: result.time ?? 0,
      end: result.time ?? 0,
      length: undefined,
      isUnfinished: false,
      self: undefined,
      arguments: result.labels,
      flows: [],
      moreFlows: 0,
      path: result.path,
    };
  }
  const { result } = await engine.call('span', { view, span: key.span }, { signal });
  return {
    key,
    name: result.name,
    file: result.file,
    line: result.line,
    track: result.track,
    begin: result.begin,
    end: result.end,
    length: result.length,
    isUnfinished: result.is_unfinished,
    self: result.self_time ?? undefined,
    arguments: result.arguments,
    flows: result.flows,
    moreFlows: result.more_flows,
    path: result.path,
  };
}

/** How long it lasts at least, for a window around it. */
export function lasting(item: Pick<Item, 'begin' | 'end'>): number {
  return Math.max(1, item.end - item.begin);
}
