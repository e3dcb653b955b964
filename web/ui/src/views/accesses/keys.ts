import type { KeyScope } from '../../state/key-bindings.ts';

export const ACCESSES_KEYS: KeyScope = {
  scope: 'accesses',
  title: 'Where accesses are shown',
  keys: [
    { command: 'play_accesses', keys: [' '], title: 'Play or pause' },
    { command: 'next_iteration', keys: ['.'], title: 'Next iteration' },
    { command: 'previous_iteration', keys: [','], title: 'Previous iteration' },
    { command: 'first_iteration', keys: ['Home'], title: 'First iteration' },
    { command: 'next_overlay', keys: ['v'], title: 'What elements tell next' },
    { command: 'leave_accesses', keys: ['Backspace'], title: 'Back to the graph' },
  ],
};
