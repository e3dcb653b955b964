import type { SummaryResult } from '@hotframe/engine';
import { useApp } from '../state/services.ts';
import { formatInteger, formatSeconds } from '../text/units.ts';

export function Status() {
  const app = useApp();
  const status = app.status.value;
  if (status.kind !== 'ready') return <footer class="status" />;
  const { summary } = status;
  const flame = app.flameStatus.value;
  const { view } = app.view.value;
  return (
    <footer class="status">
      <span>{measured(summary)}</span>
      <span>{formatInteger(summary.points)} samples</span>
      <span class="wide-only">{formatInteger(summary.contexts)} contexts</span>
      {(view === 'flame' || view === 'both') && flame !== undefined && flame.merged > 0 && (
        <span title="Zoom in to see them one by one">
          {formatInteger(flame.merged)} frames narrower than{' '}
          {flame.narrowest > 1 ? `${formatInteger(flame.narrowest)} pixels` : 'a pixel'} are drawn
          merged
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
          {summary.warnings.length} {summary.warnings.length === 1 ? 'warning' : 'warnings'}
        </button>
      )}
    </footer>
  );
}

function measured(summary: SummaryResult): string {
  const time = summary.duration_s === null ? '' : formatSeconds(summary.duration_s);
  const threads = summary.threads > 0 ? `${formatInteger(summary.threads)} threads` : '';
  if (time !== '' && threads !== '') return `${time} over ${threads}`;
  return time || threads || summary.format;
}
