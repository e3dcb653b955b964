import type { KeyScope } from '../../state/key-bindings.ts';

export const EXPERIMENT_KEYS: KeyScope = {
  scope: 'experiment',
  title: 'In the cells of an experiment',
  keys: [
    { command: 'left', keys: ['ArrowLeft'], title: 'Cell to the left' },
    { command: 'right', keys: ['ArrowRight'], title: 'Cell to the right' },
    { command: 'parent', keys: ['ArrowUp'], title: 'Cell above' },
    { command: 'child', keys: ['ArrowDown'], title: 'Cell below' },
    { command: 'row_first', keys: ['Home'], title: 'First cell' },
    { command: 'row_last', keys: ['End'], title: 'Last cell' },
    { command: 'extend_left', keys: ['Shift+ArrowLeft'], title: 'Extend to the left' },
    { command: 'extend_right', keys: ['Shift+ArrowRight'], title: 'Extend to the right' },
    { command: 'extend_up', keys: ['Shift+ArrowUp'], title: 'Extend upwards' },
    { command: 'extend_down', keys: ['Shift+ArrowDown'], title: 'Extend downwards' },
    {
      command: 'choose_range',
      keys: ['Enter', ' '],
      title: 'Choose the cells; again elsewhere, compare them',
    },
    { command: 'compare_ranges', keys: ['c'], title: 'Open both sides as one comparison' },
  ],
};
