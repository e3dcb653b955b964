/** What a key can do; each command has one handler, in the scope that its binding names. */
export type Command =
  | 'search'
  | 'next_match'
  | 'previous_match'
  | 'show_keys'
  | 'shape_top_down'
  | 'shape_bottom_up'
  | 'shape_all_callers'
  | 'shape_flat'
  | 'view_timeline'
  | 'view_heat'
  | 'view_processors'
  | 'view_flame'
  | 'view_table'
  | 'view_both'
  | 'view_charts'
  | 'view_sandwich'
  | 'view_linked'
  | 'view_experiment'
  | 'next_metric'
  | 'next_pane_metric'
  | 'define_metric'
  | 'next_theme'
  | 'toggle_details'
  | 'toggle_python'
  | 'toggle_recursion'
  | 'next_hide_below'
  | 'next_levels'
  | 'open_file'
  | 'open_as'
  | 'open_run'
  | 'open_kept'
  | 'open_queue'
  | 'add_filter'
  | 'escape'
  | 'chart_out'
  | 'play_accesses'
  | 'next_iteration'
  | 'previous_iteration'
  | 'first_iteration'
  | 'next_overlay'
  | 'open_accesses'
  | 'leave_accesses'
  | 'parent'
  | 'child'
  | 'left'
  | 'right'
  | 'zoom_to'
  | 'zoom_in'
  | 'zoom_out'
  | 'pan_left'
  | 'pan_right'
  | 'page_up'
  | 'page_down'
  | 'whole'
  | 'focus_frame'
  | 'ignore_frame'
  | 'hide_frame'
  | 'show_from_frame'
  | 'open_sandwich'
  | 'open_source'
  | 'show_spread'
  | 'copy_name'
  | 'frame_menu'
  | 'row_up'
  | 'row_down'
  | 'row_up_extend'
  | 'row_down_extend'
  | 'row_first'
  | 'row_last'
  | 'row_page_up'
  | 'row_page_down'
  | 'unfold'
  | 'fold'
  | 'toggle_fold'
  | 'hottest_path'
  | 'copy_rows'
  | 'successor'
  | 'predecessor'
  | 'inside'
  | 'outside'
  | 'toggle_outline'
  | 'fold_level'
  | 'unfold_level'
  | 'fold_all'
  | 'unfold_all'
  | 'toggle_sum'
  | 'choose_range'
  | 'choose_beside'
  | 'compare_ranges'
  | 'extend_left'
  | 'extend_right'
  | 'extend_up'
  | 'extend_down'
  | 'next_span'
  | 'previous_span'
  | 'track_up'
  | 'track_down'
  | 'pin_track'
  | 'hide_track'
  | 'show_tracks'
  | 'filter_tracks'
  | 'toggle_idle'
  | 'show_longest'
  | 'highlight_name'
  | 'keep_during';

export type Scope =
  | 'everywhere'
  | 'timeline'
  | 'happenings'
  | 'heat'
  | 'charts'
  | 'experiment'
  | 'flame'
  | 'table'
  | 'graph'
  | 'accesses';

export interface Binding {
  readonly scope: Scope;
  readonly command: Command;
  /** Chords as `chordOf` writes them; the first is the one that the sheet shows first. */
  readonly keys: readonly string[];
  readonly title: string;
}

/** Every key of the page: this table dispatches, and the sheet behind `?` prints it. */
export const BINDINGS: readonly Binding[] = [
  { scope: 'everywhere', command: 'search', keys: ['/', 'Ctrl+f'], title: 'Search' },
  { scope: 'everywhere', command: 'next_match', keys: ['F3', 'n'], title: 'Next match' },
  {
    scope: 'everywhere',
    command: 'previous_match',
    keys: ['Shift+F3', 'N'],
    title: 'Previous match',
  },
  { scope: 'everywhere', command: 'shape_top_down', keys: ['1'], title: 'Top-down' },
  { scope: 'everywhere', command: 'shape_bottom_up', keys: ['2'], title: 'Bottom-up' },
  { scope: 'everywhere', command: 'shape_flat', keys: ['3'], title: 'Flat' },
  {
    scope: 'everywhere',
    command: 'shape_all_callers',
    keys: ['B'],
    title: 'Bottom-up, every function by its total',
  },
  { scope: 'everywhere', command: 'view_flame', keys: ['4'], title: 'Flame graph' },
  { scope: 'everywhere', command: 'view_table', keys: ['5'], title: 'Table' },
  { scope: 'everywhere', command: 'view_both', keys: ['6'], title: 'Flame graph and table' },
  { scope: 'everywhere', command: 'view_sandwich', keys: ['7'], title: 'Sandwich' },
  { scope: 'everywhere', command: 'view_linked', keys: ['8'], title: 'Linked contexts' },
  { scope: 'everywhere', command: 'view_timeline', keys: ['9'], title: 'Timeline' },
  { scope: 'everywhere', command: 'view_charts', keys: ['C'], title: 'Charts' },
  { scope: 'everywhere', command: 'view_heat', keys: ['H'], title: 'Heat map' },
  { scope: 'everywhere', command: 'view_experiment', keys: ['V'], title: 'Cells of an experiment' },
  { scope: 'everywhere', command: 'view_processors', keys: ['E'], title: 'Events by processor' },
  { scope: 'everywhere', command: 'next_metric', keys: ['m'], title: 'Next metric' },
  { scope: 'everywhere', command: 'define_metric', keys: ['M'], title: 'Metric by formula' },
  { scope: 'everywhere', command: 'add_filter', keys: ['F'], title: 'Add a filter' },
  {
    scope: 'everywhere',
    command: 'toggle_recursion',
    keys: ['r'],
    title: 'Recursion: shown, direct collapsed, all collapsed',
  },
  {
    scope: 'everywhere',
    command: 'next_hide_below',
    keys: ['b'],
    title: 'Hide below a share: next',
  },
  { scope: 'everywhere', command: 'next_levels', keys: ['l'], title: 'Levels: next' },
  { scope: 'everywhere', command: 'toggle_details', keys: ['p'], title: 'Details panel' },
  { scope: 'everywhere', command: 'toggle_python', keys: ['P'], title: 'Python pane' },
  { scope: 'everywhere', command: 'next_theme', keys: ['t'], title: 'Next theme' },
  { scope: 'everywhere', command: 'open_file', keys: ['Ctrl+o'], title: 'Open a file' },
  { scope: 'everywhere', command: 'open_as', keys: ['O'], title: 'Open as another format' },
  { scope: 'everywhere', command: 'open_run', keys: ['R'], title: 'Run a program' },
  { scope: 'everywhere', command: 'open_kept', keys: ['K'], title: 'What was run' },
  { scope: 'everywhere', command: 'open_queue', keys: ['Q'], title: 'The queue of runs' },
  { scope: 'everywhere', command: 'show_keys', keys: ['?'], title: 'This sheet' },
  { scope: 'everywhere', command: 'escape', keys: ['Escape'], title: 'Close, zoom out, unselect' },

  { scope: 'timeline', command: 'zoom_in', keys: ['w', '+', '='], title: 'Zoom in' },
  { scope: 'timeline', command: 'zoom_out', keys: ['s', '-'], title: 'Zoom out' },
  { scope: 'timeline', command: 'pan_left', keys: ['a', 'Shift+ArrowLeft'], title: 'Earlier' },
  { scope: 'timeline', command: 'pan_right', keys: ['d', 'Shift+ArrowRight'], title: 'Later' },
  { scope: 'timeline', command: 'left', keys: ['ArrowLeft'], title: 'Span before' },
  { scope: 'timeline', command: 'right', keys: ['ArrowRight'], title: 'Span behind' },
  { scope: 'timeline', command: 'parent', keys: ['ArrowUp'], title: 'Span around' },
  { scope: 'timeline', command: 'child', keys: ['ArrowDown'], title: 'Longest span inside' },
  { scope: 'timeline', command: 'zoom_to', keys: ['Enter', 'f'], title: 'Zoom to the span' },
  {
    scope: 'timeline',
    command: 'choose_range',
    keys: ['m'],
    title: 'Keep the time of the span, or what is in sight',
  },
  { scope: 'timeline', command: 'previous_span', keys: ['['], title: 'Match before' },
  { scope: 'timeline', command: 'next_span', keys: [']'], title: 'Match behind' },
  { scope: 'timeline', command: 'whole', keys: ['0', 'Home'], title: 'The whole recording' },
  { scope: 'timeline', command: 'page_up', keys: ['PageUp'], title: 'Scroll up' },
  { scope: 'timeline', command: 'page_down', keys: ['PageDown'], title: 'Scroll down' },
  { scope: 'timeline', command: 'track_down', keys: ['j'], title: 'Track below' },
  { scope: 'timeline', command: 'track_up', keys: ['k'], title: 'Track above' },
  {
    scope: 'timeline',
    command: 'toggle_fold',
    keys: ['o', ' '],
    title: 'Fold or unfold the track',
  },
  { scope: 'timeline', command: 'pin_track', keys: ['i'], title: 'Pin the track to the top' },
  { scope: 'timeline', command: 'hide_track', keys: ['x'], title: 'Hide the track' },
  { scope: 'timeline', command: 'show_tracks', keys: ['X'], title: 'Show all hidden tracks' },
  { scope: 'timeline', command: 'filter_tracks', keys: ['T'], title: 'Tracks by name' },
  { scope: 'timeline', command: 'toggle_idle', keys: ['g'], title: 'Leave out idle time' },
  { scope: 'timeline', command: 'open_source', keys: ['e'], title: 'Open its source' },
  { scope: 'timeline', command: 'frame_menu', keys: ['ContextMenu', 'Shift+F10'], title: 'Menu' },

  { scope: 'happenings', command: 'row_up', keys: ['ArrowUp'], title: 'Row above' },
  { scope: 'happenings', command: 'row_down', keys: ['ArrowDown'], title: 'Row below' },
  { scope: 'happenings', command: 'row_first', keys: ['Home'], title: 'First row' },
  { scope: 'happenings', command: 'row_last', keys: ['End'], title: 'Last row' },
  {
    scope: 'happenings',
    command: 'show_longest',
    keys: ['Enter'],
    title: 'To the longest, the next mark, the thread',
  },
  { scope: 'happenings', command: 'next_span', keys: [']'], title: 'The next one of the name' },
  {
    scope: 'happenings',
    command: 'previous_span',
    keys: ['['],
    title: 'The one of the name before',
  },
  { scope: 'happenings', command: 'keep_during', keys: ['f'], title: 'Only during these' },
  { scope: 'happenings', command: 'highlight_name', keys: ['h'], title: 'Highlight these' },
  {
    scope: 'happenings',
    command: 'frame_menu',
    keys: ['ContextMenu', 'Shift+F10'],
    title: 'Menu',
  },

  { scope: 'heat', command: 'left', keys: ['ArrowLeft'], title: 'Column before' },
  { scope: 'heat', command: 'right', keys: ['ArrowRight'], title: 'Column behind' },
  { scope: 'heat', command: 'parent', keys: ['ArrowUp'], title: 'Cell behind' },
  { scope: 'heat', command: 'child', keys: ['ArrowDown'], title: 'Cell before' },
  { scope: 'heat', command: 'extend_left', keys: ['Shift+ArrowLeft'], title: 'Extend to the left' },
  {
    scope: 'heat',
    command: 'extend_right',
    keys: ['Shift+ArrowRight'],
    title: 'Extend to the right',
  },
  { scope: 'heat', command: 'extend_up', keys: ['Shift+ArrowUp'], title: 'Extend upwards' },
  { scope: 'heat', command: 'extend_down', keys: ['Shift+ArrowDown'], title: 'Extend downwards' },
  {
    scope: 'heat',
    command: 'choose_range',
    keys: ['Enter', 'm'],
    title: 'Keep the time of the cells',
  },
  {
    scope: 'heat',
    command: 'compare_ranges',
    keys: ['c'],
    title: 'Compare the cells with the kept range',
  },
  { scope: 'heat', command: 'whole', keys: ['0', 'Home'], title: 'The whole recording' },

  { scope: 'charts', command: 'left', keys: ['ArrowLeft'], title: 'Mark to the left' },
  { scope: 'charts', command: 'right', keys: ['ArrowRight'], title: 'Mark to the right' },
  { scope: 'charts', command: 'parent', keys: ['ArrowUp'], title: 'Mark above' },
  { scope: 'charts', command: 'child', keys: ['ArrowDown'], title: 'Mark below' },
  { scope: 'charts', command: 'row_first', keys: ['Home'], title: 'The largest' },
  {
    scope: 'charts',
    command: 'choose_beside',
    keys: [' '],
    title: 'Choose it beside others, or let it go',
  },
  {
    scope: 'charts',
    command: 'open_sandwich',
    keys: ['Enter', 'o'],
    title: 'Zoom in, in the sunburst and the treemap; else open in the sandwich',
  },
  {
    scope: 'charts',
    command: 'chart_out',
    keys: ['Backspace'],
    title: 'One level out, in the sunburst and the treemap',
  },
  { scope: 'charts', command: 'zoom_in', keys: ['+', '='], title: 'Closer, in the call graph' },
  { scope: 'charts', command: 'zoom_out', keys: ['-'], title: 'Further out, in the call graph' },
  { scope: 'charts', command: 'whole', keys: ['0'], title: 'All of the call graph' },
  { scope: 'charts', command: 'open_source', keys: ['e'], title: 'Open its source' },
  { scope: 'charts', command: 'focus_frame', keys: ['f'], title: 'Keep only stacks with it' },
  { scope: 'charts', command: 'ignore_frame', keys: ['i'], title: 'Drop stacks with it' },
  { scope: 'charts', command: 'hide_frame', keys: ['x'], title: 'Hide it' },
  { scope: 'charts', command: 'frame_menu', keys: ['ContextMenu', 'Shift+F10'], title: 'Menu' },

  { scope: 'experiment', command: 'left', keys: ['ArrowLeft'], title: 'Cell to the left' },
  { scope: 'experiment', command: 'right', keys: ['ArrowRight'], title: 'Cell to the right' },
  { scope: 'experiment', command: 'parent', keys: ['ArrowUp'], title: 'Cell above' },
  { scope: 'experiment', command: 'child', keys: ['ArrowDown'], title: 'Cell below' },
  { scope: 'experiment', command: 'row_first', keys: ['Home'], title: 'First cell' },
  { scope: 'experiment', command: 'row_last', keys: ['End'], title: 'Last cell' },
  {
    scope: 'experiment',
    command: 'extend_left',
    keys: ['Shift+ArrowLeft'],
    title: 'Extend to the left',
  },
  {
    scope: 'experiment',
    command: 'extend_right',
    keys: ['Shift+ArrowRight'],
    title: 'Extend to the right',
  },
  { scope: 'experiment', command: 'extend_up', keys: ['Shift+ArrowUp'], title: 'Extend upwards' },
  {
    scope: 'experiment',
    command: 'extend_down',
    keys: ['Shift+ArrowDown'],
    title: 'Extend downwards',
  },
  {
    scope: 'experiment',
    command: 'choose_range',
    keys: ['Enter', ' '],
    title: 'Choose the cells; again elsewhere, compare them',
  },
  {
    scope: 'experiment',
    command: 'compare_ranges',
    keys: ['c'],
    title: 'Open both sides as one comparison',
  },

  { scope: 'flame', command: 'parent', keys: ['ArrowUp'], title: 'Caller' },
  { scope: 'flame', command: 'child', keys: ['ArrowDown'], title: 'Largest callee' },
  { scope: 'flame', command: 'left', keys: ['ArrowLeft'], title: 'Frame to the left' },
  { scope: 'flame', command: 'right', keys: ['ArrowRight'], title: 'Frame to the right' },
  { scope: 'flame', command: 'zoom_to', keys: ['Enter'], title: 'Zoom to the selected frame' },
  { scope: 'flame', command: 'zoom_in', keys: ['+', '=', 'w'], title: 'Zoom in' },
  { scope: 'flame', command: 'zoom_out', keys: ['-', 's'], title: 'Zoom out' },
  { scope: 'flame', command: 'pan_left', keys: ['Shift+ArrowLeft', 'a'], title: 'Pan left' },
  { scope: 'flame', command: 'pan_right', keys: ['Shift+ArrowRight', 'd'], title: 'Pan right' },
  { scope: 'flame', command: 'page_up', keys: ['PageUp'], title: 'Scroll up' },
  { scope: 'flame', command: 'page_down', keys: ['PageDown'], title: 'Scroll down' },
  { scope: 'flame', command: 'whole', keys: ['0', 'Home'], title: 'Whole program' },
  { scope: 'flame', command: 'focus_frame', keys: ['f'], title: 'Keep only stacks with it' },
  { scope: 'flame', command: 'ignore_frame', keys: ['i'], title: 'Drop stacks with it' },
  { scope: 'flame', command: 'hide_frame', keys: ['x'], title: 'Hide it' },
  { scope: 'flame', command: 'show_from_frame', keys: ['g'], title: 'Show from it on' },
  { scope: 'flame', command: 'open_sandwich', keys: ['o'], title: 'Open in the sandwich' },
  { scope: 'flame', command: 'open_source', keys: ['e'], title: 'Open its source' },
  {
    scope: 'flame',
    command: 'show_spread',
    keys: ['v'],
    title: 'Its values over members, at the frame',
  },
  {
    scope: 'flame',
    command: 'next_pane_metric',
    keys: ['u'],
    title: 'Next metric of the pane, of linked contexts',
  },
  { scope: 'flame', command: 'copy_name', keys: ['c', 'Ctrl+c'], title: 'Copy its name' },
  { scope: 'flame', command: 'frame_menu', keys: ['ContextMenu', 'Shift+F10'], title: 'Menu' },

  { scope: 'table', command: 'row_up', keys: ['ArrowUp'], title: 'Row above' },
  { scope: 'table', command: 'row_down', keys: ['ArrowDown'], title: 'Row below' },
  { scope: 'table', command: 'row_up_extend', keys: ['Shift+ArrowUp'], title: 'Mark upwards' },
  {
    scope: 'table',
    command: 'row_down_extend',
    keys: ['Shift+ArrowDown'],
    title: 'Mark downwards',
  },
  { scope: 'table', command: 'row_first', keys: ['Home'], title: 'First row' },
  { scope: 'table', command: 'row_last', keys: ['End'], title: 'Last row' },
  { scope: 'table', command: 'row_page_up', keys: ['PageUp'], title: 'Page up' },
  { scope: 'table', command: 'row_page_down', keys: ['PageDown'], title: 'Page down' },
  { scope: 'table', command: 'unfold', keys: ['ArrowRight'], title: 'Unfold' },
  { scope: 'table', command: 'fold', keys: ['ArrowLeft'], title: 'Fold, or go to the parent' },
  { scope: 'table', command: 'toggle_fold', keys: ['Enter', ' '], title: 'Fold or unfold' },
  { scope: 'table', command: 'hottest_path', keys: ['h'], title: 'Unfold the hottest path' },
  { scope: 'table', command: 'copy_rows', keys: ['Ctrl+c'], title: 'Copy the marked rows' },
  { scope: 'table', command: 'zoom_to', keys: ['z'], title: 'Zoom the flame graph to it' },
  { scope: 'table', command: 'frame_menu', keys: ['ContextMenu', 'Shift+F10'], title: 'Menu' },
  { scope: 'table', command: 'open_sandwich', keys: ['o'], title: 'Open in the sandwich' },
  { scope: 'table', command: 'open_source', keys: ['e'], title: 'Open its source' },
  { scope: 'table', command: 'show_spread', keys: ['v'], title: 'Pin its values over members' },
  { scope: 'table', command: 'focus_frame', keys: ['f'], title: 'Keep only stacks with it' },
  { scope: 'table', command: 'ignore_frame', keys: ['i'], title: 'Drop stacks with it' },
  { scope: 'table', command: 'hide_frame', keys: ['x'], title: 'Hide it' },

  { scope: 'graph', command: 'successor', keys: ['ArrowDown'], title: 'Along an edge' },
  { scope: 'graph', command: 'predecessor', keys: ['ArrowUp'], title: 'Back along an edge' },
  { scope: 'graph', command: 'left', keys: ['ArrowLeft'], title: 'Box to the left' },
  { scope: 'graph', command: 'right', keys: ['ArrowRight'], title: 'Box to the right' },
  { scope: 'graph', command: 'inside', keys: ['Shift+ArrowDown', 'i'], title: 'Into a container' },
  { scope: 'graph', command: 'outside', keys: ['Shift+ArrowUp', 'u'], title: 'Out of it' },
  {
    scope: 'graph',
    command: 'toggle_fold',
    keys: ['Enter', ' '],
    title: 'Fold or unfold, or zoom to it',
  },
  { scope: 'graph', command: 'toggle_sum', keys: ['a'], title: 'Add to a sum, or take out of it' },
  { scope: 'graph', command: 'zoom_to', keys: ['z'], title: 'Zoom to what is selected' },
  { scope: 'graph', command: 'zoom_in', keys: ['+', '='], title: 'Zoom in' },
  { scope: 'graph', command: 'zoom_out', keys: ['-'], title: 'Zoom out' },
  { scope: 'graph', command: 'page_up', keys: ['PageUp'], title: 'Scroll up' },
  { scope: 'graph', command: 'page_down', keys: ['PageDown'], title: 'Scroll down' },
  { scope: 'graph', command: 'whole', keys: ['0', 'f', 'Home'], title: 'All of the drawing' },
  { scope: 'graph', command: 'fold_level', keys: ['['], title: 'Fold one level' },
  { scope: 'graph', command: 'unfold_level', keys: [']'], title: 'Unfold one level' },
  { scope: 'graph', command: 'fold_all', keys: ['{'], title: 'Fold all' },
  { scope: 'graph', command: 'unfold_all', keys: ['}'], title: 'Unfold all' },
  { scope: 'graph', command: 'toggle_outline', keys: ['o'], title: 'Outline' },
  { scope: 'graph', command: 'open_source', keys: ['e'], title: 'Open its source' },
  { scope: 'graph', command: 'open_accesses', keys: ['l'], title: 'Look at its accesses' },
  { scope: 'graph', command: 'frame_menu', keys: ['ContextMenu', 'Shift+F10'], title: 'Menu' },

  { scope: 'accesses', command: 'play_accesses', keys: [' '], title: 'Play or pause' },
  { scope: 'accesses', command: 'next_iteration', keys: ['.'], title: 'Next iteration' },
  { scope: 'accesses', command: 'previous_iteration', keys: [','], title: 'Previous iteration' },
  { scope: 'accesses', command: 'first_iteration', keys: ['Home'], title: 'First iteration' },
  { scope: 'accesses', command: 'next_overlay', keys: ['v'], title: 'What elements tell next' },
  {
    scope: 'accesses',
    command: 'leave_accesses',
    keys: ['Backspace'],
    title: 'Back to the graph',
  },
];

export const SCOPE_TITLES: Readonly<Record<Scope, string>> = {
  everywhere: 'Everywhere',
  timeline: 'In the timeline',
  heat: 'In the heat map',
  charts: 'In a chart',
  experiment: 'In the cells of an experiment',
  happenings: 'In a list below the timeline',
  flame: 'In the flame graph',
  table: 'In the table',
  graph: 'In a dataflow graph',
  accesses: 'Where accesses are shown',
};

/** Keys of the page that have a meaning for every kind of document. */
export const GENERAL_COMMANDS: ReadonlySet<Command> = new Set<Command>([
  'search',
  'next_match',
  'previous_match',
  'toggle_details',
  'next_theme',
  'open_file',
  'open_as',
  'show_keys',
  'escape',
]);

/** Keys of the page where experiments may be run. */
export const RUN_COMMANDS: ReadonlySet<Command> = new Set<Command>([
  'open_run',
  'open_kept',
  'open_queue',
]);

interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** A key press as `Ctrl+f`; Shift is named only where it does not change the character. */
export function chordOf(press: KeyPress): string {
  const parts = [];
  if (press.ctrlKey || press.metaKey) parts.push('Ctrl');
  if (press.altKey) parts.push('Alt');
  if (press.shiftKey && press.key.length > 1) parts.push('Shift');
  parts.push(press.key);
  return parts.join('+');
}

/** What a key press means where the keyboard is; a view's keys win over those of the page. */
export function commandFor(press: KeyPress, scope: Scope): Binding | undefined {
  const chord = chordOf(press);
  const find = (wanted: Scope) =>
    BINDINGS.find((binding) => binding.scope === wanted && binding.keys.includes(chord));
  return find(scope) ?? find('everywhere');
}

/** A chord as people read it. */
export function chordLabel(chord: string): string {
  return chord
    .replace('ArrowUp', '↑')
    .replace('ArrowDown', '↓')
    .replace('ArrowLeft', '←')
    .replace('ArrowRight', '→')
    .replace('Escape', 'Esc')
    .replace('ContextMenu', 'Menu')
    .replace(/^ $/, 'Space')
    .replace(/^([A-Z])$/, 'Shift+$1')
    .replace(/(^|\+)([a-z])$/, (_, plus: string, letter: string) => plus + letter.toUpperCase());
}
