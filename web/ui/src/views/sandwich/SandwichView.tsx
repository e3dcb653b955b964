import type { Answer, ColourBy, ViewSpec } from '@hotframe/engine';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { flamePicture, useExports } from '../../state/exports.ts';
import type { Sized } from '../../state/layout.ts';
import { calleesOf, callersOf, PROGRAM, specKey } from '../../state/nodes.ts';
import { useApp } from '../../state/services.ts';
import { NO_ZOOM, type Zoom } from '../../state/view-state.ts';
import { visible } from '../../text/names.ts';
import { formatShare, formatValue, shareOf } from '../../text/units.ts';
import { useMade } from '../../widgets/made.ts';
import { shares, Splitter, useSize } from '../../widgets/Splitter.tsx';
import { FlameView } from '../flame/FlameView.tsx';
import { FunctionList } from './FunctionList.tsx';
import { createFunctions } from './functions.ts';

/** Width of the list, and share of the callers' height. */
const LIST: Sized = { name: 'functions', standard: 290, least: 150, most: 800 };
const CALLERS: Sized = { name: 'callers', standard: 0.42, least: 0.1, most: 0.85 };

/** One function between everything that calls it (above) and everything it calls (below). */
export function SandwichView() {
  const app = useApp();
  const list = useSize(LIST);
  const functions = useMade(() => createFunctions(app));
  const spec = app.profile.spec.value;
  const chosen = functions.chosen.value;
  const { error, value } = functions.list.value;
  useEffect(() => {
    if (spec === undefined || chosen === undefined) return;
    app.profile.selection.pick({ spec: calleesOf(spec, chosen), place: PROGRAM, path: [] });
  }, [spec, chosen]);
  if (spec === undefined) return null;
  return (
    <div class="sandwich" style={{ '--functions': `${list}px` }}>
      <FunctionList functions={functions} />
      <Splitter label="Width of the list" part={LIST} along="across" />
      {chosen === undefined ? (
        <div class="message">
          <h2>{value === undefined ? (error?.message ?? '') : 'No function to show'}</h2>
          <p>Callers and callees of a function appear here, merged over all its calls.</p>
        </div>
      ) : (
        <Panes key={`${chosen}`} chosen={chosen} shown={functions.shown.value.value} spec={spec} />
      )}
    </div>
  );
}

function Panes(props: {
  readonly chosen: number;
  readonly shown: Answer<'details'> | undefined;
  readonly spec: ViewSpec;
}) {
  const app = useApp();
  const callers = useSize(CALLERS);
  const { chosen, shown, spec } = props;
  const { search } = app.view.value;
  const colour = app.profile.colour.value;
  useExports(
    () => ({
      pictures: [
        flamePicture(app, 'Callees', calleesOf(spec, chosen)),
        flamePicture(app, 'Callers', callersOf(spec, chosen)),
      ],
      tables: [],
      hasNoFlame: true,
    }),
    [spec, chosen],
  );
  const unit = app.profile.metricInfo.value;
  const whole = shown?.columns.program_total[spec.metric] ?? 0n;
  const [self, total] = shown?.columns.function ?? [];
  const name = shown?.result.label ?? shown?.result.name ?? '';
  return (
    <div class="panes" style={shares('callers', callers)}>
      <Pane
        label="Callers"
        spec={callersOf(spec, chosen)}
        search={search}
        colour={colour}
        inverted
      />
      <Splitter label="Height of the callers" part={CALLERS} along="down" />
      <div class="pane-title">
        <b title={visible(name)}>{visible(name)}</b>
        {total !== undefined && self !== undefined && (
          <span class="mute number">
            total {formatValue(total, unit)} ({formatShare(shareOf(total, whole))}), self{' '}
            {formatValue(self, unit)} ({formatShare(shareOf(self, whole))})
          </span>
        )}
      </div>
      <Pane label="Callees" spec={calleesOf(spec, chosen)} search={search} colour={colour} />
    </div>
  );
}

function Pane(props: {
  readonly label: string;
  readonly spec: ViewSpec;
  readonly search: string;
  readonly colour: ColourBy;
  readonly inverted?: boolean;
}) {
  const zoom = useSignal<Zoom>(NO_ZOOM);
  const spec = useMemo(() => props.spec, [specKey(props.spec)]);
  return (
    <FlameView
      {...props}
      spec={spec}
      zoom={zoom.value}
      setZoom={(next) => {
        zoom.value = next;
      }}
    />
  );
}
