import { key, type KeyScope } from '../../state/key-bindings.ts';

export const CHARTS_KEYS: KeyScope = {
  scope: 'charts',
  title: 'In a chart',
  keys: [
    key('Mark to the left', 'left', 'ArrowLeft'),
    key('Mark to the right', 'right', 'ArrowRight'),
    key('Mark above', 'parent', 'ArrowUp'),
    key('Mark below', 'child', 'ArrowDown'),
    key('The largest', 'row_first', 'Home'),
    key('Toggle selection', 'choose_beside', ' '),
    key(
      'Zoom in, in the sunburst and the treemap; else open in the sandwich',
      'open_sandwich',
      'Enter',
      'o',
    ),
    key('One level out, in the sunburst and the treemap', 'chart_out', 'Backspace'),
    key('Closer, in the call graph', 'zoom_in', '+', '='),
    key('Further out, in the call graph', 'zoom_out', '-'),
    key('All of the call graph', 'whole', '0'),
    key('Open its source', 'open_source', 'e'),
    key('Keep only stacks with this frame', 'focus_frame', 'f'),
    key('Drop stacks with it', 'ignore_frame', 'i'),
    key('Hide it', 'hide_frame', 'x'),
    key('Menu', 'frame_menu', 'ContextMenu', 'Shift+F10'),
  ],
};
