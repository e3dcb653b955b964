import type { Palette } from '../../canvas/palette.ts';
import type { Scene } from '../../canvas/scene.ts';
import { stateOf, withState } from '../../state/address-part.ts';
import type { App } from '../../state/app.ts';
import { hasShares } from '../../state/comparison.ts';
import { useApp } from '../../state/services.ts';
import { type Choice, COLOURS } from '../../state/view-state.ts';
import { formatShare, formatThings } from '../../text/units.ts';
import { Pick } from '../../widgets/Pick.tsx';
import { Ramp } from '../charts/Ramp.tsx';
import { CHARTS_PART, CUTS, TINTS } from '../charts/state.ts';
import { type Colouring, depthClasses } from './picture.ts';

/** What colours of boxes tell: of a comparison its change, else the depth. */
export function colouringOf(app: App): Colouring {
  const { tint } = stateOf(app.view.value, CHARTS_PART);
  const compares = app.profile.summary.value?.comparison != null;
  const chosen = tint ?? (compares ? 'groups' : 'depth');
  if (chosen === 'groups') return app.profile.colour.value;
  const shares = hasShares(app.profile.summary.value, app.profile.metric.value);
  return chosen === 'share' && !shares ? 'depth' : chosen;
}

/** From which share on boxes are drawn, what colours tell, and what is drawn together. */
export function TreemapBar(props: {
  readonly scene: Scene | undefined;
  readonly palette: Palette;
}) {
  const app = useApp();
  const { scene, palette } = props;
  const { cut } = stateOf(app.view.value, CHARTS_PART);
  const colouring = colouringOf(app);
  const change = (charts: object, more = {}) =>
    app.update({ ...more, ...withState(app.view.peek(), CHARTS_PART, charts) }, 'push');
  const shares = hasShares(app.profile.summary.value, app.profile.metric.value);
  const colours: Choice<Colouring>[] = [
    ...TINTS.filter(({ value }) => shares || value !== 'share'),
    ...COLOURS.filter(({ value }) => app.profile.tellsChanges.value || value !== 'change'),
  ];
  const least = scene?.result.narrowest ?? 0;
  const merged = scene?.result.merged_frames ?? 0;
  return (
    <>
      <Pick
        label="Boxes from"
        choices={CUTS}
        value={String(cut)}
        onChange={(value) => change({ cut: Number(value) })}
      />
      <Pick
        label="Colour"
        choices={colours}
        value={colouring}
        onChange={(value) =>
          value === 'depth' || value === 'share'
            ? change({ tint: value })
            : change({ tint: 'groups' }, { colour: value })
        }
      />
      {colouring === 'depth' && scene !== undefined && (
        <Ramp
          classes={depthClasses(scene)}
          palette={palette}
          from="root"
          to="innermost"
          about="from the root to the innermost"
        />
      )}
      {colouring === 'share' && (
        <Ramp palette={palette} from="0 %" to="100 % of all" about="from 0 to 100 % of all" />
      )}
      <span class="grow" />
      {least > cut / 1000 && (
        <span class="mute">more than 2,000 boxes: from {formatShare(least)} on</span>
      )}
      {merged > 0 && (
        <span class="mute" title="Each family of them is a grey box with their sum">
          {formatThings(merged, 'frame')} too small, drawn together
        </span>
      )}
    </>
  );
}
