import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type KeyScope, PAGE_KEYS } from '../state/key-bindings.ts';
import { chordLabel } from '../state/keys.ts';
import { accessesPage } from './accesses/page.tsx';
import { graphPage } from './graph/page.tsx';
import { profilePage } from './profile/page.tsx';

const FILE = path.join(import.meta.dirname, '../../../../docs/keys.md');

const HEAD = `# Keys

*Made from the page's own tables. \`UPDATE_GOLDEN=1 npx vitest run src/documents/keys.test.ts\` in \`web/ui\` writes it anew.*

\`?\` shows the keys and gestures of the open document. Keys of a view work while the view has the focus.
`;

function section(title: string, scopes: readonly KeyScope[]): string {
  const tables = scopes.map(({ title: place, keys }) => {
    const rows = keys.map(
      ({ keys: chords, title: does }) =>
        `| ${chords.map((chord) => `\`${chordLabel(chord)}\``).join(' ')} | ${does} |`,
    );
    return `\n### ${place}\n\n| key | |\n|---|---|\n${rows.join('\n')}\n`;
  });
  return `\n## ${title}\n${tables.join('')}`;
}

test('docs/keys.md lists every key', () => {
  const text =
    HEAD +
    section('Everywhere', [PAGE_KEYS]) +
    section('Profiles and traces', profilePage.keys) +
    section('Dataflow graphs', graphPage.keys) +
    section('Accesses', accessesPage.keys);
  if (process.env.UPDATE_GOLDEN !== undefined) writeFileSync(FILE, text);
  expect(readFileSync(FILE, 'utf8')).toBe(text);
});
