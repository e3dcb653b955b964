import { stateOf } from '../../state/address-part.ts';
import { defineView } from '../../state/view.ts';
import { lazy } from '../../widgets/lazy.tsx';
import { EXPERIMENT_KEYS } from './keys.ts';
import { drawsTrees, EXPERIMENT_PART } from './state.ts';

const ExperimentView = lazy(async () => (await import('./ExperimentView.tsx')).ExperimentView);

export const experimentView = defineView({
  id: 'experiment',
  label: 'Experiment',
  title: 'Cells, what differs between them, and why',
  key: 'V',
  keyTitle: 'Cells of an experiment',
  needs: {
    // A comparison of parts of an experiment is none.
    isIn: ({ is_experiment, comparison }) => is_experiment && comparison === null,
    missing: 'This profile is not the result of an experiment.',
  },
  showsNoSamples: true,
  suits: () => true,
  state: EXPERIMENT_PART,
  keys: [EXPERIMENT_KEYS],
  mouse: [['Choose cells together', 'drag on a matrix']],
  isTree: (app) => drawsTrees(stateOf(app.view.value, EXPERIMENT_PART)),
  hasColours: (app) => stateOf(app.view.value, EXPERIMENT_PART).part === 'charts',
  draw: (spec) => <ExperimentView spec={spec} />,
});
