import type { View } from '../../state/view.ts';
import { bothView } from '../../views/both/view.tsx';
import { chartsView } from '../../views/charts/view.tsx';
import { experimentView } from '../../views/experiment/view.tsx';
import { flameView } from '../../views/flame/view.tsx';
import { heatView } from '../../views/heat/view.tsx';
import { linkedView } from '../../views/linked/view.tsx';
import { processorsView } from '../../views/processors/view.tsx';
import { sandwichView } from '../../views/sandwich/view.tsx';
import { tableView } from '../../views/table/view.tsx';
import { timelineView } from '../../views/timeline/view.tsx';

/** The views of profiles, in the order in which they are offered. */
export const VIEWS: readonly View[] = [
  experimentView,
  timelineView,
  heatView,
  flameView,
  tableView,
  bothView,
  chartsView,
  sandwichView,
  processorsView,
  linkedView,
];
