import { useApp } from '../../state/services.ts';
import { formatThings } from '../../text/units.ts';
import { DetailsPanel } from '../../views/details/DetailsPanel.tsx';
import { DETAILS, DetailsSplitters, SHEET } from '../../widgets/DetailsSplitters.tsx';
import { lazy } from '../../widgets/lazy.tsx';
import { shares, sizeIn, Splitter, useSize } from '../../widgets/Splitter.tsx';

// What is not in the first picture is loaded when it is shown.
const PinnedSpreads = lazy(
  async () => (await import('../../views/spread/PinnedSpreads.tsx')).PinnedSpreads,
);

/** The view of a profile, and all about what is selected. */
export function Main() {
  const app = useApp();
  const [details, sheet] = [useSize(DETAILS), useSize(SHEET)];
  const summary = app.profile.summary.value;
  const spec = app.profile.spec.value;
  const view = app.profile.shownView.value;
  const { lower } = view;
  const upper = lower && shares('upper', sizeIn(app.layout, lower.part));
  if (summary?.points === 0 && !view.showsNoSamples) {
    const told = summary.warnings.length;
    return (
      <main class="message">
        <h2>This profile is empty</h2>
        <p>
          {told === 0
            ? `${summary.title} was read without a problem, but it has no samples.`
            : `${summary.title} has no samples that could be read; ${formatThings(told, 'warning')} below may say why.`}
        </p>
      </main>
    );
  }
  if (spec === undefined) return null;
  // Runs that were only timed have no functions.
  const hasDetails = app.detailsOpen.value && summary?.metrics.length !== 0;
  return (
    <main
      class={hasDetails ? 'main with-details' : 'main'}
      style={{ '--details': `${details}px`, ...shares('sheet', sheet), ...upper }}
    >
      <div class={lower === undefined ? 'views' : 'views both'}>
        {view.draw(spec)}
        {lower !== undefined && <Splitter label={lower.label} part={lower.part} along="down" />}
        {lower?.draw(spec)}
      </div>
      {hasDetails && (
        <>
          <DetailsSplitters />
          <DetailsPanel />
        </>
      )}
      {app.profile.pinned.value.length > 0 && <PinnedSpreads />}
    </main>
  );
}
