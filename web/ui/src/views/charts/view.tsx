import { stateOf } from '../../state/address-part.ts';
import { defineView } from '../../state/view.ts';
import { lazy } from '../../widgets/lazy.tsx';
import { shownChart } from './ChartPicker.tsx';
import { CHARTS_KEYS } from './keys.ts';
import { CHARTS_PART, hasOwnColours, isOfTree } from './state.ts';

const ChartsView = lazy(async () => (await import('./ChartsView.tsx')).ChartsView);

export const chartsView = defineView({
  id: 'charts',
  label: 'Charts',
  title: 'Functions by their calls and what a call costs',
  key: 'C',
  state: CHARTS_PART,
  keys: [CHARTS_KEYS],
  isTree: (app) => isOfTree(shownChart(app)),
  hasColours: (app) => !hasOwnColours(shownChart(app)),
  showsAllProfiles: (app) => stateOf(app.view.value, CHARTS_PART).beside,
  draw: (spec) => <ChartsView spec={spec} />,
});
