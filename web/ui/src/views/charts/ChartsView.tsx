import type { ViewSpec } from '@hotframe/engine';
import { stateOf } from '../../state/address-part.ts';
import { useApp } from '../../state/services.ts';
import { BarsView } from '../bars/BarsView.tsx';
import { BesideButton } from '../beside/BesideButton.tsx';
import { BesideView } from '../beside/BesideView.tsx';
import { openProfiles } from '../beside/profiles.ts';
import { CallsView } from '../calls/CallsView.tsx';
import { ScatterView } from '../scatter/ScatterView.tsx';
import { SunburstView } from '../sunburst/SunburstView.tsx';
import { TreemapView } from '../treemap/TreemapView.tsx';
import { ChartPicker, shownChart } from './ChartPicker.tsx';
import { CHARTS_PART } from './state.ts';

/** Charts of all functions. */
export function ChartsView({ spec }: { readonly spec: ViewSpec }) {
  const app = useApp();
  const chart = shownChart(app);
  const isBeside = stateOf(app.view.value, CHARTS_PART).beside && openProfiles(app).length > 1;
  const picker = <ChartPicker />;
  const pickers = (
    <>
      {picker}
      <BesideButton />
    </>
  );
  return (
    <div class="charts">
      {isBeside && (chart === 'scatter' || chart === 'bars') ? (
        <BesideView key={chart} spec={spec} chart={chart} picker={pickers} />
      ) : (
        <>
          {chart === 'scatter' && <ScatterView spec={spec} picker={pickers} />}
          {chart === 'sunburst' && <SunburstView spec={spec} picker={picker} />}
          {chart === 'treemap' && <TreemapView spec={spec} picker={picker} />}
          {chart === 'calls' && <CallsView spec={spec} picker={picker} />}
          {chart === 'bars' && <BarsView spec={spec} picker={pickers} />}
        </>
      )}
    </div>
  );
}
