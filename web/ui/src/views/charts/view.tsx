import { stateOf } from '../../state/address-part.ts';
import { defineView } from '../../state/view.ts';
import { ChartsView, shownChart } from './ChartsView.tsx';
import { CHARTS_KEYS } from './keys.ts';
import { CHARTS_PART } from './state.ts';

export const chartsView = defineView({
  id: 'charts',
  label: 'Charts',
  title: 'Functions by their calls and what a call costs',
  key: 'C',
  state: CHARTS_PART,
  keys: [CHARTS_KEYS],
  mouse: [['Choose functions together', 'drag on a chart']],
  isTree: (app) => shownChart(app).isTree === true,
  hasColours: (app) => shownChart(app).hasOwnColours !== true,
  showsAllProfiles: (app) => stateOf(app.view.value, CHARTS_PART).beside,
  draw: (spec) => <ChartsView spec={spec} />,
});
