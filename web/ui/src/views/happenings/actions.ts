import type { RowName, TimePlace } from '@hotframe/engine';
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
  readonly show?: Jump | undefined;
  /** Where else. */
  readonly other?: Jump | undefined;
  readonly next?: ((back: boolean) => void) | undefined;
  /** Keeps only what was while they ran. */
  readonly during?: (() => void) | undefined;
  readonly highlight?: (() => void) | undefined;
}

/** What a row's name allows, besides going to its place. */
export function actionsOf(app: App, { finds }: RowName, show: Jump | undefined): Actions {
  if (finds?.kind === 'spans') return { ...spanActions(app, finds.name), show };
  return finds?.kind === 'marks' ? markActions(app, finds.name) : { show };
}

/** Of marks of a kind. */
function markActions(app: App, kind: string): Actions {
  const next = (back: boolean) => void app.profile.timeline.peek()?.jumpToMark(kind, back);
  return { show: { label: 'next', title: 'To the next one', run: () => next(false) }, next };
}

/** Of spans of a name. */
function spanActions(app: App, name: string): Actions {
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
