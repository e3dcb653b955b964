import type { Command } from './key-commands.ts';

export interface Binding {
  readonly command: Command;
  /** Chords as `chordOf` writes them; the first is the one that the sheet shows first. */
  readonly keys: readonly string[];
  readonly title: string;
}

/** A row of a table of keys. */
export function key(title: string, command: Command, ...keys: readonly string[]): Binding {
  return { title, command, keys };
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
    key('Search', 'search', '/', 'Ctrl+f'),
    key('Next match', 'next_match', 'F3', 'n'),
    key('Previous match', 'previous_match', 'Shift+F3', 'N'),
    key('Top-down', 'shape_top_down', '1'),
    key('Bottom-up', 'shape_bottom_up', '2'),
    key('Flat', 'shape_flat', '3'),
    key('Bottom-up, every function by its total', 'shape_all_callers', 'B'),
    key('Next metric', 'next_metric', 'm'),
    key('Metric by formula', 'define_metric', 'M'),
    key('Add a filter', 'add_filter', 'F'),
    key('Recursion: expanded, merge direct, merge all', 'toggle_recursion', 'r'),
    key('Next minimum share', 'next_hide_below', 'b'),
    key('Next maximum depth', 'next_levels', 'l'),
    key('Details panel', 'toggle_details', 'p'),
    key('Python pane', 'toggle_python', 'P'),
    key('Next theme', 'next_theme', 't'),
    key('Open a file', 'open_file', 'Ctrl+o'),
    key('Open as another format', 'open_as', 'O'),
    key('Run a program', 'open_run', 'R'),
    key('Kept runs', 'open_kept', 'K'),
    key('Queue of runs', 'open_queue', 'Q'),
    key('Keys and gestures', 'show_keys', '?'),
    key('Close, zoom out, unselect', 'escape', 'Escape'),
  ],
};
