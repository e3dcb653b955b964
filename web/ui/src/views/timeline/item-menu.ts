import type { App } from '../../state/app.ts';
import type { MenuItem } from '../../state/commands.ts';
import { exactPattern } from '../../text/patterns.ts';
import type { TimelineController } from './controller.ts';
import { lasting } from './items.ts';
import { showPath } from './path-of.ts';

/** What can be done with what is selected. */
export function itemMenu(
  app: App,
  controller: TimelineController,
  name: string,
): readonly MenuItem[] {
  const key = controller.input.peek().view;
  const withShown = (run: (begin: number, lasts: number) => void) => () => {
    const shown = controller.selected.peek().value;
    if (shown !== undefined) run(shown.begin, lasting(shown));
  };
  return [
    {
      label: 'Zoom to it',
      key: 'Enter',
      run: withShown((begin, lasts) => controller.zoomTo(begin, lasts)),
    },
    ...(key.span === undefined
      ? []
      : [
          {
            label: 'Filter to this span',
            key: 'm',
            run: withShown((begin, lasts) => controller.choose({ from: begin, to: begin + lasts })),
          },
          {
            label: 'Filter to all spans with this name',
            run: () => app.profile.addFilter('during', exactPattern(name)),
          },
          { label: 'Critical path of this span', run: () => showPath(app, key.span) },
        ]),
    {
      label: 'Search for this name',
      run: () => app.update({ search: exactPattern(name) }, 'push'),
    },
    { label: 'Open its source', key: 'e', run: () => app.source.openSelected(true) },
  ];
}
