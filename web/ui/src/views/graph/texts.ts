import { EdgeFlag } from '@hotframe/engine';
import type { GraphScene } from '../../state/graph-scene.ts';
import { edgeLabelOf, noteOf } from '../../state/graph-drawing.ts';
import { formatDifference, formatQuantity } from '../../text/quantity.ts';

/** What a box tells below its label: its value, else its range, shape or condition. */
export function secondLine({ drawing, overlay, show }: GraphScene, box: number): string {
  const legend = overlay?.result.nodes;
  if (legend === null || legend === undefined) return noteOf(drawing, box);
  const value = overlay?.columns.node_value[box] ?? Number.NaN;
  if (Number.isNaN(value)) return noteOf(drawing, box);
  if (legend.categories.length > 0) return legend.categories[value]?.name ?? '';
  return show.against === null
    ? formatQuantity(value, legend.unit)
    : formatDifference(value, legend.unit);
}

/** What an edge tells: how much moves, or under which condition it is taken. */
export function edgeText({ drawing, overlay, show }: GraphScene, edge: number): string {
  if ((drawing.columns.edge_flags[edge]! & EdgeFlag.INTERSTATE) !== 0)
    return edgeLabelOf(drawing, edge);
  const legend = overlay?.result.edges;
  const value = overlay?.columns.edge_value[edge] ?? Number.NaN;
  if (legend === null || legend === undefined || Number.isNaN(value)) return '';
  if (show.against !== null && value === 0) return '';
  return show.against === null
    ? formatQuantity(value, legend.unit)
    : formatDifference(value, legend.unit);
}
