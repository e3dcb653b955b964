import { key, type KeyScope } from '../../state/key-bindings.ts';

export const HEAT_KEYS: KeyScope = {
  scope: 'heat',
  title: 'In the heat map',
  keys: [
    key('Previous column', 'left', 'ArrowLeft'),
    key('Next column', 'right', 'ArrowRight'),
    key('Cell above', 'parent', 'ArrowUp'),
    key('Cell below', 'child', 'ArrowDown'),
    key('Extend to the left', 'extend_left', 'Shift+ArrowLeft'),
    key('Extend to the right', 'extend_right', 'Shift+ArrowRight'),
    key('Extend upwards', 'extend_up', 'Shift+ArrowUp'),
    key('Extend downwards', 'extend_down', 'Shift+ArrowDown'),
    key('Keep the time of the cells', 'choose_range', 'Enter', 'm'),
    key('Compare the cells with the kept range', 'compare_ranges', 'c'),
    key('The whole recording', 'whole', '0', 'Home'),
  ],
};
