import type { Engine, FindMarkResult, ViewSpec } from '@hotframe/engine';
import { type ReadonlySignal, signal } from '@preact/signals';
import type { ItemKey } from './items.ts';
import type { TimelineViewState } from './state.ts';
import type { Window } from './times.ts';

/** An instant that was jumped to. */
export type FoundMark = FindMarkResult & { readonly kind: string };

/** Goes from span to span of a name, and from mark to mark of a kind. */
export function createFinding(options: {
  readonly engine: Engine;
  readonly input: ReadonlySignal<{
    readonly spec: ViewSpec;
    readonly search: string;
    readonly view: TimelineViewState;
  }>;
  readonly times: ReadonlySignal<Window>;
  /** Keys are for a track now. */
  pointTo(track: number): void;
  select(key: ItemKey): void;
  show(track: number, row: number | undefined, begin: number, lasts: number): void;
  fail(error: unknown): void;
}) {
  const { engine, input, times, select, show } = options;
  const found = signal<{ at: number; count: number } | undefined>(undefined);
  const foundMark = signal<FoundMark | undefined>(undefined);

  /** To the next span that matches: what is searched for, where nothing else is told. */
  async function jump(back: boolean, pattern = input.peek().search): Promise<void> {
    const { spec, view } = input.peek();
    const search = pattern;
    if (search === '') return;
    try {
      const { result } = await engine.call('find_span', {
        view: spec,
        search,
        from: times.peek().from,
        span: view.span === undefined ? 0 : view.span + 1,
        back,
      });
      if (search === input.peek().search) {
        found.value = { at: result.at, count: result.count };
      }
      if (result.span === 0) return;
      select({ span: result.span - 1 });
      show(result.track, result.row, result.begin, result.length);
    } catch (reason) {
      options.fail(reason);
    }
  }

  /** To the next instant of a kind, behind the last one or from where the window begins. */
  async function jumpToMark(kind: string, back: boolean): Promise<void> {
    const last = foundMark.peek();
    const isSame = last?.kind === kind;
    try {
      const { result } = await engine.call('find_mark', {
        view: input.peek().spec,
        kind,
        behind: isSame ? last.track : null,
        from: isSame ? last.time : times.peek().from,
        back,
      });
      foundMark.value = { ...result, kind };
      options.pointTo(result.track);
      show(result.track, undefined, result.time, 0);
    } catch (reason) {
      options.fail(reason);
    }
  }

  return {
    found: found as ReadonlySignal<{ at: number; count: number } | undefined>,
    foundMark: foundMark as ReadonlySignal<FoundMark | undefined>,
    jump,
    jumpToMark,
  };
}
