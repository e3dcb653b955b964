/**
 * Makes pictures of the docs anew: `npm run pictures --workspace web/tests`, or some of them by their names.
 */

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { eventually, REPOSITORY, startStage } from '../harness.ts';
import { EDITOR_PICTURES, takeInEditor } from './editor.ts';
import { type Picture, PICTURES, temporary } from './pictures.ts';
import type { Recording } from './recordings.ts';

/** What moves has come to rest, and the bars show no work. */
async function settles(page: Page): Promise<void> {
  await eventually('nothing is being computed', async () => {
    const busy = await page.locator('[aria-busy=true], progress').count();
    return busy === 0;
  });
  await page.waitForTimeout(1000);
}

/** The folders of recordings that are made once for all of their pictures. */
const folders = new Map<Recording, string>();

/** Goes to the folder of a recording, and makes its files where nothing did. */
function enter(recording: Recording): void {
  const known = folders.get(recording);
  const folder = known ?? mkdtempSync(path.join(tmpdir(), 'hotframe-pictures-'));
  folders.set(recording, folder);
  process.chdir(folder);
  if (known === undefined) recording();
}

/** Why a picture cannot be made here; nothing if it can. */
function obstacle({ recording, files }: Picture): string | undefined {
  try {
    if (recording !== undefined) enter(recording);
  } catch (error) {
    return `its recording failed: ${error instanceof Error ? error.message : error}`;
  }
  const missing = files.find((file) => !existsSync(file));
  return missing === undefined ? undefined : `${missing} is not here`;
}

async function take(picture: Picture): Promise<void> {
  const { name, files, command = ['open'], size, dark, hash, arrive } = picture;
  const before = { ...process.env };
  Object.assign(process.env, picture.environment);
  const stage = await startStage(files, command);
  process.env = before;
  const [width, height] = size;
  const page = await stage.open(typeof hash === 'string' ? hash : hash(), {
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
  });
  await arrive(page);
  await settles(page);
  await page.mouse.move(width - 1, height - 1);
  await page.screenshot({ path: path.join(REPOSITORY, `docs/${name}.png`) });
  await page.close();
  await stage.close();
}

const chosen = process.argv.slice(2);
const isChosen = ({ name }: { readonly name: string }) =>
  chosen.length === 0 || chosen.includes(name);
try {
  for (const picture of PICTURES.filter(isChosen)) {
    const why = obstacle(picture);
    if (why === undefined) await take(picture);
    console.log(why === undefined ? picture.name : `${picture.name}: left as it is, for ${why}`);
  }
  const inEditor = EDITOR_PICTURES.filter(isChosen);
  if (inEditor.length > 0) await takeInEditor(inEditor);
} finally {
  process.chdir(REPOSITORY);
  for (const folder of [temporary, ...folders.values()]) rmSync(folder, { recursive: true });
}
process.exit(0);
