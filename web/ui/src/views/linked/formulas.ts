import { effect } from '@preact/signals';
import { changeState, stateOf } from '../../state/address-part.ts';
import type { App } from '../../state/app.ts';
import { renamed, unknownFormulas } from './pane-metrics.ts';
import { LINKED_PART } from './state.ts';

/** Has formulas of panes defined that a document has not been asked for yet, until it is stopped. */
export function followFormulas(
  app: Pick<App, 'view' | 'update' | 'notices'> & {
    readonly documents: Pick<App['documents'], 'shown'>;
    readonly profile: Pick<App['profile'], 'summary' | 'define'>;
  },
): () => void {
  const { documents, profile, notices } = app;
  const asked = new Set<string>();
  return effect(() => {
    const { metrics } = stateOf(app.view.value, LINKED_PART);
    const info = profile.summary.value;
    const shown = documents.shown.value;
    if (info === undefined || shown === undefined) return;
    for (const formula of unknownFormulas(info, metrics)) {
      const question = `${shown} ${formula}`;
      if (asked.has(question)) continue;
      asked.add(question);
      const named = (name: string | undefined) => {
        if (documents.shown.peek() !== shown) return;
        const { metrics: now } = stateOf(app.view.peek(), LINKED_PART);
        changeState(app, LINKED_PART, { metrics: renamed(now, formula, name) }, 'replace');
      };
      profile
        .define(shown, formula)
        .then(
          (metric) => named(profile.summary.peek()?.metrics[metric]?.formula ?? undefined),
          (error: unknown) => {
            named(undefined);
            notices.fail(error);
          },
        )
        .finally(() => asked.delete(question));
    }
  });
}
