import { shownView } from '../../state/linked.ts';
import { useApp } from '../../state/services.ts';
import { formatThings } from '../../text/units.ts';
import { DetailsPanel } from '../../views/details/DetailsPanel.tsx';
import { type FlameProps, FlameView } from '../../views/flame/FlameView.tsx';
import { BelowTabs, belowChoices } from '../../views/happenings/BelowTabs.tsx';
import { DETAILS, DetailsSplitters, SHEET } from '../../widgets/DetailsSplitters.tsx';
import { lazy } from '../../widgets/lazy.tsx';
import { type Sized, shares, Splitter, useSize } from '../../widgets/Splitter.tsx';

// What is not in the first picture is loaded when it is shown.
const ChartsView = lazy(async () => (await import('../../views/charts/ChartsView.tsx')).ChartsView);
const ExperimentView = lazy(
  async () => (await import('../../views/experiment/ExperimentView.tsx')).ExperimentView,
);
const FunctionsView = lazy(
  async () => (await import('../../views/functions/FunctionsView.tsx')).FunctionsView,
);
const HappeningsView = lazy(
  async () => (await import('../../views/happenings/HappeningsView.tsx')).HappeningsView,
);
const HeatView = lazy(async () => (await import('../../views/heat/HeatView.tsx')).HeatView);
const LinkedView = lazy(async () => (await import('../../views/linked/LinkedView.tsx')).LinkedView);
const PinnedSpreads = lazy(
  async () => (await import('../../views/spread/PinnedSpreads.tsx')).PinnedSpreads,
);
const ProcessorsView = lazy(
  async () => (await import('../../views/processors/ProcessorsView.tsx')).ProcessorsView,
);
const SandwichView = lazy(
  async () => (await import('../../views/sandwich/SandwichView.tsx')).SandwichView,
);
const TableView = lazy(async () => (await import('../../views/table/TableView.tsx')).TableView);
const TimelineView = lazy(
  async () => (await import('../../views/timeline/TimelineView.tsx')).TimelineView,
);

/** Share of the picture above another one. */
const UPPER: Sized = { name: 'upper', standard: 0.5, least: 0.15, most: 0.85 };

/** Share of the timeline above the flame graph of what it shows. */
const TIMELINE: Sized = { name: 'timeline', standard: 0.62, least: 0.2, most: 0.9 };

/** The views of a profile, and all about what is selected. */
export function Main() {
  const app = useApp();
  const [details, sheet] = [useSize(DETAILS), useSize(SHEET)];
  const [both, timeline] = [useSize(UPPER), useSize(TIMELINE)];
  const summary = app.profile.summary.value;
  const spec = app.profile.spec.value;
  const view = shownView(app);
  if (summary?.points === 0 && view !== 'experiment') {
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
  const { zoom, search } = app.view.value;
  const colour = app.profile.colour.value;
  const flame: FlameProps = {
    label: 'Flame graph',
    spec,
    zoom,
    search,
    colour,
    main: true,
    minimap: true,
    pruned: app.profile.pruned.value,
    setZoom: (next, step) => app.update({ zoom: next }, step),
    onController: (controller) => {
      app.profile.flame.value = controller;
    },
  };
  const { below } = app.view.value.timeline;
  // Runs that were only timed have no functions.
  const hasDetails = app.detailsOpen.value && summary?.metrics.length !== 0;
  const isByTime = view === 'timeline' || view === 'heat';
  const upper = isByTime ? timeline : both;
  return (
    <main
      class={hasDetails ? 'main with-details' : 'main'}
      style={{ '--details': `${details}px`, ...shares('sheet', sheet), ...shares('upper', upper) }}
    >
      <div class={view === 'both' || isByTime ? 'views both' : 'views'}>
        {view === 'timeline' && <TimelineView spec={spec} />}
        {view === 'heat' && <HeatView spec={spec} />}
        {isByTime && <Splitter label="Height of what is by time" part={TIMELINE} along="down" />}
        {view === 'timeline' && (
          <div class="below">
            {below === 'flame' && belowChoices(app).length > 1 && (
              <div class="tools">
                <BelowTabs />
              </div>
            )}
            {below === 'flame' ? (
              <FlameView {...flame} />
            ) : (
              <HappeningsView spec={spec} of={below} />
            )}
          </div>
        )}
        {(view === 'flame' || view === 'both' || view === 'heat') && <FlameView {...flame} />}
        {view === 'both' && (
          <Splitter label="Height of the flame graph" part={UPPER} along="down" />
        )}
        {(view === 'table' || view === 'both') &&
          (app.view.value.rows === 'functions' ? <FunctionsView /> : <TableView />)}
        {view === 'charts' && <ChartsView spec={spec} />}
        {view === 'experiment' && <ExperimentView spec={spec} />}
        {view === 'processors' && <ProcessorsView spec={spec} />}
        {view === 'sandwich' && <SandwichView />}
        {view === 'linked' && <LinkedView />}
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
