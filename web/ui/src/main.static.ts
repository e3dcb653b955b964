import { keepOffline } from './host/offline.ts';
import { CutReport } from './host/report.ts';
import { start } from './host/start.tsx';
import { staticHost } from './host/static.ts';

try {
  start(staticHost(window));
  keepOffline(window);
} catch (error) {
  if (!(error instanceof CutReport)) throw error;
  document.body.textContent =
    'This report is not whole: its end is missing. Get the file again, or open the one that it was copied from.';
}
