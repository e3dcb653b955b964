import type { DocumentInfo } from '@hotframe/engine';
import type { App } from '../../state/app.ts';
import { isGraphFile } from '../../state/graph.ts';
import type { MenuItem } from '../../state/commands.ts';

/** What can be done with a dataflow graph and each of the other documents. */
export function together(app: App, others: readonly DocumentInfo[]): MenuItem[] {
  const { graph } = app;
  const isGraph = ({ title, state }: Pick<DocumentInfo, 'title' | 'state'>) =>
    state.kind === 'ready' ? state.shows === 'graph' : isGraphFile(title);
  // Loops measure nothing.
  const measuring = others.filter(
    ({ state }) => state.kind !== 'ready' || state.shows !== 'accesses',
  );
  return measuring.map(({ document, title, state }, index) =>
    isGraph({ title, state })
      ? {
          label: `Compare with ${title}`,
          title: 'That one is before, this one after',
          apart: index === 0,
          run: () => {
            graph.update({ against: document }, 'push');
            graph.panel.value = 'compare';
            app.detailsOpen.value = true;
          },
        }
      : {
          label: `Lay ${title} over the graph`,
          title: 'What it measured, on the elements that it is of',
          apart: index === 0,
          run: () => {
            graph.layOver(document).catch(app.notices.fail);
          },
        },
  );
}
