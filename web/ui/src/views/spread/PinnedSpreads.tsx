import { useApp } from '../../state/services.ts';
import { specKey } from '../../state/nodes.ts';
import { SpreadCard } from './SpreadCard.tsx';

/** The distributions that were pinned, side by side. */
export function PinnedSpreads() {
  const app = useApp();
  const pinned = app.profile.pinned.value;
  if (pinned.length === 0) return null;
  // They come back once what was opened over them is closed.
  if (app.small.value && (app.detailsOpen.value || app.profile.atFrame.value)) return null;
  return (
    <div class="pinned" role="region" aria-label="Pinned values" tabIndex={0}>
      {pinned.map((pin) => (
        <SpreadCard
          key={`${specKey(pin.spec)} ${pin.path.join('.')}`}
          pin={pin}
          onClose={() => app.profile.togglePin(pin)}
        />
      ))}
    </div>
  );
}
