/** What is waited for and done on the page before a picture of it is taken. */

import type { Page } from '@playwright/test';
import { flameOf } from '../harness.ts';

const rows = (page: Page) => page.locator('.table .row').first().waitFor();
export const pairs = (page: Page) => page.locator('.pairs tbody tr, .table .row').first().waitFor();
export const tracks = (page: Page) =>
  page.locator('[data-scope=timeline] [role=treeitem]').first().waitFor({ state: 'attached' });
export const closesDetails = (page: Page) => page.getByRole('button', { name: 'Details' }).click();
export const bins = async (page: Page) => {
  await page.locator('.over-time .strip .cells').first().waitFor();
  await page.locator('.bins.pending').waitFor({ state: 'detached' });
};
export const differences = (page: Page) =>
  page.locator('.experiment table tbody tr').first().waitFor();
export const graph = (page: Page) =>
  page.locator('[data-scope=graph] canvas').first().waitFor({ state: 'visible' });

/** Chooses the first frame that a search finds, and leaves the search. */
export async function chooses(page: Page, name: string): Promise<void> {
  await flameOf(page);
  await page.keyboard.press('/');
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await page.locator('.details .place').waitFor();
  await page.keyboard.press('Escape');
}

/** Chooses the cells of an experiment from one to another, row by row. */
export async function drags(page: Page, from: number, to: number): Promise<void> {
  const cells = page.getByRole('grid').getByRole('gridcell');
  await cells.nth(from).hover();
  await page.mouse.down();
  await cells.nth(to).hover();
  await page.mouse.up();
}

/** Chooses the first row whose text has these words. */
export async function choosesRow(page: Page, words: string): Promise<void> {
  await rows(page);
  await page.locator('.table .row', { hasText: words }).first().click();
  await page.locator('.details .place').waitFor();
}

/** Goes to the longest span of a name in the list of spans. */
export async function choosesSpan(page: Page, row: RegExp): Promise<void> {
  await tracks(page);
  await page.locator('.happenings tbody tr', { hasText: row }).click();
  await page.keyboard.press('Enter');
  await page.locator('.span-panel').waitFor();
}
