import type { SummaryResult } from '@hotframe/engine';
import { colourIn } from '../../state/profile/metric.ts';
import type { HiddenFrames } from '../../state/profile/look.ts';
import { useApp } from '../../state/services.ts';
import { visible } from '../../text/names.ts';
import { formatExact, formatSeconds, formatThings, formatValue } from '../../text/units.ts';
import { ChangeLegend } from './ChangeLegend.tsx';

/** What was measured, and what the picture leaves out. */
export function Status() {
  const app = useApp();
  const summary = app.profile.summary.value;
  if (summary === undefined) return <footer class="status" />;
  const view = app.profile.shownView.value;
  const flame = view.hasFlame ? app.profile.flameStatus.value : undefined;
  const metrics = view.metrics(app);
  const pictured = metrics.flatMap((metric) => summary.metrics[metric] ?? []);
  const { colour } = app.view.value;
  const ofChanges = metrics.find((metric) => colourIn(summary, metric, colour) === 'change');
  return (
    <footer class="status">
      <span>{measured(summary)}</span>
      <span title="Different stacks, or records: several samples may share one">
        {formatThings(summary.points, 'stack')}
      </span>
      <span class="wide-only">{formatThings(summary.contexts, 'context')}</span>
      {flame !== undefined && flame.merged > 0 && (
        <span title="Zoom in to see them one by one">
          {formatThings(flame.merged, 'frame')} narrower than{' '}
          {flame.narrowest > 1 ? formatThings(flame.narrowest, 'pixel') : 'a pixel'}, merged
        </span>
      )}
      {flame?.hidden !== undefined && <Hidden {...flame.hidden} />}
      {summary.estimated_paths && (
        <span title="The format has calls between functions and no call paths: totals of trees are estimates; those of functions are as the profiler stored them">
          totals estimated
        </span>
      )}
      {summary.switched_off > 0 && (
        <span title="Their events were switched off after some calls, so that tracing stays cheap: values of later calls are estimated by samples, or in what called them">
          {formatThings(summary.switched_off, 'function')} exact in part
        </span>
      )}
      {pictured.map(
        ({ name, adds_up, formula, combine }) =>
          !adds_up &&
          formula === null && (
            <span key={name} title="Values of this metric do not add up over calls">
              {pictured.length > 1 && `${visible(name)}: `}
              {COMBINE_WORDS[combine] ?? combine}
            </span>
          ),
      )}
      {!view.isText && ofChanges !== undefined && (
        <ChangeLegend
          signed={summary.metrics[ofChanges]?.signed ?? false}
          tested={summary.comparison?.tested ?? false}
        />
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

/** What is left out of the flame graph, as was asked for. */
function Hidden({ count, total, metric, isAll, isLeast }: HiddenFrames) {
  const unit = useApp().profile.summary.value?.metrics[metric];
  if (count === 0 || unit === undefined) return null;
  const where = isAll ? '' : ' in the part that is loaded';
  const more = isLeast ? '; below frames that are merged there may be more' : '';
  const exact = total === undefined ? '' : `: ${formatExact(total, unit)}`;
  return (
    <span
      title={`Left out by ‘Hide below’ and ‘Levels’${where}, each with all below it${exact}${more}`}
    >
      pruned: {isLeast && 'at least '}
      {formatThings(count, 'frame')}
      {total !== undefined && `, ${formatValue(total, unit)}`} not drawn
    </span>
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
