import type { RowsParams } from '@hotframe/engine';
import type { App } from '../../state/app.ts';
import { copyText } from '../../state/frame-actions.ts';
import { formatThings, NO_VALUE } from '../../text/units.ts';
import { partOf, type RowsPart } from './rows.ts';

/** Copies rows as a table for spreadsheets. */
export function copyRows(app: App, request: RowsParams): void {
  const metrics = app.profile.summary.value?.metrics ?? [];
  app.engine.call('rows', request).then((answer) => {
    copyText(
      app,
      rowsAsText(partOf(request.view, request.first, answer), metrics),
      `${formatThings(request.count, 'row')} copied`,
    );
  }, app.notices.fail);
}

/** Copies rows that are there, what is left out among them. */
export function copyListed(app: App, part: RowsPart): void {
  const metrics = app.profile.summary.value?.metrics ?? [];
  copyText(app, rowsAsText(part, metrics), `${formatThings(part.rows.length, 'row')} copied`);
}

/** Rows with tabs between their cells: names are indented, values are those of the profile. */
export function rowsAsText(
  part: Pick<RowsPart, 'rows' | 'values'>,
  metrics: readonly { readonly name: string; readonly unit: string }[],
): string {
  const lines = part.rows.map((info, index) => {
    const { self, total } = part.values[index]!;
    // What is left out has no self, and a total where totals add up.
    const told = (value: bigint | undefined) =>
      info.rest !== undefined && value === NO_VALUE ? undefined : value;
    const values = metrics.flatMap((_metric, m) => [told(self[m]), told(total[m])]);
    return ['  '.repeat(info.depth) + info.name, info.file, info.line, ...values].join('\t');
  });
  const head = ['name', 'file', 'line'].concat(
    metrics.flatMap(({ name, unit }) => [`${name} self (${unit})`, `${name} total (${unit})`]),
  );
  return [head.join('\t'), ...lines].join('\n');
}
