import { changeState, stateOf } from '../../state/address-part.ts';
import type { App } from '../../state/app.ts';
import { metricItems } from '../../state/metric-items.ts';
import { useApp } from '../../state/services.ts';
import { formatExact } from '../../text/units.ts';
import { MenuButton } from '../../widgets/Menu.tsx';
import { metricName, withPaneMetric } from './pane-metrics.ts';
import type { Pane } from './panes.ts';
import { LINKED_PART } from './state.ts';

/** The metric of a pane: that of the page, or one of its own. Nothing to choose where there is one. */
export function PaneMetricPicker(props: { readonly pane: Pane }) {
  const app = useApp();
  const { pane } = props;
  const summary = app.profile.summary.value;
  if (summary === undefined || summary.metrics.length < 2) return null;
  const own = pane.metric.value;
  const totals = app.profile.totals.value;
  const ofPage = app.profile.metricInfo.value;
  const current = summary.metrics[own ?? app.profile.metric.value] ?? ofPage;
  return (
    <MenuButton
      label={`Metric of ${pane.name}: ${current.name} ${current.unit}${own === undefined ? ', as the page' : ''}`}
      class={own === undefined ? 'plain' : 'plain on'}
      title={
        own === undefined
          ? 'In the metric of the page; choose another one for this pane (u)'
          : `${formatExact(totals[own] ?? 0n, current)} in all`
      }
      items={[
        {
          label: `As the page: ${ofPage.name}`,
          title: 'Follows the metric above',
          checked: own === undefined,
          run: () => setPaneMetric(app, pane, undefined),
        },
        ...metricItems(summary, totals, own, (metric) => setPaneMetric(app, pane, metric)).map(
          (item, index) => ({ ...item, apart: index === 0 }),
        ),
      ]}
    >
      {current.name}{' '}
      <span class="caret" aria-hidden="true">
        ▾
      </span>
    </MenuButton>
  );
}

/** The metric after the one of the pane; after the last that of the page. */
export function nextPaneMetric(app: App, pane: Pane): void {
  const count = app.profile.summary.peek()?.metrics.length ?? 0;
  const next = (pane.metric.peek() ?? -1) + 1;
  if (count > 1) setPaneMetric(app, pane, next < count ? next : undefined);
}

function setPaneMetric(app: App, pane: Pane, metric: number | undefined): void {
  const summary = app.profile.summary.peek();
  if (summary === undefined) return;
  const name = metric === undefined ? undefined : metricName(summary, metric);
  const { metrics } = stateOf(app.view.peek(), LINKED_PART);
  changeState(app, LINKED_PART, { metrics: withPaneMetric(metrics, pane.role, name) });
}
