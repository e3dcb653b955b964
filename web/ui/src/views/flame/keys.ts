import type { KeyScope } from '../../state/key-bindings.ts';

export const FLAME_KEYS: KeyScope = {
  scope: 'flame',
  title: 'In the flame graph',
  keys: [
    { command: 'parent', keys: ['ArrowUp'], title: 'Caller' },
    { command: 'child', keys: ['ArrowDown'], title: 'Largest callee' },
    { command: 'left', keys: ['ArrowLeft'], title: 'Frame to the left' },
    { command: 'right', keys: ['ArrowRight'], title: 'Frame to the right' },
    { command: 'zoom_to', keys: ['Enter'], title: 'Zoom to the selected frame' },
    { command: 'zoom_in', keys: ['+', '=', 'w'], title: 'Zoom in' },
    { command: 'zoom_out', keys: ['-', 's'], title: 'Zoom out' },
    { command: 'pan_left', keys: ['Shift+ArrowLeft', 'a'], title: 'Pan left' },
    { command: 'pan_right', keys: ['Shift+ArrowRight', 'd'], title: 'Pan right' },
    { command: 'page_up', keys: ['PageUp'], title: 'Scroll up' },
    { command: 'page_down', keys: ['PageDown'], title: 'Scroll down' },
    { command: 'whole', keys: ['0', 'Home'], title: 'Whole program' },
    { command: 'focus_frame', keys: ['f'], title: 'Keep only stacks with it' },
    { command: 'ignore_frame', keys: ['i'], title: 'Drop stacks with it' },
    { command: 'hide_frame', keys: ['x'], title: 'Hide it' },
    { command: 'show_from_frame', keys: ['g'], title: 'Show from it on' },
    { command: 'open_sandwich', keys: ['o'], title: 'Open in the sandwich' },
    { command: 'open_source', keys: ['e'], title: 'Open its source' },
    { command: 'show_spread', keys: ['v'], title: 'Its values over members, at the frame' },
    {
      command: 'next_pane_metric',
      keys: ['u'],
      title: 'Next metric of the pane, of linked contexts',
    },
    { command: 'copy_name', keys: ['c', 'Ctrl+c'], title: 'Copy its name' },
    { command: 'frame_menu', keys: ['ContextMenu', 'Shift+F10'], title: 'Menu' },
  ],
};
