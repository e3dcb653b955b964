import { isKnownProgress, type PythonPane } from '../../state/python/pane.ts';
import type { LastRun, ScriptsStatus } from '../../state/python/scripts.ts';
import { ProgressBar } from '../../widgets/ProgressBar.tsx';

/** How far the script is, how long the last one took, or what is in the way. */
export function ScriptStatus({ pane }: { readonly pane: PythonPane }) {
  const status = pane.scripts.status.value;
  const progress =
    status.kind === 'running' || status.kind === 'handing' ? status.progress : undefined;
  return (
    <div class="python-status">
      <span role="status">{statusText(status, pane.scripts.last.value)}</span>
      {isKnownProgress(progress) && <ProgressBar done={progress.done} total={progress.total} />}
    </div>
  );
}

/** What is said of scripts, as words. */
export function statusText(status: ScriptsStatus, last: LastRun | undefined): string {
  switch (status.kind) {
    case 'loading':
      return last === undefined ? 'Python is loading' : `${ended(last)}; Python is loading`;
    case 'handing':
      return status.progress === undefined
        ? 'The profile is being passed on'
        : capital(status.progress.phase);
    case 'running':
      return status.progress === undefined ? 'Running' : capital(status.progress.phase);
    case 'failed':
      return `Python cannot be loaded: ${status.message}`;
    case 'idle':
    case 'ready':
      return last === undefined ? '' : ended(last);
  }
}

function ended({ how, milliseconds, error }: LastRun): string {
  const time =
    milliseconds < 1000
      ? `${Math.max(1, Math.round(milliseconds))} ms`
      : `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 1)} s`;
  if (how === 'ended') return `Ended after ${time}`;
  if (how === 'stopped') return `Stopped after ${time}`;
  return error?.line === undefined
    ? `Failed after ${time}`
    : `Failed in line ${error.line} after ${time}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
