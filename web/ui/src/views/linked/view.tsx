import { stateOf } from '../../state/address-part.ts';
import { defineView } from '../../state/view.ts';
import { lazy } from '../../widgets/lazy.tsx';
import { FLAME_KEYS } from '../flame/keys.ts';
import { paneMetric } from './pane-metrics.ts';
import { LINKED_PART } from './state.ts';

const LinkedView = lazy(async () => (await import('./LinkedView.tsx')).LinkedView);

export const linkedView = defineView({
  id: 'linked',
  label: 'Linked',
  title: 'Contexts that samples join, side by side',
  key: '8',
  keyTitle: 'Linked contexts',
  needs: {
    isIn: ({ roles }) => roles.length > 0,
    missing: 'The samples of this profile have no linked contexts.',
  },
  state: LINKED_PART,
  keys: [FLAME_KEYS],
  selectsApart: true,
  byRole: true,
  metrics({ profile, view }) {
    const { metrics } = stateOf(view.value, LINKED_PART);
    const summary = profile.summary.value;
    const own = (summary?.roles ?? []).map((_, role) => paneMetric(summary, metrics, role));
    return [...new Set(own.map((metric) => metric ?? profile.metric.value))];
  },
  draw: () => <LinkedView />,
});
