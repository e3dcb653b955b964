import type { KeyScope } from '../../state/key-bindings.ts';

export const TABLE_KEYS: KeyScope = {
  scope: 'table',
  title: 'In the table',
  keys: [
    { command: 'row_up', keys: ['ArrowUp'], title: 'Row above' },
    { command: 'row_down', keys: ['ArrowDown'], title: 'Row below' },
    { command: 'row_up_extend', keys: ['Shift+ArrowUp'], title: 'Mark upwards' },
    { command: 'row_down_extend', keys: ['Shift+ArrowDown'], title: 'Mark downwards' },
    { command: 'row_first', keys: ['Home'], title: 'First row' },
    { command: 'row_last', keys: ['End'], title: 'Last row' },
    { command: 'row_page_up', keys: ['PageUp'], title: 'Page up' },
    { command: 'row_page_down', keys: ['PageDown'], title: 'Page down' },
    { command: 'unfold', keys: ['ArrowRight'], title: 'Unfold' },
    { command: 'fold', keys: ['ArrowLeft'], title: 'Fold, or go to the parent' },
    { command: 'toggle_fold', keys: ['Enter', ' '], title: 'Fold or unfold' },
    { command: 'hottest_path', keys: ['h'], title: 'Unfold the hottest path' },
    { command: 'copy_rows', keys: ['Ctrl+c'], title: 'Copy the marked rows' },
    { command: 'zoom_to', keys: ['z'], title: 'Zoom the flame graph to it' },
    { command: 'frame_menu', keys: ['ContextMenu', 'Shift+F10'], title: 'Menu' },
    { command: 'open_sandwich', keys: ['o'], title: 'Open in the sandwich' },
    { command: 'open_source', keys: ['e'], title: 'Open its source' },
    { command: 'show_spread', keys: ['v'], title: 'Pin its values over members' },
    { command: 'focus_frame', keys: ['f'], title: 'Keep only stacks with it' },
    { command: 'ignore_frame', keys: ['i'], title: 'Drop stacks with it' },
    { command: 'hide_frame', keys: ['x'], title: 'Hide it' },
  ],
};
