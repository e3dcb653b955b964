import type { Normalise } from '@hotframe/engine';
import { comparedMetric, WIDTHS } from '../../state/comparison.ts';
import { useApp } from '../../state/services.ts';
import { shortenName } from '../../text/names.ts';
import { exactPattern, patternLabel } from '../../text/patterns.ts';
import { formatSeconds } from '../../text/units.ts';
import { MenuButton } from '../../widgets/Menu.tsx';
import { PanelButton } from '../../widgets/PanelButton.tsx';
import { Pick } from '../../widgets/Pick.tsx';
import { Segments } from '../../widgets/Segments.tsx';
import { Crumbs } from './Crumbs.tsx';
import { Display } from './Display.tsx';
import { AddFilter, FilterChips } from './Filters.tsx';

/** The views, where you are (breadcrumb), what is left out (filters), and how the picture is made. */
export function Bar() {
  const app = useApp();
  const flame = app.profile.flame.value;
  const compared = comparedMetric(app.profile.summary.value, app.profile.metric.value);
  // Runs that were only timed have none.
  const hasFrames = app.profile.summary.value?.metrics.length !== 0;
  return (
    <section class="bar" aria-label="What is drawn">
      <ViewTabs />
      <div class="place-bar">
        {flame !== undefined && <Crumbs flame={flame} />}
        <FilterChips />
        {hasFrames && <AddFilter />}
      </div>
      <Sides />
      {compared !== undefined && <ScalePicker />}
      {compared !== undefined && (
        <Pick
          label="Width"
          choices={WIDTHS}
          value={compared.side}
          onChange={(side) => app.profile.setMetric(compared.metric[side])}
        />
      )}
      <Display />
      {hasFrames && (
        <PanelButton label="Details" title="Details panel (p)" open={app.detailsOpen} />
      )}
    </section>
  );
}

/** The views that fit the profile. */
function ViewTabs() {
  const app = useApp();
  const fitting = app.profile.fittingViews.value;
  return (
    <Segments
      class="tabs"
      label="View"
      choices={fitting.map(({ id, label, title }) => ({ value: id, label, title }))}
      value={app.profile.shownView.value.id}
      wideOnly={fitting.flatMap((view) => (view.wideOnly ? [view.id] : []))}
      onChange={(view: string) => app.update({ view }, 'push')}
    />
  );
}

/** Of a comparison: which side is which. */
function Sides() {
  const app = useApp();
  const comparison = app.profile.summary.value?.comparison;
  if (comparison == null) return null;
  const { base, new: now, swaps, runs, chosen } = comparison;
  /** How long a side is, where its title names a part. */
  const part = (at: 0 | 1) =>
    chosen == null || chosen[at].filters === '' ? null : (
      <span class="number" title={chosen[at].filters}>
        {' '}
        {formatSeconds(chosen[at].length_s)}
      </span>
    );
  const kept = app.profile.filters.value.value?.result.runs ?? runs;
  const side = (at: 0 | 1) =>
    kept[at] === runs[at] ? null : (
      <span class={kept[at] === 0 ? 'problem' : 'number'}>
        {kept[at] === 0
          ? ' no run is left: nothing to compare'
          : ` ${kept[at]} of ${runs[at]} runs`}
      </span>
    );
  return (
    <span class="sides" title={`base: ${base}\nnew: ${now}`}>
      base <b>{shortenName(base, 24)}</b>
      {part(0)}
      {side(0)}
      {!swaps ? (
        <span aria-hidden="true"> → </span>
      ) : (
        <button
          type="button"
          class="plain"
          title="Swap base and new"
          aria-label="Swap base and new"
          onClick={() => {
            app.profile.swap().catch(app.notices.fail);
          }}
        >
          ⇄
        </button>
      )}
      new <b>{shortenName(now, 24)}</b>
      {part(1)}
      {side(1)}
    </span>
  );
}

/** Of a comparison: what values of both sides are brought to. */
function ScalePicker() {
  const app = useApp();
  const by = app.profile.summary.value?.comparison?.normalise ?? { kind: 'absolute' };
  const { value: selected } = app.profile.selection.selected.value;
  const name = selected === undefined || selected.isProgram ? '' : selected.details.result.name;
  const item = (label: string, title: string, to: Normalise) => ({
    label,
    title,
    checked: JSON.stringify(by) === JSON.stringify(to),
    run: () => {
      app.profile.normalise(to).catch(app.notices.fail);
    },
  });
  const frame = (pattern: string): Normalise => ({ kind: 'frame', pattern });
  const label = { absolute: 'absolute', total: 'equal totals', frame: 'equal frame' }[by.kind];
  return (
    <MenuButton
      label={`Scale: ${label}`}
      items={[
        item('Absolute', 'Values as they are', { kind: 'absolute' }),
        item('Equal totals', 'As if both had the total of the base', { kind: 'total' }),
        ...(by.kind === 'frame' ? [item(`Equal ${patternLabel(by.pattern)}`, by.pattern, by)] : []),
        ...(name === ''
          ? []
          : [
              item(
                `Equal ${shortenName(name, 40)}`,
                'As if the selected function took the same on both sides',
                frame(exactPattern(name)),
              ),
            ]),
      ]}
    >
      Scale: <b>{label}</b>
    </MenuButton>
  );
}
