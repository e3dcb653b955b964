import type { App } from '../../state/app.ts';
import type { Handlers } from '../../state/commands.ts';
import { nextOverlay } from '../../views/accesses/steps.ts';

/** Keys of the page while it shows accesses. */
export function commands(app: App): Handlers {
  const { accesses } = app;
  const step = (by: number) => {
    const total = accesses.run.peek().value?.columns.start.length ?? 0;
    if (total === 0) return;
    const { at } = accesses.view.peek();
    const next = at === undefined ? 0 : Math.min(total - 1, Math.max(0, at + by));
    accesses.drag({ at: next });
  };
  return {
    play_accesses() {
      if ((accesses.run.peek().value?.columns.start.length ?? 0) === 0) return;
      accesses.playing.value = !accesses.playing.peek();
    },
    next_iteration: () => step(1),
    previous_iteration: () => step(-1),
    first_iteration: () => step(Number.NEGATIVE_INFINITY),
    next_overlay: () => {
      const overlay = nextOverlay(accesses.view.peek(), accesses.isRecorded.peek());
      accesses.update({ overlay }, 'push');
    },
    leave_accesses() {
      if (accesses.view.peek().scope !== undefined) accesses.openPart(undefined);
    },
    escape() {
      const { chosen, at } = accesses.view.peek();
      if (chosen.length > 0) accesses.update({ chosen: [] }, 'replace');
      else if (at !== undefined) {
        accesses.playing.value = false;
        accesses.update({ at: undefined }, 'replace');
      }
    },
  };
}
