import { defineView } from '../../state/view.ts';
import { FLAME_KEYS } from './keys.ts';
import { MainFlame } from './MainFlame.tsx';

export const flameView = defineView({
  id: 'flame',
  label: 'Flame graph',
  title: 'Widths are values, rows are calls',
  key: '4',
  keys: [FLAME_KEYS],
  suits: () => true,
  hasFlame: true,
  findsFrames: true,
  draw: (spec) => <MainFlame key="flame" spec={spec} />,
});
