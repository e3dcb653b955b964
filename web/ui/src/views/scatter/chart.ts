import { lazy } from '../../widgets/lazy.tsx';
import type { Chart } from '../charts/chart.ts';

export const scatter: Chart = {
  id: 'scatter',
  label: 'Scatter',
  title: 'Calls against what a call costs',
  hasOwnColours: true,
  sideBySide: 'scatter',
  // Where calls are counted.
  suits: ({ comparison, metrics }) =>
    (comparison?.metrics ?? metrics).some(({ name }) => name === 'calls'),
  Picture: lazy(async () => (await import('./ScatterView.tsx')).ScatterView),
};
