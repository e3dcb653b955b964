import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { flameOf, REPOSITORY, shoot, type Stage, startStage, test } from './harness.ts';

/** A profile that a program wrote with notes on a path, a function, a line and the whole. */
let stage: Stage;
let folder: string;

const HOSTILE = '<img src=x onerror=alert(1)> [x](javascript:alert(1))';

const WRITER = `
import sys
import hotframe

with hotframe.Profile(sys.argv[1]) as profile:
    time = profile.metric("time", "nanoseconds")
    main = profile.frame("main", file="main.c", line=3)
    parse = profile.frame("parse", file="parse.c", line=40)
    copy = profile.frame("copy", file="parse.c", line=7)
    block = profile.frame("loop of copy", file="parse.c", line=9, kind=hotframe.Kind.BLOCK,
                          address=0x20, instruction="vmovups ymm0, [rsi]")
    inside = profile.stack([main, parse, copy, block])
    profile.point(inside, {time: 60_000_000})
    profile.point(profile.stack([main, copy]), {time: 30_000_000})
    profile.point(profile.stack([main]), {time: 10_000_000})
    profile.note("Copied twice", "The buffer is copied again here.", context=profile.stack([main, parse, copy]),
                 link="https://example.com/copies")
    profile.note("Slow machine", ${JSON.stringify(HOSTILE)})
    profile.note("Called often", "From two places.", frame=copy)
    profile.note("Line", "Said of a line.", file="parse.c", line=40)
`;

test.beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'hotframe-'));
  writeFileSync(path.join(folder, 'write.py'), WRITER);
  const file = path.join(folder, 'noted.hotframe');
  execFileSync('python3', [path.join(folder, 'write.py'), file], {
    env: { ...process.env, PYTHONPATH: path.join(REPOSITORY, 'python/src') },
  });
  stage = await startStage([file]);
});
test.afterAll(async () => {
  await stage.close();
  rmSync(folder, { recursive: true });
});

test('notes stand in the details with their values, as plain text, and functions with their totals', async () => {
  const page = await stage.open('#d=0');
  await flameOf(page);
  const notes = page.locator('.details .advice li');
  await notes.first().waitFor();
  const all = await notes.allTextContents();
  const note = (title: string) => all.find((text) => text.includes(title)) ?? all.join('\n');
  assert.match(note('Slow machine'), /^the whole programSlow machine 100\.0 % \(100 ms of time\)/);
  assert.ok(note('Slow machine').includes(HOSTILE), note('Slow machine'));
  assert.match(note('Copied twice'), /60\.0 % \(60 ms of time\)on the path main › parse/);
  assert.match(note('Called often'), /^copyCalled often 90\.0 % \(90 ms of time\)/);
  assert.match(note('Line'), /60\.0 % \(60 ms of time\)Said of a line\./);
  const links = await page
    .locator('.details .advice a')
    .evaluateAll((found) => found.map((link) => link.getAttribute('href')));
  assert.deepEqual(links, ['https://example.com/copies'], 'a link that runs something is none');
  // What is said of a function is said where it is selected.
  await page.getByRole('button', { name: 'copy', exact: true }).first().click();
  await page.locator('.details h2', { hasText: 'copy' }).waitFor();
  await page.locator('.details .advice', { hasText: 'Called often' }).waitFor();
  assert.equal(await page.locator('.details .advice', { hasText: 'Slow machine' }).count(), 0);
  await shoot(page, 'notes');

  // From the bottom up every function stands with its total, and its callers below.
  await page.evaluate(() => {
    location.hash = '#d=0&view=table&list=tree';
  });
  await page.getByRole('treegrid').waitFor();
  await page.keyboard.press('B');
  await page.waitForFunction(() => location.hash.includes('shape=all_callers'));
  const row = (name: string) => page.getByRole('row', { name: new RegExp(`\\b${name}\\b`) });
  // main is around everything; copy is in 90 of 100, by itself in 30.
  await row('main').first().waitFor();
  await row('copy').first().waitFor();
  const cells = async (name: string) =>
    (await row(name).first().getByRole('gridcell').allTextContents()).join(' | ');
  assert.match(await cells('main'), /10 ms.*\|.*100 ms/);
  assert.match(await cells('copy'), /30 ms.*\|.*90 ms/);
  await shoot(page, 'all-callers-table');
  await page.keyboard.press('4');
  await flameOf(page);
  await shoot(page, 'all-callers');
});
