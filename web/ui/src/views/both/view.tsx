import { defineView } from '../../state/view.ts';
import { FLAME_KEYS } from '../flame/keys.ts';
import { MainFlame } from '../flame/MainFlame.tsx';
import { TABLE_KEYS } from '../table/keys.ts';
import { Rows } from '../table/Rows.tsx';

export const bothView = defineView({
  id: 'both',
  label: 'Both',
  title: 'The flame graph above the table',
  key: '6',
  keyTitle: 'Flame graph and table',
  keys: [FLAME_KEYS, TABLE_KEYS],
  wideOnly: true,
  hasFlame: true,
  findsFrames: true,
  draw: (spec) => <MainFlame key="flame" spec={spec} />,
  lower: {
    part: { name: 'upper', standard: 0.5, least: 0.15, most: 0.85 },
    label: 'Height of the flame graph',
    draw: () => <Rows key="rows" />,
  },
});
