import { EVERYWHERE, key, type KeyScope } from '../../state/key-bindings.ts';
import { useApp } from '../../state/services.ts';
import { lazy } from '../../widgets/lazy.tsx';
import type { DocumentPage } from '../kind.ts';
import { Bar } from './Bar.tsx';
import { commands } from './commands.ts';
import { Controls } from './Controls.tsx';
import { exportMenu } from './export.ts';
import { Main } from './Main.tsx';
import { Status } from './Status.tsx';
import { together } from './together.ts';
import { VIEWS } from './views.ts';

const VIEW_KEYS: KeyScope = {
  scope: EVERYWHERE,
  title: 'Views',
  keys: VIEWS.map((view) => key(view.keyTitle ?? view.label, `view_${view.id}`, view.key)),
};

const FormulaDialog = lazy(async () => (await import('./FormulaDialog.tsx')).FormulaDialog);

/** Profiles: what was measured. */
export const profilePage: DocumentPage = {
  Controls,
  Bar,
  Main,
  Status,
  Dialogs,
  mouse: [
    ['Select a frame', 'click'],
    ['Zoom to it', 'click again'],
    ['Scroll, or zoom where all fits', 'wheel'],
    ['Zoom', 'Ctrl + wheel, pinch'],
    ['Pan', 'drag, Shift + wheel'],
    ['Menu of a frame, a span or a track', 'right click'],
    ...VIEWS.flatMap(({ mouse }) => mouse),
  ],
  keys: [VIEW_KEYS, ...new Set(VIEWS.flatMap(({ keys }) => keys))],
  commands,
  exports: exportMenu,
  together,
  warnings: (app) => app.profile.summary.value?.warnings ?? [],
};

function Dialogs() {
  const app = useApp();
  if (app.overlay.value !== 'formula') return null;
  return (
    <FormulaDialog
      onClose={() => {
        app.overlay.value = undefined;
      }}
    />
  );
}
