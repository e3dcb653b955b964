import type { App } from '../../state/app.ts';
import { plainLines } from '../../state/accesses.ts';
import { cacheText } from '../../state/accesses-view.ts';
import type { MenuItem } from '../../state/commands.ts';
import { COLD, iterationOf, missOf, partsOf, placeOfLine } from '../../views/accesses/elements.ts';
import { indicesOf, labelsOf } from '../../views/accesses/containers.ts';
import { totalsOf } from '../../views/accesses/histogram.ts';
import { valuesAt } from '../../views/accesses/iterations.ts';
import { csv } from './csv.ts';
import { elementsTable } from './elements-csv.ts';

export function exportMenu(app: App): readonly MenuItem[] {
  return [
    {
      label: 'Elements as CSV',
      title: 'Accesses, misses and distances of each element',
      run: () => save(app, elementsCsv(app), 'elements.csv'),
    },
    {
      label: 'Accesses as CSV',
      title: 'Every access in its order: iteration, element, line, distance, miss',
      run: () => save(app, accessesCsv(app), 'accesses.csv'),
    },
    {
      label: 'Sums as CSV',
      title: 'By container, by place and by level of sets',
      run: () => save(app, sumsCsv(app), 'sums.csv'),
    },
    {
      label: 'Picture as PNG',
      title: 'The containers as they are drawn',
      run: () => {
        picture(app).catch(app.notices.fail);
      },
    },
  ];
}

/** A table, or why there is none. */
type Written = string | { readonly problem: string };

const NOT_EACH: Written = { problem: 'Single accesses are listed at smaller sizes.' };

function save(app: App, text: Written, ending: string): void {
  if (typeof text !== 'string') {
    app.notices.notice.value = text.problem;
    return;
  }
  app.host.save(new Blob([text], { type: 'text/csv' }), `${stem(app)}.${ending}`);
}

function stem(app: App): string {
  return (app.accesses.sizes.value.value?.title ?? 'accesses').replace(/\.[a-z]+$/i, '');
}

function elementsCsv(app: App): Written {
  const run = app.accesses.run.value.value;
  if (run?.result.has_each !== true) return NOT_EACH;
  const view = app.accesses.view.value;
  const { text, note } = elementsTable(run, plainLines(view), view.range);
  if (note !== undefined) app.notices.notice.value = note;
  return text;
}

function accessesCsv(app: App): Written {
  const run = app.accesses.run.value.value;
  if (run?.result.has_each !== true) return NOT_EACH;
  const { columns, result } = run;
  const lines = plainLines(app.accesses.view.value);
  const rows: (string | number)[][] = [
    [
      'access',
      ...result.variables.map((name) => `loop ${name}`),
      'container',
      'indices',
      'way',
      'line',
      'distance',
      'miss',
      'kept',
    ],
  ];
  for (let access = 0; access < columns.reference.length; access += 1) {
    const reference = result.references[columns.reference[access]!]!;
    const container = result.containers[reference.container]!;
    const distance = columns.distance[access]!;
    rows.push([
      access,
      ...valuesAt(run, iterationOf(columns.start, access)),
      labelsOf(run)[reference.container]!,
      indicesOf(container.shape, columns.element[access]!).join(' '),
      reference.is_write ? 'write' : 'read',
      placeOfLine(run, access),
      distance === COLD ? '' : distance,
      missOf(run, access, lines) ?? '',
      // What lines that may stand anywhere would not have: it counts as a conflict less.
      partsOf(run, access, lines)[2] < 0 ? 'kept' : '',
    ]);
  }
  return csv(rows);
}

function sumsCsv(app: App): Written {
  const run = app.accesses.run.value.value;
  if (run === undefined) return { problem: 'Nothing is known yet.' };
  const { result } = run;
  const lines = plainLines(app.accesses.view.value);
  const of = (kind: string, name: string, totals: (typeof result)['totals']) => [
    kind,
    name,
    totals.accesses,
    totals.lines,
    totals.cold,
    totals.capacity,
    totals.conflict,
    totals.bytes,
  ];
  return csv([
    ['of', 'name', 'accesses', 'lines', 'cold', 'capacity', 'conflict', 'bytes'],
    of('all', '', totalsOf(run, undefined, lines)),
    ...labelsOf(run).map((name, number) => of('container', name, totalsOf(run, number, lines))),
    // Lines are those of a container, whichever place touches them.
    ...result.references.map(({ origin, totals }) =>
      of('place', origin, totals).map((value, column) => (column === 3 ? '' : value)),
    ),
    ...(lines === undefined ? result.levels : []).map((level, number) =>
      of('level', `L${number + 1} ${cacheText(level)}`, level.totals),
    ),
  ]);
}

async function picture(app: App): Promise<void> {
  const figures = [...document.querySelectorAll('.accesses-container')];
  const parts = figures.flatMap((figure) => {
    const canvases = [...figure.querySelectorAll('canvas')];
    const name = figure.querySelector('figcaption b')?.textContent ?? '';
    return canvases[0] === undefined ? [] : [{ name, canvases, size: canvases[0] }];
  });
  const [margin, title] = [24, 34];
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, ...parts.map(({ size }) => size.width)) + 2 * margin;
  canvas.height = parts.reduce((sum, { size }) => sum + size.height + title + margin, margin);
  const context = canvas.getContext('2d');
  if (context === null) return;
  const style = getComputedStyle(document.documentElement);
  context.fillStyle = style.getPropertyValue('--panel');
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = style.getPropertyValue('--ink');
  context.font = `600 22px ${style.getPropertyValue('--mono')}`;
  let y = margin;
  for (const { name, canvases, size } of parts) {
    context.fillText(name, margin, y + 20);
    for (const one of canvases) context.drawImage(one, margin, y + title);
    y += size.height + title + margin;
  }
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (blob !== null) app.host.save(blob, `${stem(app)}.png`);
}
