import { AccessesBar } from '../../views/accesses/AccessesBar.tsx';
import { AccessesStatus } from '../../views/accesses/AccessesStatus.tsx';
import { AccessesView } from '../../views/accesses/AccessesView.tsx';
import { ACCESSES_KEYS } from '../../views/accesses/keys.ts';
import type { DocumentPage } from '../kind.ts';
import { commands } from './commands.ts';
import { exportMenu } from './export.ts';

/** Accesses: of loops of C, of a part of a dataflow graph, and recorded ones. */
export const accessesPage: DocumentPage = {
  Controls: () => null,
  Bar: AccessesBar,
  Main: AccessesView,
  Status: AccessesStatus,
  Dialogs: () => null,
  mouse: [
    ['Choose an element', 'click'],
    ['Details', 'point at it'],
    ['Choose a size of the cache', 'click on the curve of misses'],
  ],
  keys: [ACCESSES_KEYS],
  commands,
  exports: exportMenu,
  together: () => [],
  warnings: () => [],
};
