import type { SummaryResult } from '@hotframe/engine';
import { shownView } from '../../state/linked.ts';
import { useApp } from '../../state/services.ts';
import { formatSeconds, formatThings } from '../../text/units.ts';
import { ChangeLegend } from './ChangeLegend.tsx';

/** What was measured, and what the picture leaves out. */
export function Status() {
  const app = useApp();
  const summary = app.profile.summary.value;
  if (summary === undefined) return <footer class="status" />;
  const flame = app.profile.flameStatus.value;
  const view = shownView(app);
  return (
    <footer class="status">
      <span>{measured(summary)}</span>
      <span>{formatThings(summary.points, 'sample')}</span>
      <span class="wide-only">{formatThings(summary.contexts, 'context')}</span>
      {['flame', 'both', 'timeline', 'heat'].includes(view) &&
        flame !== undefined &&
        flame.merged > 0 && (
          <span title="Zoom in to see them one by one">
            {formatThings(flame.merged, 'frame')} narrower than{' '}
            {flame.narrowest > 1 ? formatThings(flame.narrowest, 'pixel') : 'a pixel'} drawn merged
          </span>
        )}
      {summary.estimated_paths && (
        <span title="The format tells who calls whom, not along which paths: totals of trees are estimates, those of functions as the profiler stored them">
          totals estimated
        </span>
      )}
      {summary.switched_off > 0 && (
        <span title="Their events were switched off after some calls, so that tracing stays cheap: values of later calls are estimated by samples, or in what called them">
          {formatThings(summary.switched_off, 'function')} exact in part
        </span>
      )}
      {!(app.profile.metricInfo.value?.adds_up ?? true) &&
        app.profile.metricInfo.value?.formula === null && (
          <span title="Values of this metric do not add up over calls">
            {COMBINE_WORDS[app.profile.metricInfo.value.combine] ??
              app.profile.metricInfo.value.combine}
          </span>
        )}
      {view !== 'table' && app.profile.colour.value === 'change' && <ChangeLegend />}
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

/** What a value of a metric that does not add up is of all below it. */
const COMBINE_WORDS: Readonly<Record<string, string>> = {
  maximum: 'largest, not summed',
  minimum: 'smallest, not summed',
  last: 'last, not summed',
  mean: 'mean, not summed',
  none: 'not summed: no totals',
};

function measured(summary: SummaryResult): string {
  const time = summary.duration_s === null ? '' : formatSeconds(summary.duration_s);
  const threads = summary.threads > 0 ? formatThings(summary.threads, 'thread') : '';
  if (time !== '' && threads !== '') return `${time} over ${threads}`;
  return time || threads || summary.format;
}
