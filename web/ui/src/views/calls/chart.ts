import { lazy } from '../../widgets/lazy.tsx';
import type { Chart } from '../charts/chart.ts';

export const calls: Chart = {
  id: 'calls',
  label: 'Call graph',
  title: 'Functions, with their calls between them',
  hasOwnColours: true,
  Picture: lazy(async () => (await import('./CallsView.tsx')).CallsView),
};
