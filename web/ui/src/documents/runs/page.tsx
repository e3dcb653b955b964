import { useApp } from '../../state/services.ts';
import { KeptRuns } from '../../views/run/KeptRuns.tsx';
import { NotAllowed } from '../../views/run/NotAllowed.tsx';
import { RunNew } from '../../views/run/RunNew.tsx';
import { RunProgress } from '../../views/run/RunProgress.tsx';
import { RunsBar } from '../../views/run/RunsBar.tsx';
import { QueueView } from '../../views/queue/QueueView.tsx';
import { Dialog } from '../../widgets/Dialog.tsx';
import type { DocumentPage } from '../kind.ts';

/** Experiments that are begun from here; in the place of a document. */
export const runsPage: DocumentPage = {
  Controls: () => null,
  Bar: RunsBar,
  Main: RunsMain,
  Status: RunsStatus,
  Dialogs: RunsDialogs,
  mouse: [['Send a program', 'drop it on the page']],
  keys: [],
  commands: () => ({}),
  exports: () => [],
  together: () => [],
  warnings: () => [],
};

function RunsMain() {
  const { runs } = useApp();
  if (runs.isAllowed.value === undefined) return <main class="runs message" />;
  if (!runs.isAllowed.value) return <NotAllowed />;
  switch (runs.place.value?.page) {
    case 'run':
      return <RunProgress />;
    case 'kept':
      return <KeptRuns />;
    case 'queue':
      return <QueueView />;
    case 'new':
    case undefined:
      return <RunNew />;
  }
}

function RunsDialogs() {
  const app = useApp();
  if (app.overlay.value !== 'held') return null;
  const lines = app.runs.here.value.value?.in_force.split('\n') ?? [];
  return (
    <Dialog
      title="What isolates programs here"
      onClose={() => {
        app.overlay.value = undefined;
      }}
    >
      <ul class="warnings">
        {lines
          .filter((line) => line.trim() !== '')
          .map((line) => (
            <li key={line}>{line}</li>
          ))}
      </ul>
    </Dialog>
  );
}

/** What holds programs here. */
function RunsStatus() {
  const app = useApp();
  const held = app.runs.here.value.value?.in_force ?? '';
  return (
    <footer class="status">
      {held !== '' && (
        <button
          type="button"
          onClick={() => {
            app.overlay.value = 'held';
          }}
        >
          What isolates programs here
        </button>
      )}
    </footer>
  );
}
