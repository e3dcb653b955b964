import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import axe from 'axe-core';
import type { Page } from '@playwright/test';
import { problems } from './axe.ts';
import { binary, eventually, hashOf, shoot, type Stage, startStage, test } from './harness.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'hotframe-progress-'));
const [BASE, NEW] = ['base.json', 'new.json'].map((name) => path.join(folder, name)) as [
  string,
  string,
];

/** Ten frames, of which the fifth loads for as many times as long. */
function frames(slow: number): string {
  const events: object[] = [];
  let at = 50 * slow;
  for (let frame = 0; frame < 10; frame++) {
    const load = frame === 4 ? 100 * slow : 100;
    for (const [name, ts, dur] of [
      ['frame', at, load + 250],
      ['load', at + 10, load],
      ['draw', at + load + 20, 200],
    ] as const)
      events.push({ ph: 'X', pid: 1, tid: 1, name, ts, dur });
    at += load + 300;
  }
  return JSON.stringify(events);
}

let stage: Stage;
test.beforeAll(async () => {
  writeFileSync(BASE, frames(1));
  writeFileSync(NEW, frames(3));
  stage = await startStage([BASE, NEW], ['diff', '--open']);
});
test.afterAll(async () => {
  await stage.close();
  rmSync(folder, { recursive: true });
});

const rows = (page: Page) =>
  page
    .locator('.happenings tbody tr')
    .evaluateAll((all) =>
      all.map((row) =>
        [...row.querySelectorAll('th code, td')].map((cell) => cell.textContent?.trim() ?? ''),
      ),
    );

/** The heights of steps that are drawn, a unit wide each. */
function heights(drawn: string): readonly number[] {
  const all: number[] = [];
  let y = 0;
  for (const [, kind, value] of drawn.matchAll(/([MHV])(?:0 )?([\d.]+)/g)) {
    if (kind === 'H') while (all.length < Number(value)) all.push(y);
    else y = Number(value);
  }
  return all;
}

/** Where the line of the new profile is another one than that of the base, as shares of the width. */
async function differs(page: Page): Promise<readonly number[]> {
  const svg = page.locator('.happenings figure svg');
  const line = async (name: string) =>
    heights((await svg.locator(`path.${name}`).getAttribute('d')) ?? '');
  const [base, now] = [await line('mean'), await line('steps')];
  return now.flatMap((y, at) => (Math.abs(y - (base[at] ?? 0)) > 2 ? [at / now.length] : []));
}

test('recordings that are put on each other differ where one was slow', async () => {
  const page = await stage.open('#view=timeline&tb=span_changes');
  await page.locator('.happenings figure svg path.steps').waitFor();
  const told = JSON.parse(
    execFileSync(binary(), ['diff', BASE, NEW, '--view', 'spans', '--format', 'json'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as { rows: readonly { name: string; total: { difference: number } }[] };
  const listed = await rows(page);
  assert.deepEqual(
    listed.map(([name]) => name),
    told.rows.map(({ name }) => name),
  );
  assert.deepEqual(
    told.rows.map(({ name, total }) => [name, total.difference]),
    [
      ['frame', 200_000],
      ['load', 200_000],
      ['draw', 0],
    ],
  );
  assert.deepEqual(
    listed.map(([, , , change]) => change),
    ['+200 µs', '+200 µs', '0 ns'],
  );
  const marks = await page.locator('.happenings tbody th .mark').allInnerTexts();
  assert.deepEqual(
    marks.map((mark) => mark.trim()),
    ['[+]', '[+]', '[=]'],
  );
  // Everything behind the slow frame stands elsewhere.
  const before = await differs(page);
  assert.ok(
    before.some((at) => at > 0.6),
    String(before),
  );

  await page.getByRole('button', { name: /stands together/ }).click();
  await page.getByRole('menuitemradio', { name: /^Progress: / }).click();
  await eventually('the address says so', () => hashOf(page).get('align') === 'progress');
  await page.locator('.happenings figure svg path.steps').waitFor();
  await shoot(page, 'progress');
  const after = await differs(page);
  assert.ok(after.length > 5 && after.every((at) => at > 0.39 && at < 0.5), String(after));
  // The same figures: lengths are as they were measured.
  assert.deepEqual(await rows(page), listed);
  const warnings = page.getByRole('button', { name: '1 warning' });
  await warnings.click();
  await page.getByText(/new is stretched, 30 spans on those of the first/).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.evaluate(axe.source);
  assert.deepEqual(await problems(page), []);
});

test('a way that there is not is told, and recordings stay as they were', async () => {
  const page = await stage.open('#view=timeline');
  await page.getByRole('button', { name: /stands together/ }).click();
  await page.getByRole('menuitem', { name: 'By hand…' }).click();
  const input = page.getByRole('textbox', { name: 'How recordings move' });
  await input.fill('#7=1s');
  await input.press('Enter');
  await page.getByText(/0 recordings are called '#7'/).waitFor();
  await eventually('as opened', () => hashOf(page).get('align') === null);
  await page.getByRole('button', { name: /stands together/ }).click();
  await page.getByRole('menuitem', { name: 'By hand…' }).click();
  await input.fill('#2=1ms');
  await input.press('Enter');
  await page.getByRole('button', { name: /^by hand: / }).waitFor();
  const said = page.locator('.timeline output');
  await eventually('a millisecond longer', async () =>
    /^0 ns to 5\.\d+ ms$/.test(await said.innerText()),
  );
});
