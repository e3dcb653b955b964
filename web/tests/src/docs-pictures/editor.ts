/** The pictures of VS Code: parts of its window, with a project of the repository. */

import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from '@playwright/test';
import { Workbench } from '../editor/harness.ts';
import { EXTENSION, NODE, VSCODE } from '../editor/serving.ts';
import { eventually, REPOSITORY, sample } from '../harness.ts';

const PROFILE = 'gazetteer.perf-script.gz';
/** The row of the flame graph that begins with the outermost `search`. */
const SEARCH_ROW = 20;
/** The hottest line of `search`. */
const HOTTEST = 43;

interface EditorPicture {
  /** The file below `docs`, without its ending. */
  readonly name: string;
  /** In pixels. */
  readonly size: readonly [width: number, height: number];
  /** Brings what is shown to the window, and tells what the picture has in its upper left corner. */
  arrive(code: Workbench): Promise<Corner>;
}

interface Corner {
  readonly of: Locator;
  /** How far left of it and above it the picture begins. */
  readonly margin: readonly [left: number, top: number];
}

export const EDITOR_PICTURES: readonly EditorPicture[] = [
  {
    name: 'editor-flame',
    size: [1248, 780],
    async arrive(code) {
      return { of: code.tab(PROFILE), margin: [0, 0] };
    },
  },
  {
    name: 'editor-hover',
    size: [645, 480],
    async arrive(code) {
      await code.hover(HOTTEST);
      return { of: code.page.locator('.monaco-hover:not(.hidden)').first(), margin: [6, 80] };
    },
  },
  {
    name: 'editor-instructions',
    size: [1095, 560],
    async arrive(code) {
      await code.page.keyboard.press('Escape');
      await code.code.locator('.codelens-decoration a', { hasText: '34 instructions' }).click();
      const list = code.page.locator('.quick-input-widget');
      await list.locator('.monaco-list-row.focused').waitFor();
      return { of: list, margin: [0, 6] };
    },
  },
  {
    name: 'editor-summary',
    size: [834, 560],
    async arrive(code) {
      await code.page.keyboard.press('Escape');
      await code.run('Hotframe: Show Summary');
      const summary = code.page.locator('.tabs-container .tab[aria-label^="Summary"]');
      await summary.waitFor();
      return { of: summary, margin: [414, 0] };
    },
  },
];

/** Takes some of the pictures, one after the other in the same window. */
export async function takeInEditor(pictures: readonly EditorPicture[]): Promise<void> {
  const needed = [NODE, VSCODE, EXTENSION].find((file) => !existsSync(file));
  if (needed !== undefined) {
    const names = pictures.map(({ name }) => name).join(', ');
    console.log(`${names}: left as they are, for ${needed} is not here`);
    return;
  }
  const code = await Workbench.start(sample('editor/rust'));
  await code.explorer(PROFILE).click();
  await code.clickRow(SEARCH_ROW);
  await code.tab('tree.rs').waitFor();
  await code.focusGroup(2);
  await eventually('a lens', async () => (await code.lenses()).length > 0);
  for (const { name, size, arrive } of pictures) {
    const { of, margin } = await arrive(code);
    await code.page.waitForTimeout(1500);
    const box = (await of.boundingBox())!;
    const [width, height] = size;
    const clip = {
      x: Math.max(0, box.x - margin[0]),
      y: Math.max(0, box.y - margin[1]),
      width,
      height,
    };
    await code.page.screenshot({ path: path.join(REPOSITORY, `docs/${name}.png`), clip });
    console.log(name);
  }
  await code.close();
}
