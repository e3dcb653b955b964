import type { App } from '../../state/app.ts';
import type { Handlers } from '../../state/commands.ts';
import { hasCells } from '../../state/linked.ts';
import { HIDE_BELOW, LEVELS, nextChoice } from '../../state/pruning.ts';
import { nextCollapse } from '../../state/view-state.ts';

/** Keys of the page while it shows a profile. */
export function commands(app: App): Handlers {
  return {
    shape_top_down: () => app.profile.setShape('top_down'),
    shape_bottom_up: () => app.profile.setShape('bottom_up'),
    shape_all_callers: () => app.profile.setShape('all_callers'),
    shape_flat: () => app.profile.setShape('flat'),
    view_timeline: () => showByTime(app, 'timeline'),
    view_heat: () => showByTime(app, 'heat'),
    view_processors() {
      if (app.profile.summary.peek()?.has_processors ?? false)
        app.update({ view: 'processors' }, 'push');
      else
        app.notices.notice.value = 'This profile does not tell on which processors samples were.';
    },
    view_experiment() {
      if (hasCells(app.profile.summary.peek())) app.update({ view: 'experiment' }, 'push');
      else app.notices.notice.value = 'This profile is not the result of an experiment.';
    },
    view_flame: () => app.update({ view: 'flame' }, 'push'),
    view_table: () => app.update({ view: 'table' }, 'push'),
    view_both: () => app.update({ view: 'both' }, 'push'),
    view_charts: () => app.update({ view: 'charts' }, 'push'),
    view_sandwich: () => app.update({ view: 'sandwich' }, 'push'),
    view_linked() {
      if ((app.profile.summary.peek()?.roles.length ?? 0) > 0)
        app.update({ view: 'linked' }, 'push');
      else app.notices.notice.value = 'The samples of this profile join no contexts.';
    },
    next_metric() {
      const count = app.profile.summary.peek()?.metrics.length ?? 1;
      app.profile.setMetric((app.profile.metric.peek() + 1) % count);
    },
    toggle_recursion: () =>
      app.update({ collapse: nextCollapse(app.view.peek().collapse) }, 'push'),
    next_hide_below() {
      const next = nextChoice(HIDE_BELOW, String(app.view.peek().hideBelow));
      app.update({ hideBelow: Number(next) }, 'push');
    },
    next_levels() {
      const next = nextChoice(LEVELS, String(app.view.peek().levels ?? ''));
      app.update({ levels: next === '' ? undefined : Number(next) }, 'push');
    },
    add_filter() {
      app.overlay.value = 'filter';
    },
    define_metric() {
      app.overlay.value = 'formula';
    },
  };
}

function showByTime(app: App, view: 'timeline' | 'heat'): void {
  if ((app.profile.summary.peek()?.tracks ?? 0) > 0) app.update({ view }, 'push');
  else app.notices.notice.value = 'This profile does not tell when anything was.';
}
