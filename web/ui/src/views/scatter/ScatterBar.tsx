import { stateOf, withState } from '../../state/address-part.ts';
import { useApp } from '../../state/services.ts';
import type { Palette } from '../../canvas/palette.ts';
import { type Choice, COLOURS } from '../../state/view-state.ts';
import { formatShare, formatThings, shareOf } from '../../text/units.ts';
import { Pick } from '../../widgets/Pick.tsx';
import { Segments } from '../../widgets/Segments.tsx';
import { Ramp } from '../charts/Ramp.tsx';
import { CHARTS_PART, type ChartsViewState, SCATTER_OF } from '../charts/state.ts';
import type { ScatterScene } from './marks.ts';

type Colouring = 'module' | 'file' | 'function' | 'change' | 'recursion';

const RECURSION: Choice<Colouring> = {
  value: 'recursion',
  label: 'Recursion',
  title: 'Stronger where more of the calls came from inside of the function',
};

/** What colours of marks tell. */
export function colouringOf(app: ReturnType<typeof useApp>, scene: ScatterScene): Colouring {
  if (stateOf(app.view.value, CHARTS_PART).recursion && scene.primitiveUnknown === undefined)
    return 'recursion';
  const colour = app.profile.colour.value;
  // Self has an axis.
  return colour === 'self_share' ? 'module' : colour;
}

/** What is divided by calls, what colours tell, and what is left out. */
export function ScatterBar(props: { readonly scene: ScatterScene; readonly palette: Palette }) {
  const app = useApp();
  const { scene, palette } = props;
  const colouring = colouringOf(app, scene);
  const change = (charts: Partial<ChartsViewState>, more = {}) =>
    app.update({ ...more, ...withState(app.view.peek(), CHARTS_PART, charts) }, 'push');
  const isKnown = scene.primitiveUnknown === undefined;
  const colours: Choice<Colouring>[] = COLOURS.flatMap((one) =>
    one.value === 'self_share' || (one.value === 'change' && !app.profile.tellsChanges.value)
      ? []
      : [{ ...one, value: one.value }],
  );
  const left = scene.totalRows - scene.marks.length;
  return (
    <>
      <Segments
        label="Upwards"
        choices={SCATTER_OF}
        value={scene.of}
        disabled={scene.primitiveUnknown}
        onChange={(of) => change({ of })}
      />
      <Pick
        label="Colour"
        choices={isKnown ? [...colours, RECURSION] : colours}
        value={colouring}
        onChange={(value) =>
          value === 'recursion'
            ? change({ recursion: true })
            : change({ recursion: false }, { colour: value })
        }
      />
      {colouring === 'recursion' && (
        <Ramp
          palette={palette}
          from="0 %"
          to="100 % recursive"
          about="from 0 to 100 % of calls recursive"
        />
      )}
      {scene.metric !== app.profile.metric.value && (
        <span class="mute" title="A change has no calls of its own: base and new are added up">
          both sides together
        </span>
      )}
      <span class="grow" />
      {left > 0 && (
        <span
          class="mute"
          title="Functions with the largest totals are drawn; filters narrow them down"
        >
          {formatThings(left, 'function')} with smaller totals not drawn, self{' '}
          {formatShare(shareOf(scene.rest, scene.whole))}
        </span>
      )}
      <span class="mute number">{formatThings(scene.totalRows, 'function')}</span>
    </>
  );
}
