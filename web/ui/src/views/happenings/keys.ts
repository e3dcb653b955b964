import { key, type KeyScope } from '../../state/key-bindings.ts';

export const HAPPENINGS_KEYS: KeyScope = {
  scope: 'happenings',
  title: 'In a list below the timeline',
  keys: [
    key('Row above', 'row_up', 'ArrowUp'),
    key('Row below', 'row_down', 'ArrowDown'),
    key('First row', 'row_first', 'Home'),
    key('Last row', 'row_last', 'End'),
    key('Go to the longest span, the next mark or the thread', 'show_longest', 'Enter'),
    key('Next with this name', 'next_span', ']'),
    key('Previous with this name', 'previous_span', '['),
    key('Only during these', 'keep_during', 'f'),
    key('Highlight these', 'highlight_name', 'h'),
    key('Menu', 'frame_menu', 'ContextMenu', 'Shift+F10'),
  ],
};
