import type { ViewSpec } from '@hotframe/engine';
import { useApp } from '../../state/services.ts';
import { lazy } from '../../widgets/lazy.tsx';
import { MainFlame } from '../flame/MainFlame.tsx';
import { BelowTabs, belowChoices, listBelow } from '../happenings/BelowTabs.tsx';

const HappeningsView = lazy(
  async () => (await import('../happenings/HappeningsView.tsx')).HappeningsView,
);

/** The flame graph of what the timeline shows, or a list of it. */
export function Below({ spec }: { readonly spec: ViewSpec }) {
  const app = useApp();
  const list = listBelow(app);
  if (list !== undefined) {
    return (
      <div class="below">
        <HappeningsView spec={spec} list={list} />
      </div>
    );
  }
  return (
    <div class="below">
      {belowChoices(app).length > 1 && (
        <div class="tools">
          <BelowTabs />
        </div>
      )}
      <MainFlame spec={spec} countsNothing />
    </div>
  );
}
