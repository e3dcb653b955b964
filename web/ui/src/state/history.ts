import { type ReadonlySignal, signal } from '@preact/signals';
import { decodeHash, encodeHash } from './url.ts';
import type { ViewState } from './view-state.ts';

/** Whether a change is a step that 'back' undoes, or a detail of where one is. */
export type Step = 'push' | 'replace';

export interface ViewHistory {
  readonly view: ReadonlySignal<ViewState>;
  update(change: Partial<ViewState>, step: Step): void;
}

/** The view state, mirrored in the page's address both ways. */
export function createHistory(page: Window): ViewHistory {
  const view = signal(decodeHash(page.location.hash));
  const follow = () => {
    view.value = decodeHash(page.location.hash);
  };
  page.addEventListener('popstate', follow);
  page.addEventListener('hashchange', follow);
  return {
    view,
    update(change, step) {
      const before = encodeHash(view.value);
      view.value = { ...view.value, ...change };
      const after = encodeHash(view.value);
      if (after === before) return;
      const { pathname, search } = page.location;
      const address = `${pathname}${search}${after === '' ? '' : `#${after}`}`;
      if (step === 'push') page.history.pushState(undefined, '', address);
      else page.history.replaceState(undefined, '', address);
    },
  };
}
