import type { ViewSpec } from '@hotframe/engine';
import { stateOf } from '../../state/address-part.ts';
import type { App } from '../../state/app.ts';
import { useApp } from '../../state/services.ts';
import { lazy } from '../../widgets/lazy.tsx';
import { openProfiles } from '../beside/profiles.ts';
import type { Chart } from './chart.ts';
import { ChartPicker } from './ChartPicker.tsx';
import { CHARTS } from './charts.ts';
import { CHARTS_PART } from './state.ts';

const BesideView = lazy(async () => (await import('../beside/BesideView.tsx')).BesideView);

/** The chosen chart, else the first that suits. */
export function shownChart(app: App): Chart {
  const { chart } = stateOf(app.view.value, CHARTS_PART);
  const summary = app.profile.summary.value;
  const chosen = CHARTS.find(({ id }) => id === chart);
  const suiting = CHARTS.find(({ suits }) => summary !== undefined && suits?.(summary) === true);
  return (chosen ?? suiting ?? CHARTS[0])!;
}

/** A chart of all functions or of the tree; of several profiles side by side where that is asked for. */
export function ChartsView({ spec }: { readonly spec: ViewSpec }) {
  const app = useApp();
  const { Picture, id, sideBySide } = shownChart(app);
  const isBeside = stateOf(app.view.value, CHARTS_PART).beside && openProfiles(app).length > 1;
  const picker = <ChartPicker chart={id} canStandBeside={sideBySide !== undefined} />;
  return (
    <div class="charts">
      {isBeside && sideBySide !== undefined ? (
        <BesideView key={id} spec={spec} chart={sideBySide} picker={picker} />
      ) : (
        <Picture spec={spec} picker={picker} />
      )}
    </div>
  );
}
