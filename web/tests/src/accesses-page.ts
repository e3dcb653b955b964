import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';

/** A row of a table, by column. */
export type Row = Readonly<Record<string, string>>;

/** What a menu entry of the export menu saves, as rows. */
export async function exported(page: Page, entry: string): Promise<readonly Row[]> {
  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: entry }).click(),
  ]);
  const lines = readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\n');
  const [head = [], ...rows] = lines.map((line) => line.split(','));
  return rows.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at] ?? ''])));
}

/** A container in the picture. */
export const figure = (page: Page, name: string) =>
  page.getByRole('figure', { name: `Container ${name}`, exact: true });

/** Waits until containers are drawn. */
export async function ready(page: Page): Promise<void> {
  await page.locator('.accesses-containers[aria-busy=false] .accesses-plane').first().waitFor();
}

/** Waits until the status line tells of so many misses. */
export async function misses(page: Page, count: number): Promise<void> {
  const text = `${count.toLocaleString('en-US')} misses`;
  await page.locator('footer.status').getByText(text, { exact: false }).waitFor();
}
