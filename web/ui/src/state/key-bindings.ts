import type { Command } from './key-commands.ts';

export interface Binding {
  readonly command: Command;
  /** Chords as `chordOf` writes them; the first is the one that the sheet shows first. */
  readonly keys: readonly string[];
  readonly title: string;
}

/** The keys of a place: this table dispatches, and the sheet behind `?` prints it. */
export interface KeyScope {
  /** The `data-scope` of elements that have them; everywhere else, `everywhere`. */
  readonly scope: string;
  /** What the sheet calls the place. */
  readonly title: string;
  readonly keys: readonly Binding[];
}

/** Where keys are that need no place. */
export const EVERYWHERE = 'everywhere';

/** The keys of all pages. */
export const PAGE_KEYS: KeyScope = {
  scope: EVERYWHERE,
  title: 'Everywhere',
  keys: [
    { command: 'search', keys: ['/', 'Ctrl+f'], title: 'Search' },
    { command: 'next_match', keys: ['F3', 'n'], title: 'Next match' },
    { command: 'previous_match', keys: ['Shift+F3', 'N'], title: 'Previous match' },
    { command: 'shape_top_down', keys: ['1'], title: 'Top-down' },
    { command: 'shape_bottom_up', keys: ['2'], title: 'Bottom-up' },
    { command: 'shape_flat', keys: ['3'], title: 'Flat' },
    { command: 'shape_all_callers', keys: ['B'], title: 'Bottom-up, every function by its total' },
    { command: 'next_metric', keys: ['m'], title: 'Next metric' },
    { command: 'define_metric', keys: ['M'], title: 'Metric by formula' },
    { command: 'add_filter', keys: ['F'], title: 'Add a filter' },
    {
      command: 'toggle_recursion',
      keys: ['r'],
      title: 'Recursion: shown, direct collapsed, all collapsed',
    },
    { command: 'next_hide_below', keys: ['b'], title: 'Hide below a share: next' },
    { command: 'next_levels', keys: ['l'], title: 'Levels: next' },
    { command: 'toggle_details', keys: ['p'], title: 'Details panel' },
    { command: 'toggle_python', keys: ['P'], title: 'Python pane' },
    { command: 'next_theme', keys: ['t'], title: 'Next theme' },
    { command: 'open_file', keys: ['Ctrl+o'], title: 'Open a file' },
    { command: 'open_as', keys: ['O'], title: 'Open as another format' },
    { command: 'open_run', keys: ['R'], title: 'Run a program' },
    { command: 'open_kept', keys: ['K'], title: 'What was run' },
    { command: 'open_queue', keys: ['Q'], title: 'The queue of runs' },
    { command: 'show_keys', keys: ['?'], title: 'This sheet' },
    { command: 'escape', keys: ['Escape'], title: 'Close, zoom out, unselect' },
  ],
};
