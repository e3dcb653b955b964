import type { App } from '../../state/app.ts';
import type { Handlers } from '../../state/commands.ts';

/** Keys of the page while it shows a dataflow graph. */
export function commands(app: App): Handlers {
  const { graph } = app;
  const depth = () => graph.scene.peek()?.drawing.result.depth ?? 1;
  const deepest = () => (graph.summary.peek()?.depth ?? 1) + 1;
  return {
    toggle_outline() {
      graph.outlineOpen.value = !graph.outlineOpen.peek();
    },
    open_accesses: () => app.accesses.openPart(graph.view.peek().selection ?? 'all'),
    fold_level: () => graph.setDepth(Math.max(1, depth() - 1)),
    unfold_level: () => graph.setDepth(Math.min(deepest(), depth() + 1)),
    fold_all: () => graph.setDepth(1),
    unfold_all: () => graph.setDepth(deepest()),
  };
}
