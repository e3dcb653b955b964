import { bars } from '../bars/chart.ts';
import { calls } from '../calls/chart.ts';
import { scatter } from '../scatter/chart.ts';
import { sunburst } from '../sunburst/chart.ts';
import { treemap } from '../treemap/chart.ts';
import type { Chart } from './chart.ts';

/** All charts, in the order in which they are offered. */
export const CHARTS: readonly Chart[] = [scatter, bars, sunburst, treemap, calls];
