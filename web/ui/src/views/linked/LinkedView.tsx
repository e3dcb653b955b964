import { useEffect, useMemo } from 'preact/hooks';
import { changeState, stateOf } from '../../state/address-part.ts';
import type { Sized } from '../../state/layout.ts';
import { useApp } from '../../state/services.ts';
import { shortenName } from '../../text/names.ts';
import { formatExact, formatShare, formatValue, shareOf } from '../../text/units.ts';
import { shares, Splitter, useSize } from '../../widgets/Splitter.tsx';
import { FlameView } from '../flame/FlameView.tsx';
import { unitOf } from '../flame/unit.ts';
import { choose } from './choosing.ts';
import { nextPaneMetric, PaneMetricPicker } from './PaneMetricPicker.tsx';
import { PairsTable } from './PairsTable.tsx';
import { createLinked, type Linked, type Pane } from './panes.ts';
import { LINKED_PART } from './state.ts';

/** Share of the flame graphs above the pairs. */
const PANES: Sized = { name: 'panes', standard: 0.6, least: 0.15, most: 0.85 };

/**
 * Contexts that samples join, such as where memory was allocated, used and used again: a flame
 * graph a role. What is chosen in one narrows those after it.
 */
export function LinkedView() {
  const app = useApp();
  const height = useSize(PANES);
  const roles = app.profile.summary.value?.roles ?? [];
  const id = `${app.profile.spec.value?.document} ${roles.join()}`;
  const linked = useMemo(() => createLinked(app, roles), [id]);
  useEffect(() => linked.dispose, [linked]);
  return (
    <div
      class={roles.length > 1 ? 'linked' : 'linked alone'}
      key={id}
      style={shares('panes', height)}
    >
      <div class="linked-panes">
        {linked.panes.map((pane) => (
          <RolePane key={pane.role} pane={pane} linked={linked} />
        ))}
      </div>
      {roles.length > 1 && (
        <>
          <Splitter label="Height of the panes" part={PANES} along="down" />
          <PairsTable linked={linked} />
        </>
      )}
    </div>
  );
}

function RolePane(props: { readonly pane: Pane; readonly linked: Linked }) {
  const app = useApp();
  const { pane } = props;
  const spec = pane.spec.value;
  const { search } = app.view.value;
  if (spec === undefined) return null;
  return (
    <section class="linked-pane" aria-label={pane.name}>
      <PaneTitle {...props} />
      <FlameView
        label={`Flame graph of ${pane.name}`}
        spec={spec}
        zoom={pane.zoom.value}
        search={search}
        colour={pane.colour.value}
        picks={pane.picks}
        handlers={{ next_pane_metric: () => nextPaneMetric(app, pane) }}
        setZoom={(next) => {
          pane.zoom.value = next;
        }}
        onController={(controller) => {
          pane.controller.value = controller;
        }}
      />
    </section>
  );
}

/** The role, its value, what it is narrowed by, and what is chosen in it. */
function PaneTitle(props: { readonly pane: Pane; readonly linked: Linked }) {
  const app = useApp();
  const { pane, linked } = props;
  // While another metric is on its way, the picture is in the one before.
  const scene = pane.controller.value?.scene.value;
  const metric = scene?.subject.spec.metric ?? app.profile.metric.value;
  const unit = scene === undefined ? app.profile.metricInfo.value : unitOf(app, scene);
  const value = scene?.boxes.scale[0];
  const measured = app.profile.totals.value[metric] ?? 0n;
  // What filters leave, as for the flame graph below.
  const whole = linked.pairs.value.value?.columns.program_total[metric] ?? measured;
  const narrowing = linked.panes.filter(
    (other) => other.role < pane.role && other.path.value.length > 0,
  );
  const share = pane.search.value.value?.result.share;
  const isChosen = pane.path.value.length > 0;
  return (
    <header class="pane-title">
      <b>{pane.name}</b>
      <PaneMetricPicker pane={pane} />
      {value !== undefined && (
        <span class="number" title={formatExact(value, unit)}>
          {formatValue(value, unit)}
          {unit.adds_up && <span class="mute"> {formatShare(shareOf(value, whole))}</span>}
        </span>
      )}
      {share !== undefined && share !== null && (
        <span class="mute number" title="Share of this pane that the search covers">
          {formatShare(share)} match
        </span>
      )}
      {narrowing.map((other) => (
        <span class="mute of" key={other.role} title={other.chosen.value}>
          of {other.name} in <code>{nameIn(other)}</code>
        </span>
      ))}
      <span class="grow" />
      {isChosen && (
        <button
          type="button"
          class="chip"
          title={`${pane.chosen.value ?? 'Not in this view'}\nClear what is chosen here (Esc)`}
          aria-label={`Clear what is chosen in ${pane.name}`}
          onClick={() => {
            const { chosen } = stateOf(app.view.peek(), LINKED_PART);
            changeState(app, LINKED_PART, { chosen: choose(chosen, pane.role, []) });
          }}
        >
          <span class="pattern">{nameIn(pane)}</span> <span aria-hidden="true">×</span>
        </button>
      )}
    </header>
  );
}

function nameIn(pane: Pane): string {
  const name = pane.chosen.value;
  if (name !== undefined) return shortenName(name, 34);
  return pane.isLooking.value ? '…' : 'what is not in this view';
}
