import type { SpanStatisticsRow } from '@hotframe/engine';
import type { App } from '../../state/app.ts';
import { exactPattern } from '../../text/patterns.ts';

/** What can be done with spans of a name, or marks of a kind. */
export interface Actions {
  /** Shows the longest span, or the next mark. */
  show(): void;
  next(back: boolean): void;
  /** Keeps only what was while they ran; marks last no time. */
  readonly during: (() => void) | undefined;
  readonly highlight: (() => void) | undefined;
}

export function actionsOf(
  app: App,
  { name, span }: { readonly name: string; readonly span: SpanStatisticsRow | undefined },
): Actions {
  const timeline = app.profile.timeline.peek();
  if (span === undefined) {
    const next = (back: boolean) => void timeline?.jumpToMark(name, back);
    return { show: () => next(false), next, during: undefined, highlight: undefined };
  }
  const pattern = exactPattern(name);
  return {
    show: () => timeline?.showLongest(span),
    next: (back) => void timeline?.jump(back, pattern),
    during: () => app.profile.addFilter('during', pattern),
    highlight: () => app.update({ search: pattern }, 'push'),
  };
}
