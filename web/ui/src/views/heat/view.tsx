import { defineView } from '../../state/view.ts';
import { lazy } from '../../widgets/lazy.tsx';
import { FLAME_KEYS } from '../flame/keys.ts';
import { MainFlame } from '../flame/MainFlame.tsx';
import { BY_TIME, TIMES } from '../timeline/by-time.ts';
import { HEAT_KEYS } from './keys.ts';
import { HEAT_PART } from './state.ts';

const HeatView = lazy(async () => (await import('./HeatView.tsx')).HeatView);

export const heatView = defineView({
  id: 'heat',
  label: 'Heat map',
  title: 'Values over time, a column per second',
  key: 'H',
  needs: TIMES,
  state: HEAT_PART,
  keys: [HEAT_KEYS, FLAME_KEYS],
  hasFlame: true,
  draw: (spec) => <HeatView spec={spec} />,
  lower: { ...BY_TIME, draw: (spec) => <MainFlame key="flame" spec={spec} /> },
});
