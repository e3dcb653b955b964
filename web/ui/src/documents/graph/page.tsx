import { GraphBar } from '../../views/graph/GraphBar.tsx';
import { GraphSearch } from '../../views/graph/GraphSearch.tsx';
import { GraphStatus } from '../../views/graph/GraphStatus.tsx';
import { GraphView } from '../../views/graph/GraphView.tsx';
import { GRAPH_KEYS } from '../../views/graph/keys.ts';
import type { DocumentPage } from '../kind.ts';
import { commands } from './commands.ts';
import { exportMenu } from './export.ts';
import { together } from './together.ts';

/** Dataflow graphs, as DaCe writes them. */
export const graphPage: DocumentPage = {
  Controls: GraphSearch,
  Bar: GraphBar,
  Main: GraphView,
  Status: GraphStatus,
  Dialogs: () => null,
  mouse: [
    ['Select a box or an edge', 'click'],
    ['Fold or unfold', 'double click, or the chevron'],
    ['Zoom to a container', 'double click on its ground'],
    ['Pan', 'drag, wheel'],
    ['Zoom', 'Ctrl + wheel, pinch'],
    ['Menu', 'right click'],
  ],
  keys: [GRAPH_KEYS],
  commands,
  exports: exportMenu,
  together,
  warnings: (app) => app.graph.summary.value?.warnings ?? [],
};
