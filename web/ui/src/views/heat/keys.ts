import type { KeyScope } from '../../state/key-bindings.ts';

export const HEAT_KEYS: KeyScope = {
  scope: 'heat',
  title: 'In the heat map',
  keys: [
    { command: 'left', keys: ['ArrowLeft'], title: 'Column before' },
    { command: 'right', keys: ['ArrowRight'], title: 'Column behind' },
    { command: 'parent', keys: ['ArrowUp'], title: 'Cell behind' },
    { command: 'child', keys: ['ArrowDown'], title: 'Cell before' },
    { command: 'extend_left', keys: ['Shift+ArrowLeft'], title: 'Extend to the left' },
    { command: 'extend_right', keys: ['Shift+ArrowRight'], title: 'Extend to the right' },
    { command: 'extend_up', keys: ['Shift+ArrowUp'], title: 'Extend upwards' },
    { command: 'extend_down', keys: ['Shift+ArrowDown'], title: 'Extend downwards' },
    { command: 'choose_range', keys: ['Enter', 'm'], title: 'Keep the time of the cells' },
    { command: 'compare_ranges', keys: ['c'], title: 'Compare the cells with the kept range' },
    { command: 'whole', keys: ['0', 'Home'], title: 'The whole recording' },
  ],
};
