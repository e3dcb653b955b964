import { type ReadonlySignal, signal } from '@preact/signals';
import type { Address } from './host.ts';
import { decodeHash, encodeHash } from './url.ts';
import type { View } from './view.ts';
import type { ViewState } from './view-state.ts';

/** Whether a change is a step that 'back' undoes, or a detail of where one is. */
export type Step = 'push' | 'replace';

export interface ViewHistory {
  readonly view: ReadonlySignal<ViewState>;
  update(change: Partial<ViewState>, step: Step): void;
}

/** The view state, mirrored in the page's address both ways. */
export function createHistory(address: Address, views: readonly View[]): ViewHistory {
  const view = signal(decodeHash(address.read(), views));
  address.follow(() => {
    view.value = decodeHash(address.read(), views);
  });
  return {
    view,
    update(change, step) {
      const before = encodeHash(view.value, views);
      view.value = { ...view.value, ...change };
      const after = encodeHash(view.value, views);
      if (after !== before) address.write(after, step);
    },
  };
}
