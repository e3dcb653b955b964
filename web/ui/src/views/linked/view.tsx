import { defineView } from '../../state/view.ts';
import { lazy } from '../../widgets/lazy.tsx';
import { FLAME_KEYS } from '../flame/keys.ts';

const LinkedView = lazy(async () => (await import('./LinkedView.tsx')).LinkedView);

export const linkedView = defineView({
  id: 'linked',
  label: 'Linked',
  title: 'Contexts that samples join, side by side',
  key: '8',
  keyTitle: 'Linked contexts',
  needs: {
    isIn: ({ roles }) => roles.length > 0,
    missing: 'The samples of this profile join no contexts.',
  },
  keys: [FLAME_KEYS],
  selectsApart: true,
  byRole: true,
  draw: () => <LinkedView />,
});
