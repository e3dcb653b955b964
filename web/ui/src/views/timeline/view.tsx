import { stateOf } from '../../state/address-part.ts';
import { defineView } from '../../state/view.ts';
import { lazy } from '../../widgets/lazy.tsx';
import { FLAME_KEYS } from '../flame/keys.ts';
import { HAPPENINGS_KEYS } from '../happenings/keys.ts';
import { Below } from './Below.tsx';
import { BY_TIME, TIMES } from './by-time.ts';
import { TIMELINE_KEYS } from './keys.ts';
import { TIMELINE_PART } from './state.ts';

const TimelineView = lazy(async () => (await import('./TimelineView.tsx')).TimelineView);

export const timelineView = defineView({
  id: 'timeline',
  label: 'Timeline',
  title: 'What happened when, on every track',
  key: '9',
  needs: TIMES,
  suits: ({ spans }) => spans > 0,
  state: TIMELINE_PART,
  keys: [TIMELINE_KEYS, HAPPENINGS_KEYS, FLAME_KEYS],
  mouse: [
    ['Filter to a range of time', 'drag on the tracks'],
    ['Zoom to a range of time', 'drag on the ruler'],
    ['Move the timeline', 'Shift + drag, Shift + wheel'],
  ],
  hasFlame: true,
  prunes: (app) => stateOf(app.view.value, TIMELINE_PART).below === 'flame',
  draw: (spec) => <TimelineView spec={spec} />,
  lower: { ...BY_TIME, draw: (spec) => <Below spec={spec} /> },
});
