import type { ViewSpec } from '@hotframe/engine';
import { useApp } from '../../state/services.ts';
import { BarsView } from '../bars/BarsView.tsx';
import { SunburstView } from '../sunburst/SunburstView.tsx';
import { ScatterView } from '../scatter/ScatterView.tsx';
import { CallsView } from '../calls/CallsView.tsx';
import { TreemapView } from '../treemap/TreemapView.tsx';
import { ChartPicker, shownChart } from './ChartPicker.tsx';

/** Charts of all functions. */
export function ChartsView({ spec }: { readonly spec: ViewSpec }) {
  const chart = shownChart(useApp());
  return (
    <div class="charts">
      {chart === 'scatter' && <ScatterView spec={spec} picker={<ChartPicker />} />}
      {chart === 'sunburst' && <SunburstView spec={spec} picker={<ChartPicker />} />}
      {chart === 'treemap' && <TreemapView spec={spec} picker={<ChartPicker />} />}
      {chart === 'calls' && <CallsView spec={spec} picker={<ChartPicker />} />}
      {chart === 'bars' && <BarsView spec={spec} picker={<ChartPicker />} />}
    </div>
  );
}
