import { key, type KeyScope } from '../../state/key-bindings.ts';

export const TABLE_KEYS: KeyScope = {
  scope: 'table',
  title: 'In the table',
  keys: [
    key('Row above', 'row_up', 'ArrowUp'),
    key('Row below', 'row_down', 'ArrowDown'),
    key('Extend upwards', 'row_up_extend', 'Shift+ArrowUp'),
    key('Extend downwards', 'row_down_extend', 'Shift+ArrowDown'),
    key('First row', 'row_first', 'Home'),
    key('Last row', 'row_last', 'End'),
    key('Page up', 'row_page_up', 'PageUp'),
    key('Page down', 'row_page_down', 'PageDown'),
    key('Unfold', 'unfold', 'ArrowRight'),
    key('Fold, or go to the parent', 'fold', 'ArrowLeft'),
    key('Fold or unfold', 'toggle_fold', 'Enter', ' '),
    key('Unfold the hottest path', 'hottest_path', 'h'),
    key('Copy the marked rows', 'copy_rows', 'Ctrl+c'),
    key('Zoom the flame graph to it', 'zoom_to', 'z'),
    key('Menu', 'frame_menu', 'ContextMenu', 'Shift+F10'),
    key('Open in the sandwich', 'open_sandwich', 'o'),
    key('Open its source', 'open_source', 'e'),
    key('Pin its values over members', 'show_spread', 'v'),
    key('Keep only stacks with this frame', 'focus_frame', 'f'),
    key('Drop stacks with it', 'ignore_frame', 'i'),
    key('Hide it', 'hide_frame', 'x'),
  ],
};
