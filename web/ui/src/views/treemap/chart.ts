import { lazy } from '../../widgets/lazy.tsx';
import type { Chart } from '../charts/chart.ts';

export const treemap: Chart = {
  id: 'treemap',
  label: 'Treemap',
  title: 'The tree as boxes in boxes, whose areas are values',
  isTree: true,
  hasOwnColours: true,
  Picture: lazy(async () => (await import('./TreemapView.tsx')).TreemapView),
};
