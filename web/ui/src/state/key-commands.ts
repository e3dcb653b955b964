/** What a key can do; each command has one handler, in the scope that its binding names. */
export type Command =
  | `view_${string}`
  | 'search'
  | 'next_match'
  | 'previous_match'
  | 'show_keys'
  | 'shape_top_down'
  | 'shape_bottom_up'
  | 'shape_all_callers'
  | 'shape_flat'
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
  | 'copy_stack'
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
