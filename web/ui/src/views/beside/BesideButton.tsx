import { useApp } from '../../state/services.ts';
import { openProfiles } from './profiles.ts';

/** Shows all open profiles side by side, or one. */
export function BesideButton() {
  const app = useApp();
  if (openProfiles(app).length < 2) return null;
  const { beside } = app.view.value.charts;
  return (
    <button
      type="button"
      class={beside ? 'plain on' : 'plain'}
      aria-pressed={beside}
      title="The same chart of every open profile, side by side"
      onClick={() => {
        const charts = { ...app.view.peek().charts, beside: !beside };
        app.update({ charts }, 'push');
      }}
    >
      Side by side
    </button>
  );
}
