import type { Palette } from '../../canvas/palette.ts';
import { stateOf, withState } from '../../state/address-part.ts';
import type { App } from '../../state/app.ts';
import { hasShares } from '../../state/comparison.ts';
import { useApp } from '../../state/services.ts';
import { type Choice, COLOURS } from '../../state/view-state.ts';
import { formatShare, formatThings, formatValue, shareOf } from '../../text/units.ts';
import { Pick } from '../../widgets/Pick.tsx';
import { Ramp } from '../charts/Ramp.tsx';
import { CHARTS_PART, LEAST, TINTS } from '../charts/state.ts';
import type { CallLook } from './picture.ts';
import type { CallScene } from './scene.ts';

type Colouring = CallLook['colouring'];

/** What colours of functions tell: of a comparison its change, else the share. */
export function colouringOf(app: App): Colouring {
  const { tint } = stateOf(app.view.value, CHARTS_PART);
  const compares = app.profile.summary.value?.comparison != null;
  const shares = hasShares(app.profile.summary.value, app.profile.metric.value);
  const isOwn = tint === undefined ? !compares : tint !== 'groups';
  return isOwn && shares ? 'share' : app.profile.colour.value;
}

/** From which shares on functions and calls are drawn, and what is cut off. */
export function CallsBar(props: {
  readonly scene: CallScene | undefined;
  readonly palette: Palette;
}) {
  const app = useApp();
  const { scene, palette } = props;
  const { leastNode, leastEdge } = stateOf(app.view.value, CHARTS_PART);
  const colouring = colouringOf(app);
  const change = (charts: object, more = {}) =>
    app.update({ ...more, ...withState(app.view.peek(), CHARTS_PART, charts) }, 'push');
  const shares = hasShares(app.profile.summary.value, app.profile.metric.value);
  const colours: Choice<Colouring>[] = [
    ...TINTS.flatMap((tint) =>
      shares && tint.value === 'share' ? [{ ...tint, value: tint.value }] : [],
    ),
    ...COLOURS.filter(({ value }) => app.profile.tellsChanges.value || value !== 'change'),
  ];
  return (
    <>
      <Pick
        label="Functions from"
        choices={LEAST}
        value={String(leastNode)}
        onChange={(value) => change({ leastNode: Number(value) })}
      />
      <Pick
        label="Calls from"
        choices={LEAST}
        value={String(leastEdge)}
        onChange={(value) => change({ leastEdge: Number(value) })}
      />
      <Pick
        label="Colour"
        choices={colours}
        value={colouring}
        onChange={(value) =>
          value === 'share'
            ? change({ tint: value })
            : change({ tint: 'groups' }, { colour: value })
        }
      />
      {colouring === 'share' && (
        <Ramp
          palette={palette}
          from="0 %"
          to="total 100 %"
          about="from 0 to 100 % of all in the total"
        />
      )}
      {scene?.estimated === true && (
        <span class="mute" title="The format has calls between functions and no call paths">
          calls estimated
        </span>
      )}
      <span class="grow" />
      {scene !== undefined && <Left scene={scene} />}
    </>
  );
}

/** What is not drawn. */
function Left({ scene }: { readonly scene: CallScene }) {
  const app = useApp();
  const { leastNode, leastEdge } = stateOf(app.view.value, CHARTS_PART);
  const { below, beyond, calls_below: fewer, calls_apart: apart } = scene.cut;
  const unit = app.profile.metricInfo.value;
  const shares = hasShares(app.profile.summary.value, app.profile.metric.value);
  const self = (value: bigint) =>
    `self ${formatValue(value, unit)}${shares ? ` (${formatShare(shareOf(value, scene.whole))})` : ''}`;
  const parts = [
    below > 0 &&
      `${formatThings(below, 'function')} below ${leastNode / 10} %, ${self(scene.selfBelow)}`,
    beyond > 0 &&
      `${formatThings(beyond, 'function')} beyond the ${scene.nodes.length} largest, ${self(scene.selfBeyond)}`,
    fewer > 0 && `${formatThings(fewer, 'call')} below ${leastEdge / 10} %`,
    apart > 0 && `${formatThings(apart, 'call')} of these functions`,
  ].filter((part) => part !== false);
  return (
    <span class="mute" title="Not drawn">
      {parts.length === 0 ? 'all functions and calls' : parts.join(' · ')}
    </span>
  );
}
