import type { DocumentInfo } from '@hotframe/engine';
import type { App } from '../../state/app.ts';
import type { MenuItem } from '../../state/commands.ts';

/** What can be done with a profile and each of the other documents. */
export function together(app: App, others: readonly DocumentInfo[]): MenuItem[] {
  if (app.profile.summary.value === undefined || app.profile.summary.value.comparison !== null)
    return [];
  // What is not read yet may be a profile.
  const profiles = others.filter(
    ({ state }) => state.kind !== 'ready' || state.shows === 'profile',
  );
  const shown = app.documents.named.value;
  const all = [...(shown === undefined ? [] : [shown]), ...profiles.map((info) => info.document)];
  const several: MenuItem[] =
    profiles.length < 2
      ? []
      : [
          {
            label: 'Several together…',
            title: 'As one profile, or as the runs of a comparison',
            apart: true,
            run: () => app.offer(all.toSorted((a, b) => a - b)),
          },
        ];
  const pairs = profiles.flatMap(({ document, title }, index) => [
    {
      label: `Compare with ${title}`,
      title: 'The older one is the base; the sides can be swapped',
      apart: index === 0,
      run: () => {
        app.profile.compareWith(document).catch(app.notices.fail);
      },
    },
    {
      label: `Add ${title} to this view`,
      title: 'Both as one profile, whose members they are',
      run: () => {
        const shown = app.documents.shown.peek();
        if (shown !== undefined) app.profile.mergeAll([shown, document]).catch(app.notices.fail);
      },
    },
  ]);
  return [...several, ...pairs];
}
