import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually, sample, test } from '../harness.ts';
import { Workbench } from './harness.ts';

const RUNS = sample('runs');
const VISITOR = 'func (p *page) addVisitor';
let home: string;
let code: Workbench;

/** A project with its source and three runs before and after a change. */
// The tests share a window: after a failure all of them run once more.
test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'hotframe-together-'));
  const project = path.join(home, 'project');
  mkdirSync(path.join(project, 'logsummary'), { recursive: true });
  cpSync(`${RUNS}/record/before/main.go`, path.join(project, 'logsummary/main.go'));
  for (const name of ['before-1', 'before-2', 'before-3', 'after-1', 'after-2', 'after-3']) {
    cpSync(`${RUNS}/${name}.pb.gz`, path.join(project, `${name}.pb.gz`));
  }
  // The last one was another one when it was committed.
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: project });
  git('init', '--quiet', '--initial-branch=main');
  const last = path.join(project, 'latest.pb.gz');
  cpSync(`${RUNS}/before-2.pb.gz`, last);
  git('add', '.');
  git('commit', '--quiet', '-m', 'before');
  cpSync(`${RUNS}/after-2.pb.gz`, last);
  code = await Workbench.start(project);
});

test.afterAll(async () => {
  await code.close();
  rmSync(home, { recursive: true, force: true });
});

const statusIs = (text: string) =>
  eventually(`the status bar says ${text}`, async () => {
    const told = await code.status('hotframe.profile');
    return told.trim() === text;
  });

const lensOf = async (start: string) =>
  (await code.lenses()).find(({ line }) => line.startsWith(start))?.lens ?? '';

/** Selects neighbours in the explorer and opens them together. */
async function openTogether(first: string, last: string): Promise<void> {
  await code.explorer(first).click({ modifiers: ['ControlOrMeta'] });
  await code.explorer(last).click({ modifiers: ['Shift'] });
  await code.explorerMenu(last, 'Open Together with Hotframe');
}

/** Chooses what the status bar offers. */
async function choose(label: string): Promise<void> {
  await code.page.locator('.statusbar-item[id$="hotframe.profile"]').click();
  await take(label);
}

/** Takes what is offered. */
async function take(label: string): Promise<void> {
  const input = code.page.locator('.quick-input-widget input.input');
  await input.fill(label);
  const row = code.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: label });
  await row.waitFor();
  await input.press('Enter');
}

const sides = () => code.profile.locator('.sides');

test('selected files open as one profile, whose values are their mean', async () => {
  await openTogether('before-1.pb.gz', 'before-3.pb.gz');
  await code.flame();
  await statusIs('before (3 runs) · cpu · mean of 3 runs');
  await code.tab('before (3 runs)').waitFor();
  await code.open('logsummary/main.go');
  await code.goTo(40);
  await eventually('the lens tells the mean', async () =>
    (await lensOf(VISITOR)).startsWith(
      'self 10.2 % (228 ms) · total 66.5 % (1.48 s) · mean of 3 runs',
    ),
  );
  assert.match(await code.hover(42), /cpu, mean of 3 runs/);
  await code.shoot('together');
  await code.page.keyboard.press('Escape');
});

test('files of two groups are compared as runs, in the panel and in the code', async () => {
  await openTogether('after-1.pb.gz', 'before-3.pb.gz');
  await take('Compare after-1.pb.gz and 2 more against before');
  await statusIs('after (3 runs) · cpu · mean of 3 runs · vs before (3 runs)');
  await code.tab('after (3 runs)').waitFor();
  await eventually('the panel compares them', async () =>
    /base before.*new after/.test(await sides().innerText()),
  );
  await code.shoot('compared');
});

test('the base that is chosen in the editor is that of the panel', async () => {
  await choose('Compare with Nothing');
  await statusIs('after (3 runs) · cpu · mean of 3 runs');
  await eventually('the panel compares nothing', async () => (await sides().count()) === 0);
  await code.flame();
  await choose('lenses show the change');
  await statusIs('after (3 runs) · cpu · mean of 3 runs · vs before (3 runs)');
  await eventually('the panel compares again', async () =>
    /base before.*new after/.test(await sides().innerText()),
  );
  await choose('Swap: before');
  await statusIs('before (3 runs) · cpu · mean of 3 runs · vs after (3 runs)');
  await eventually('the panel has swapped its sides', async () =>
    /base after.*new before/.test(await sides().innerText()),
  );
});

test('base and metric that are chosen in the panel are those of the editor', async () => {
  await code.profile.getByRole('button', { name: 'Swap base and new' }).click();
  await statusIs('after (3 runs) · cpu · mean of 3 runs · vs before (3 runs)');
  const metric = code.profile.getByRole('button', { name: /^Metric/ });
  await metric.click();
  await code.profile.getByRole('menuitemradio', { name: /samples/ }).click();
  await statusIs('after (3 runs) · samples · mean of 3 runs · vs before (3 runs)');
  await choose('cpu');
  await statusIs('after (3 runs) · cpu · mean of 3 runs · vs before (3 runs)');
  await eventually('the panel has the metric', async () =>
    (await metric.innerText()).startsWith('cpu'),
  );
  await code.open('logsummary/main.go');
  await eventually('the lens tells the change', async () =>
    (await lensOf(VISITOR)).includes(' vs before (3 runs)'),
  );
  await code.shoot('base');
});

test('they are there after the window is loaded again', async () => {
  await code.tab('after (3 runs)').click();
  await sides().waitFor();
  await code.reload();
  await code.tab('after (3 runs)').waitFor();
  await code.flame();
  await eventually('the runs are told of', async () =>
    (await code.status('hotframe.profile')).startsWith('after (3 runs) · cpu · mean of 3 runs'),
  );
});

test('a file is compared with what git has of it', async () => {
  await code.explorerMenu('latest.pb.gz', 'Compare with a Revision…');
  await take('main');
  await code.tab('latest.pb.gz').waitFor();
  await eventually('the panel compares it', async () =>
    /base main latest.*new latest/.test(await sides().innerText()),
  );
  await eventually('the code compares it', async () =>
    (await code.status('hotframe.profile')).includes('vs main latest.pb.gz'),
  );
  await code.shoot('revision');
});
