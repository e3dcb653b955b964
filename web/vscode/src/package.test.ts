import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from './commands.ts';

const file = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const read = (name: string) => readFileSync(file(name), 'utf8');

interface Manifest {
  readonly version: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly customEditors: readonly {
      readonly viewType: string;
      readonly priority: string;
      readonly selector: readonly { readonly filenamePattern: string }[];
    }[];
    readonly walkthroughs: readonly {
      readonly steps: readonly { readonly media: { readonly markdown: string } }[];
    }[];
  };
}

const manifest = JSON.parse(read('package.json')) as Manifest;
const { contributes } = manifest;

/** Endings that mostly belong to something else; 'Open with Hotframe' takes those. */
const OF_OTHERS = [
  '*.csv',
  '*.dot',
  '*.gv',
  '*.parquet',
  '*.stats.json',
  '*.perf.json',
  // Any message of Protocol Buffers, and sources of Mojo.
  '*.pb',
  '*.mojo',
  // VS Code has a viewer of its own.
  '*.cpuprofile',
  '*.heapprofile',
];

describe('the manifest', () => {
  it('opens what belongs to a profile', () => {
    const patterns = contributes.customEditors
      .find(({ viewType }) => viewType === 'hotframe.profile')
      ?.selector.map(({ filenamePattern }) => filenamePattern);
    const lines = read('../../docs/formats.md').split('\n');
    const endings = lines
      .filter((line) => line.startsWith('- files: '))
      .flatMap((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, ending]) => ending ?? ''));
    expect(endings.length).toBeGreaterThan(40);
    const missing = endings.filter((one) => !OF_OTHERS.includes(one) && !patterns?.includes(one));
    expect(missing).toEqual([]);
    expect(patterns?.filter((one) => OF_OTHERS.includes(one))).toEqual([]);
  });

  it('says how many formats there are', () => {
    const count = read('../../docs/formats.md').match(/^## /gm)?.length;
    expect(manifest.description).toContain(`${count} formats`);
    expect(read('README.md')).toContain(`[${count} formats]`);
  });

  it('has the version of the program, and says what is new in it', () => {
    const { version } = manifest;
    expect(read('../../Cargo.toml')).toContain(`\nversion = "${version}"\n`);
    expect(read('CHANGELOG.md')).toContain(`\n## ${version}\n`);
  });

  it('has no more keywords than the Marketplace takes', () => {
    expect(manifest.keywords.length).toBeLessThanOrEqual(30);
    expect(new Set(manifest.keywords).size).toBe(manifest.keywords.length);
  });

  it('offers itself for every file', () => {
    const any = contributes.customEditors.find(({ viewType }) => viewType === 'hotframe.any');
    expect(any?.priority).toBe('option');
    expect(any?.selector).toEqual([{ filenamePattern: '*' }]);
  });

  it('offers commands that exist', () => {
    for (const { command } of contributes.commands) expect(COMMANDS).toContain(command);
  });

  it('names pages that exist', () => {
    const pages = contributes.walkthroughs.flatMap(({ steps }) =>
      steps.map(({ media }) => media.markdown),
    );
    expect(pages.length).toBeGreaterThan(0);
    for (const page of pages) expect(existsSync(file(page)), page).toBe(true);
  });
});
