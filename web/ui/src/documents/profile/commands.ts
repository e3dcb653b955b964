import type { App } from '../../state/app.ts';
import type { Handlers } from '../../state/commands.ts';
import { HIDE_BELOW, LEVELS, nextChoice } from '../../state/pruning.ts';
import { nextCollapse } from '../../state/view-state.ts';
import { hasNeeds, type View } from '../../state/view.ts';

/** Keys of the page while it shows a profile. */
export function commands(app: App): Handlers {
  return {
    shape_top_down: () => app.profile.setShape('top_down'),
    shape_bottom_up: () => app.profile.setShape('bottom_up'),
    shape_all_callers: () => app.profile.setShape('all_callers'),
    shape_flat: () => app.profile.setShape('flat'),
    ...Object.fromEntries(
      app.profile.views.map((view) => [`view_${view.id}`, () => show(app, view)]),
    ),
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

function show(app: App, view: View): void {
  if (hasNeeds(view, app.profile.summary.peek())) app.update({ view: view.id }, 'push');
  else app.notices.notice.value = view.needs?.missing;
}
