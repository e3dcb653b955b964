import type { KeyScope } from '../../state/key-bindings.ts';

export const CHARTS_KEYS: KeyScope = {
  scope: 'charts',
  title: 'In a chart',
  keys: [
    { command: 'left', keys: ['ArrowLeft'], title: 'Mark to the left' },
    { command: 'right', keys: ['ArrowRight'], title: 'Mark to the right' },
    { command: 'parent', keys: ['ArrowUp'], title: 'Mark above' },
    { command: 'child', keys: ['ArrowDown'], title: 'Mark below' },
    { command: 'row_first', keys: ['Home'], title: 'The largest' },
    { command: 'choose_beside', keys: [' '], title: 'Choose it beside others, or let it go' },
    {
      command: 'open_sandwich',
      keys: ['Enter', 'o'],
      title: 'Zoom in, in the sunburst and the treemap; else open in the sandwich',
    },
    {
      command: 'chart_out',
      keys: ['Backspace'],
      title: 'One level out, in the sunburst and the treemap',
    },
    { command: 'zoom_in', keys: ['+', '='], title: 'Closer, in the call graph' },
    { command: 'zoom_out', keys: ['-'], title: 'Further out, in the call graph' },
    { command: 'whole', keys: ['0'], title: 'All of the call graph' },
    { command: 'open_source', keys: ['e'], title: 'Open its source' },
    { command: 'focus_frame', keys: ['f'], title: 'Keep only stacks with it' },
    { command: 'ignore_frame', keys: ['i'], title: 'Drop stacks with it' },
    { command: 'hide_frame', keys: ['x'], title: 'Hide it' },
    { command: 'frame_menu', keys: ['ContextMenu', 'Shift+F10'], title: 'Menu' },
  ],
};
