import { key, type KeyScope } from '../../state/key-bindings.ts';

export const ACCESSES_KEYS: KeyScope = {
  scope: 'accesses',
  title: 'Where accesses are shown',
  keys: [
    key('Play or pause', 'play_accesses', ' '),
    key('Next iteration', 'next_iteration', '.'),
    key('Previous iteration', 'previous_iteration', ','),
    key('First iteration', 'first_iteration', 'Home'),
    key('Next colours', 'next_overlay', 'v'),
    key('Back to the graph', 'leave_accesses', 'Backspace'),
  ],
};
