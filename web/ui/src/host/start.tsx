import { render } from 'preact';
import '../theme/tokens.css';
import '../theme/app.css';
import '../theme/graph.css';
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
  render(
    <ServicesProvider value={{ app: createApp(host), commands: createDispatcher(host.window) }}>
      <Shell />
    </ServicesProvider>,
    root,
  );
}
