import { lazy } from '../../widgets/lazy.tsx';
import type { Chart } from '../charts/chart.ts';

export const sunburst: Chart = {
  id: 'sunburst',
  label: 'Sunburst',
  title: 'The tree in rings, a ring a call',
  isTree: true,
  Picture: lazy(async () => (await import('./SunburstView.tsx')).SunburstView),
};
