import { render } from 'preact';
// In this order: what comes later overrules what came before.
import '../theme/tokens.css';
import '../theme/base.css';
import '../theme/header.css';
import '../theme/bar.css';
import '../theme/main.css';
import '../theme/timeline.css';
import '../theme/happenings.css';
import '../theme/heat.css';
import '../theme/charts.css';
import '../theme/experiment.css';
import '../theme/processors.css';
import '../theme/overlays.css';
import '../theme/flame.css';
import '../theme/details.css';
import '../theme/table.css';
import '../theme/source.css';
import '../theme/spread.css';
import '../theme/changes.css';
import '../theme/sandwich.css';
import '../theme/linked.css';
import '../theme/narrow.css';
import '../theme/touch.css';
import '../theme/contrast.css';
import '../theme/dialogs.css';
import '../theme/graph.css';
import '../theme/accesses.css';
import '../theme/runs.css';
import { shownKeys } from '../documents/pages.ts';
import { VIEWS } from '../documents/profile/views.ts';
import { Shell } from '../shell/Shell.tsx';
import { createApp } from '../state/app.ts';
import { createDispatcher } from '../state/commands.ts';
import { ServicesProvider } from '../state/services.ts';
import { showHarmlessly } from './harmless.ts';
import type { Host } from '../state/host.ts';

/** Draws the page in its host. */
export function start(host: Host): void {
  const root = host.window.document.getElementById('app');
  if (root === null) return;
  showHarmlessly();
  const app = createApp(host, VIEWS);
  const commands = createDispatcher(host.window, () => shownKeys(app));
  render(
    <ServicesProvider value={{ app, commands }}>
      <Shell />
    </ServicesProvider>,
    root,
  );
}
