import type { KeyScope } from '../../state/key-bindings.ts';

export const HAPPENINGS_KEYS: KeyScope = {
  scope: 'happenings',
  title: 'In a list below the timeline',
  keys: [
    { command: 'row_up', keys: ['ArrowUp'], title: 'Row above' },
    { command: 'row_down', keys: ['ArrowDown'], title: 'Row below' },
    { command: 'row_first', keys: ['Home'], title: 'First row' },
    { command: 'row_last', keys: ['End'], title: 'Last row' },
    {
      command: 'show_longest',
      keys: ['Enter'],
      title: 'To the longest, the next mark, the thread',
    },
    { command: 'next_span', keys: [']'], title: 'The next one of the name' },
    { command: 'previous_span', keys: ['['], title: 'The one of the name before' },
    { command: 'keep_during', keys: ['f'], title: 'Only during these' },
    { command: 'highlight_name', keys: ['h'], title: 'Highlight these' },
    { command: 'frame_menu', keys: ['ContextMenu', 'Shift+F10'], title: 'Menu' },
  ],
};
