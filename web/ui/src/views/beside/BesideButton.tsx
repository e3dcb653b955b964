import { changeState, stateOf } from '../../state/address-part.ts';
import { useApp } from '../../state/services.ts';
import { CHARTS_PART } from '../charts/state.ts';
import { openProfiles } from './profiles.ts';

/** Shows all open profiles side by side, or one. */
export function BesideButton() {
  const app = useApp();
  if (openProfiles(app).length < 2) return null;
  const { beside } = stateOf(app.view.value, CHARTS_PART);
  return (
    <button
      type="button"
      class={beside ? 'plain on' : 'plain'}
      aria-pressed={beside}
      title="The same chart of every open profile, side by side"
      onClick={() => changeState(app, CHARTS_PART, { beside: !beside })}
    >
      Side by side
    </button>
  );
}
