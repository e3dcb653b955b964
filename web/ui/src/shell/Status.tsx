import type { SummaryResult } from '@hotframe/engine';
import { useApp } from '../state/services.ts';
import { formatThings, formatSeconds } from '../text/units.ts';
import { GraphStatus } from '../views/graph/GraphStatus.tsx';

export function Status() {
  const app = useApp();
  const status = app.status.value;
  if (status.kind === 'graph') return <GraphStatus />;
  if (status.kind !== 'ready') return <footer class="status" />;
  const { summary } = status;
  const flame = app.flameStatus.value;
  const { view } = app.view.value;
  return (
    <footer class="status">
      <span>{measured(summary)}</span>
      <span>{formatThings(summary.points, 'sample')}</span>
      <span class="wide-only">{formatThings(summary.contexts, 'context')}</span>
      {(view === 'flame' || view === 'both') && flame !== undefined && flame.merged > 0 && (
        <span title="Zoom in to see them one by one">
          {formatThings(flame.merged, 'frame')} narrower than{' '}
          {flame.narrowest > 1 ? formatThings(flame.narrowest, 'pixel') : 'a pixel'} drawn merged
        </span>
      )}
      <span class="grow" />
      {summary.opened_s !== null && <span>opened in {formatSeconds(summary.opened_s)}</span>}
      {summary.warnings.length > 0 && (
        <button
          type="button"
          onClick={() => {
            app.overlay.value = 'warnings';
          }}
        >
          {formatThings(summary.warnings.length, 'warning')}
        </button>
      )}
    </footer>
  );
}

function measured(summary: SummaryResult): string {
  const time = summary.duration_s === null ? '' : formatSeconds(summary.duration_s);
  const threads = summary.threads > 0 ? formatThings(summary.threads, 'thread') : '';
  if (time !== '' && threads !== '') return `${time} over ${threads}`;
  return time || threads || summary.format;
}
