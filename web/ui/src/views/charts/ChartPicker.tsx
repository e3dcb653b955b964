import { changeState, stateOf } from '../../state/address-part.ts';
import type { App } from '../../state/app.ts';
import { CHARTS_PART, type ChartKind, CHARTS } from './state.ts';
import { useApp } from '../../state/services.ts';
import { Segments } from '../../widgets/Segments.tsx';

/** The chosen chart, else the scatter where calls are counted and bars of anything else. */
export function shownChart(app: App): ChartKind {
  const { chart } = stateOf(app.view.value, CHARTS_PART);
  if (chart !== undefined) return chart;
  const summary = app.profile.summary.value;
  const measured = summary?.comparison?.metrics ?? summary?.metrics ?? [];
  return measured.some(({ name }) => name === 'calls') ? 'scatter' : 'bars';
}

export function ChartPicker() {
  const app = useApp();
  return (
    <Segments
      label="Chart"
      choices={CHARTS}
      value={shownChart(app)}
      onChange={(chart) => changeState(app, CHARTS_PART, { chart })}
    />
  );
}
