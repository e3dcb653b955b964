import { useRef } from 'preact/hooks';
import { useCommands } from '../../state/commands.ts';
import { comparedMetric } from '../../state/comparison.ts';
import { metricItems } from '../../state/metric-items.ts';
import type { MatchStatus } from '../../state/profile/look.ts';
import { useServices } from '../../state/services.ts';
import { SHAPES } from '../../state/view-state.ts';
import {
  formatExact,
  formatInteger,
  formatShare,
  formatThings,
  formatValue,
} from '../../text/units.ts';
import { MenuButton } from '../../widgets/Menu.tsx';
import { SearchBox } from '../../widgets/SearchBox.tsx';
import { Pick } from '../../widgets/Pick.tsx';
import { Segments } from '../../widgets/Segments.tsx';
import { ABOUT } from '../../views/estimates/Estimate.tsx';
import { figureItems } from './figures.ts';

/** What of a profile is shown: metric, shape, search. */
export function Controls() {
  const { app } = useServices();
  const { shape } = app.view.value;
  // The bar says by what a bottom-up tree takes its functions.
  const shownShape = shape === 'all_callers' ? 'bottom_up' : shape;
  const shown = app.profile.shownView.value;
  const noShape = !shown.isTree(app);
  return (
    <>
      <MetricPicker />
      <Segments
        class="roomy"
        label="Shape"
        choices={SHAPES}
        value={shownShape}
        disabled={
          noShape ? 'A list of functions has no shape: choose the tree, or another view' : undefined
        }
        onChange={(value) => app.profile.setShape(value)}
      />
      {!noShape && (
        <Pick
          class="tight"
          label="Shape"
          choices={SHAPES}
          value={shownShape}
          onChange={(value) => app.profile.setShape(value)}
        />
      )}
      <div class="find">
        <Search />
      </div>
    </>
  );
}

function MetricPicker() {
  const { app } = useServices();
  const summary = app.profile.summary.value;
  if (summary === undefined || summary.metrics.length === 0) return null;
  const totals = app.profile.totals.value;
  const total = totals[app.profile.metric.value];
  const current = app.profile.metricInfo.value;
  const compared = comparedMetric(summary, app.profile.metric.value);
  const shown = compared === undefined && total !== undefined ? formatValue(total, current) : '';
  return (
    <MenuButton
      label={`Metric ${compared?.metric.name ?? current.name} ${shown}`.trim()}
      class="control"
      title={formatExact(total ?? 0n, current)}
      items={[
        ...metricItems(summary, totals, app.profile.metric.value, app.profile.setMetric),
        ...figureItems(app, summary),
        {
          label: 'By formula…',
          key: 'M',
          apart: true,
          run: () => {
            app.overlay.value = 'formula';
          },
        },
      ]}
    >
      {compared?.metric.name ?? current.name} {shown !== '' && <small>{shown}</small>}{' '}
      <span class="caret" aria-hidden="true">
        ▾
      </span>
    </MenuButton>
  );
}

function Search() {
  const { app, commands } = useServices();
  const input = useRef<HTMLInputElement>(null);
  const { value: found, error } = app.profile.search.value;
  const pattern = app.view.value.search;
  const focusMain = () => document.querySelector<HTMLElement>('[data-scope]')?.focus();
  useCommands(commands, () => undefined, {
    search() {
      // In a narrow window it is behind the button for more tools.
      if (input.current?.offsetParent === null) {
        app.toolsOpen.value = true;
        requestAnimationFrame(() => input.current?.focus());
      }
      input.current?.focus();
      input.current?.select();
    },
  });
  const matched = found?.columns.matched[0] ?? 0n;
  const unit =
    app.profile.summary.value?.metrics[found?.result.list_metric ?? 0] ??
    app.profile.metricInfo.value;
  const about = found?.result.estimated === true ? ABOUT : '';
  const shown = app.profile.shownView.value;
  const part = shown.byRole ? undefined : found?.result.share;
  const share = part === undefined || part === null ? '' : about + formatShare(part);
  const matches = shown.hasFlame ? app.profile.matches.value : undefined;
  const count = matches === undefined ? '' : countOf(matches);
  const title =
    found === undefined
      ? error?.message
      : `${formatThings(found.result.matches, 'matching function')}; together they cover ` +
        `${about}${formatValue(matched, unit)}, each stack counted once`;
  return (
    <SearchBox
      label="Search"
      placeholder="Search functions, files"
      value={pattern}
      inputRef={input}
      problem={error?.code === 'bad_pattern' ? error.message : undefined}
      onChange={(search) => app.update({ search }, 'replace')}
      onEnter={(back) => commands.run(back ? 'previous_match' : 'next_match', null)}
      onEscape={focusMain}
    >
      {pattern === '' ? (
        <span class="key" aria-hidden="true">
          /
        </span>
      ) : (
        <output class="share" title={title} aria-live="polite">
          {error !== undefined ? '!' : [count, share].filter(Boolean).join(' · ')}
        </output>
      )}
    </SearchBox>
  );
}

/** `3 of 27`, or how many there are. */
function countOf({ at, count, more }: MatchStatus): string {
  const all = formatInteger(count) + (more ? '+' : '');
  return at === undefined ? all : `${formatInteger(at + 1)} of ${all}`;
}
