import { lazy } from '../../widgets/lazy.tsx';
import type { Chart } from '../charts/chart.ts';

export const bars: Chart = {
  id: 'bars',
  label: 'Bars',
  title: 'Self and total, the largest first',
  sideBySide: 'bars',
  suits: () => true,
  Picture: lazy(async () => (await import('./BarsView.tsx')).BarsView),
};
