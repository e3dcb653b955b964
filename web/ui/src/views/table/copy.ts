import type { Answer, RowsParams } from '@hotframe/engine';
import type { App } from '../../state/app.ts';
import { copyText } from '../../state/frame-actions.ts';
import { formatThings } from '../../text/units.ts';

/** Copies rows as a table for spreadsheets. */
export function copyRows(app: App, request: RowsParams): void {
  const metrics = app.profile.summary.value?.metrics ?? [];
  app.engine.call('rows', request).then((answer) => {
    copyText(app, rowsAsText(answer, metrics), `${formatThings(request.count, 'row')} copied`);
  }, app.notices.fail);
}

/** Rows with tabs between their cells: names are indented, values are those of the profile. */
export function rowsAsText(
  { result, columns }: Answer<'rows'>,
  metrics: readonly { readonly name: string; readonly unit: string }[],
): string {
  const lines = result.rows.map((info, index) => {
    const at = index * result.metrics;
    const values = metrics.flatMap((_metric, m) => [
      columns.self_value[at + m],
      columns.total_value[at + m],
    ]);
    return ['  '.repeat(info.depth) + info.name, info.file, info.line, ...values].join('\t');
  });
  const head = ['name', 'file', 'line'].concat(
    metrics.flatMap(({ name, unit }) => [`${name} self (${unit})`, `${name} total (${unit})`]),
  );
  return [head.join('\t'), ...lines].join('\n');
}
