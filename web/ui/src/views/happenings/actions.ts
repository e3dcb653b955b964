import type { SpanStatisticsRow, TimePlace } from '@hotframe/engine';
import type { App } from '../../state/app.ts';
import { exactPattern } from '../../text/patterns.ts';

/** Somewhere to go from a row. */
export interface Jump {
  readonly label: string;
  readonly title: string;
  readonly run: () => void;
}

/** What can be done with a row of a list; what it has no sense for is undefined. */
export interface Actions {
  /** Where the row leads first of all. */
  readonly show: Jump;
  /** Where else. */
  readonly other?: Jump | undefined;
  readonly next?: ((back: boolean) => void) | undefined;
  /** Keeps only what was while they ran. */
  readonly during?: (() => void) | undefined;
  readonly highlight?: (() => void) | undefined;
}

/** Of spans of a name. */
export function spanActions(app: App, span: SpanStatisticsRow): Actions {
  return {
    ...nameActions(app, span.name),
    show: {
      label: 'longest',
      title: 'To the longest of them',
      // It is outlined as what is selected.
      run: () => app.profile.timeline.peek()?.showPlace(span),
    },
  };
}

/** Of marks of a kind. */
export function markActions(app: App, kind: string): Actions {
  const next = (back: boolean) => void app.profile.timeline.peek()?.jumpToMark(kind, back);
  return { show: { label: 'next', title: 'To the next one', run: () => next(false) }, next };
}

/** What is done with spans by their name. */
export function nameActions(app: App, name: string): Omit<Actions, 'show'> {
  const pattern = exactPattern(name);
  return {
    next(back) {
      app.profile.place.value = undefined;
      void app.profile.timeline.peek()?.jump(back, pattern);
    },
    during: () => app.profile.addFilter('during', pattern),
    highlight: () => app.update({ search: pattern }, 'push'),
  };
}

/** To a place in the timeline, which is marked there. */
export function jumpTo(app: App, label: string, title: string, place: TimePlace): Jump {
  return {
    label,
    title,
    run() {
      app.profile.place.value = place;
      app.profile.timeline.peek()?.showPlace(place);
    },
  };
}
