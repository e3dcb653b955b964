import { defineView } from '../../state/view.ts';
import { lazy } from '../../widgets/lazy.tsx';
import { FLAME_KEYS } from '../flame/keys.ts';

const SandwichView = lazy(async () => (await import('./SandwichView.tsx')).SandwichView);

export const sandwichView = defineView({
  id: 'sandwich',
  label: 'Sandwich',
  title: 'Callers and callees of one function',
  key: '7',
  keys: [FLAME_KEYS],
  ofFunction: true,
  selectsApart: true,
  draw: () => <SandwichView />,
});
