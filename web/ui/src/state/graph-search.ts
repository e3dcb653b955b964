import type { Engine, GraphMatch } from '@hotframe/engine';
import { computed, effect, type ReadonlySignal, signal, untracked } from '@preact/signals';
import { resource } from './resource.ts';

/** Matches of a search that are listed; all are counted. */
const MOST_MATCHES = 500;

/** The match after or before one, around the ends; undefined where there are none. */
export function matchAfter(at: number | undefined, count: number, by: 1 | -1): number | undefined {
  if (count === 0) return undefined;
  if (at === undefined) return by > 0 ? 0 : count - 1;
  return (at + by + count) % count;
}

/** What a search finds in a graph, and which of that was jumped to. */
export function createGraphSearch(options: {
  readonly engine: Engine;
  readonly text: ReadonlySignal<string>;
  /** The graph that is searched, another object when it has changed. */
  readonly shown: ReadonlySignal<{ readonly document: number } | undefined>;
  jumpTo(found: GraphMatch): void;
}) {
  const { engine, text, shown } = options;
  const match = signal<number | undefined>(undefined);
  /** A step that was asked for while matches were on their way. */
  let awaited: 1 | -1 | undefined;
  const input = computed(() =>
    text.value === '' || shown.value === undefined
      ? undefined
      : { ...shown.value, text: text.value, limit: MOST_MATCHES },
  );
  const { state: search } = resource(input, (params, abort) => {
    match.value = undefined;
    return engine.call('graph_search', params, { signal: abort });
  });
  const matches = () => search.peek().value?.result.matches ?? [];

  function jumpToMatch(index: number): void {
    const found = matches()[index];
    if (found === undefined) return;
    match.value = index;
    options.jumpTo(found);
  }

  function stepMatch(by: 1 | -1): void {
    if (search.peek().pending) {
      awaited = by;
      return;
    }
    const next = matchAfter(match.peek(), matches().length, by);
    if (next !== undefined) jumpToMatch(next);
  }

  effect(() => {
    const by = awaited;
    if (search.value.pending || by === undefined) return;
    awaited = undefined;
    untracked(() => stepMatch(by));
  });

  return {
    search,
    match: match as ReadonlySignal<number | undefined>,
    matches,
    jumpToMatch,
    stepMatch,
    /** Matches of one document are none of another. */
    forget() {
      match.value = undefined;
    },
  };
}
