import { defineView } from '../../state/view.ts';
import { lazy } from '../../widgets/lazy.tsx';
import { HEAT_KEYS } from '../heat/keys.ts';
import { PROCESSORS_PART } from './state.ts';

const ProcessorsView = lazy(async () => (await import('./ProcessorsView.tsx')).ProcessorsView);

export const processorsView = defineView({
  id: 'processors',
  label: 'Processors',
  title: 'How many events there were, in all and on each processor',
  key: 'E',
  keyTitle: 'Events by processor',
  needs: {
    isIn: (summary) => summary.has_processors,
    missing: 'The samples of this profile have no processors.',
  },
  state: PROCESSORS_PART,
  keys: [HEAT_KEYS],
  draw: (spec) => <ProcessorsView spec={spec} />,
});
