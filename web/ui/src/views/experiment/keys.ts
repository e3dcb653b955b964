import { key, type KeyScope } from '../../state/key-bindings.ts';

export const EXPERIMENT_KEYS: KeyScope = {
  scope: 'experiment',
  title: 'In the cells of an experiment',
  keys: [
    key('Cell to the left', 'left', 'ArrowLeft'),
    key('Cell to the right', 'right', 'ArrowRight'),
    key('Cell above', 'parent', 'ArrowUp'),
    key('Cell below', 'child', 'ArrowDown'),
    key('First cell', 'row_first', 'Home'),
    key('Last cell', 'row_last', 'End'),
    key('Extend to the left', 'extend_left', 'Shift+ArrowLeft'),
    key('Extend to the right', 'extend_right', 'Shift+ArrowRight'),
    key('Extend upwards', 'extend_up', 'Shift+ArrowUp'),
    key('Extend downwards', 'extend_down', 'Shift+ArrowDown'),
    key('Choose the cells; again elsewhere, compare them', 'choose_range', 'Enter', ' '),
    key('Open both sides as one comparison', 'compare_ranges', 'c'),
  ],
};
