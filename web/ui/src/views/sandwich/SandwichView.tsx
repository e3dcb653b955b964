import type { ViewSpec } from '@hotframe/engine';
import { useComputed, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { specKey } from '../../state/nodes.ts';
import { useApp } from '../../state/services.ts';
import { NO_ZOOM, type Zoom } from '../../state/view-state.ts';
import { formatShare, formatValue, shareOf } from '../../text/units.ts';
import { FlameView } from '../flame/FlameView.tsx';
import { FunctionList } from './FunctionList.tsx';
import { createFunctions } from './functions.ts';

/** One function between everything that calls it (above) and everything it calls (below). */
export function SandwichView() {
  const app = useApp();
  const spec = app.spec.value;
  const functions = useMemo(() => createFunctions(app), []);
  const chosen = functions.chosen.value;
  if (spec === undefined) return null;
  return (
    <div class="sandwich">
      <FunctionList functions={functions} />
      {chosen === undefined ? (
        <div class="message">
          <h2>Choose a function</h2>
          <p>Its callers and callees appear here, merged over all places where it is called.</p>
        </div>
      ) : (
        <Panes key={`${chosen}`} chosen={chosen} name={functions.chosenName.value} spec={spec} />
      )}
    </div>
  );
}

function Panes(props: { readonly chosen: number; readonly name: string; readonly spec: ViewSpec }) {
  const app = useApp();
  const { search, colour } = app.view.value;
  const unit = app.metricInfo.value;
  const details = app.selection.selected.value.value?.details;
  const total = details?.result.key === props.chosen ? details.columns.function[1] : undefined;
  const self = details?.result.key === props.chosen ? details.columns.function[0] : undefined;
  const whole = details?.columns.program_total[props.spec.metric] ?? 0n;
  return (
    <div class="panes">
      <Pane kind="callers" {...props} search={search} colour={colour} />
      <div class="pane-title">
        <b title={props.name}>{props.name}</b>
        {total !== undefined && self !== undefined && (
          <span class="mute number">
            total {formatValue(total, unit)} ({formatShare(shareOf(total, whole))}), self{' '}
            {formatValue(self, unit)} ({formatShare(shareOf(self, whole))})
          </span>
        )}
      </div>
      <Pane kind="callees" {...props} search={search} colour={colour} />
    </div>
  );
}

function Pane(props: {
  readonly kind: 'callers' | 'callees';
  readonly chosen: number;
  readonly name: string;
  readonly spec: ViewSpec;
  readonly search: string;
  readonly colour: Parameters<typeof FlameView>[0]['colour'];
}) {
  const zoom = useSignal<Zoom>(NO_ZOOM);
  const text = specKey({ ...props.spec, shape: { kind: props.kind, key: props.chosen } });
  const spec = useMemo(() => JSON.parse(text) as ViewSpec, [text]);
  const shown = useComputed(() => zoom.value);
  return (
    <FlameView
      label={props.kind === 'callers' ? 'Callers' : 'Callees'}
      spec={spec}
      zoom={shown.value}
      search={props.search}
      colour={props.colour}
      inverted={props.kind === 'callers'}
      setZoom={(next) => {
        zoom.value = next;
      }}
    />
  );
}
