import { OVERLAYS } from '../../state/accesses-view.ts';
import { useApp } from '../../state/services.ts';
import { labelOf } from '../../state/view-state.ts';
import { formatInteger } from '../../text/units.ts';
import type { Told } from './told.ts';
import { legendOf, rangeText } from './words.ts';

/** How values became colours, and what marks mean. */
export function AccessesLegend({ told }: { readonly told: Told }) {
  const { accesses } = useApp();
  const view = accesses.view.value;
  const { overlay, chosen, range, at } = view;
  const { low, middle, high, name } = told.scale;
  const what = legendOf(view);
  const ranged = rangeText(told.run, range, accesses.isRecorded.value);
  const needsChoice = (overlay === 'related' || overlay === 'lines') && chosen.length === 0;
  return (
    <div class="accesses-legend" role="group" aria-label="Legend">
      <b>{labelOf(OVERLAYS, overlay)}</b>
      <span class="mute">
        {what}
        {ranged !== undefined && overlay !== 'lines' && `, ${ranged} alone`}
      </span>
      {needsChoice ? (
        <span role="note">Click elements to choose them.</span>
      ) : !told.any ? (
        <span role="note">nothing has any</span>
      ) : (
        <span class="accesses-ramp">
          {low < high && <span class="number">{formatInteger(low)}</span>}
          <i
            class={low < high ? '' : 'one'}
            style={{
              background:
                low < high
                  ? `linear-gradient(to right, ${told.ramp.join(', ')})`
                  : told.colour(high),
            }}
          />
          <span class="number">{formatInteger(high)}</span>
          {name !== '' && (
            <span class="mute number">
              {name} {Number(middle.toPrecision(4))}
            </span>
          )}
        </span>
      )}
      <span class="accesses-keys mute">
        <span>
          <i class="swatch none" /> {overlay === 'distance' ? 'first touches alone' : 'none'}
        </span>
        <span>
          <i class="swatch unused" /> never accessed
        </span>
        {at !== undefined && (
          <>
            <span>
              <i class="swatch read" /> read now
            </span>
            <span>
              <i class="swatch write">×</i> written now
            </span>
          </>
        )}
      </span>
    </div>
  );
}
