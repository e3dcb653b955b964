import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from '@playwright/test';
import {
  binary,
  eventually,
  flameOf,
  hashOf,
  PATIENCE_MS,
  REPOSITORY,
  sample,
  shoot,
  type Stage,
  startBrowser,
  startStage,
  test,
} from './harness.ts';

const PROFILE = sample('pprof/cpu.pb.gz');
/** The page that needs no server, as `cargo xtask page` builds it; the engine of scripts is in it. */
const PAGE = process.env.HOTFRAME_PAGE ?? path.join(REPOSITORY, 'web/ui/dist-page');
/** Python loads in seconds, and on a busy machine in many. */
const LOADING_MS = 2 * PATIENCE_MS;

let stage: Stage;
let browser: Browser;
/** A page with the pane open, for tests that leave nothing behind: Python takes seconds to load. */
let shared: Page;
test.beforeAll(async () => {
  assert.ok(
    existsSync(path.join(PAGE, 'python.js')),
    `no ${PAGE}/python.js: run 'cargo xtask page'`,
  );
  stage = await startStage([PROFILE]);
  browser = await startBrowser();
  shared = await opened();
});
test.afterAll(async () => {
  await stage.close();
  await browser.close();
});

const editorOf = (page: Page) => page.getByRole('textbox', { name: 'Python script' });
const outputOf = (page: Page) => page.getByRole('log', { name: 'Output' });
const statusOf = (page: Page) => page.locator('.python-status [role=status]');

/** A page with the pane open. */
async function opened(options = {}): Promise<Page> {
  const page = await stage.open('', options);
  await flameOf(page);
  await page.getByRole('button', { name: 'Python', exact: true }).click();
  await editorOf(page).waitFor();
  return page;
}

/** Compares the profile that is shown with the other one, as the older or as the newer. */
async function compared(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Document / }).click();
  await page.getByRole('menuitem', { name: /^Compare with/ }).click();
  await page.getByRole('button', { name: /^Document .* → / }).waitFor();
  await flameOf(page);
}

/** Puts a script into the editor, as a file: what is typed is indented and completed. */
async function write(page: Page, source: string): Promise<void> {
  const file = { name: 'script.py', mimeType: 'text/x-python', buffer: Buffer.from(source) };
  await page.getByLabel('Open a script').setInputFiles(file);
  await editorOf(page).click();
}

/** Runs a script; what the page says of its end. */
async function run(page: Page, source: string): Promise<string> {
  await write(page, source);
  await page.keyboard.press('Control+Enter');
  const status = statusOf(page);
  await status.getByText(/^(Ended|Failed|Stopped)/).waitFor({ timeout: LOADING_MS });
  return (await status.textContent()) ?? '';
}

const saidBy = async (page: Page) => (await outputOf(page).innerText()).trim();

test('prints, in order, and tells where a script fails', async () => {
  const page = shared;
  const said = await run(
    page,
    [
      'import sys, _hotframe_page',
      "print('one')",
      "print('two', file=sys.stderr)",
      "print('three', _hotframe_page.name(), sys.platform)",
    ].join('\n'),
  );
  assert.match(said, /^Ended after \d/);
  const { name } = path.parse(PROFILE);
  const written = await saidBy(page);
  assert.ok(written.startsWith('one\ntwo\nthree '), written);
  assert.ok(written.includes(name.split('.')[0]!) && written.endsWith('emscripten'), written);
  await shoot(page, 'python-light');

  assert.match(
    await run(page, ['def inner(x):', '    return 1 / x', '', 'inner(0)'].join('\n')),
    /^Failed in line 2/,
  );
  const trace = await saidBy(page);
  assert.match(trace, /File "script\.py", line 4[\s\S]*line 2, in inner[\s\S]*ZeroDivisionError/);
  assert.ok(!trace.includes('runner'), trace);
  const mark = page.locator('.cm-lint-marker-error');
  await mark.waitFor();
  await mark.hover();
  await page.locator('.cm-tooltip', { hasText: 'ZeroDivisionError: ' }).waitFor();
  await page.getByRole('button', { name: 'Go to line 2' }).click();
  await shoot(page, 'python-error');

  assert.match(await run(page, 'x = 1\nif x\n    pass'), /^Failed in line 2/);
  assert.match(await saidBy(page), /SyntaxError: expected ':'/);
  // The next one begins anew.
  assert.match(await run(page, 'print(x)'), /^Failed in line 1/);
  assert.match(await saidBy(page), /NameError/);
});

test('ends endless scripts, and what they write is bounded', async () => {
  const page = shared;
  await write(page, "n = 0\nwhile True:\n    n += 1\n    print(n, 'x' * 1000)");
  await page.keyboard.press('Control+Enter');
  const left = outputOf(page).getByText(/characters were left out/);
  await left.first().waitFor({ timeout: LOADING_MS });
  // The page goes on meanwhile.
  await page.getByRole('radio', { name: 'Table', exact: true }).click();
  await page.getByRole('radio', { name: 'Flame graph', exact: true }).click();
  await flameOf(page);
  await page.getByRole('button', { name: 'Stop' }).click();
  await statusOf(page)
    .getByText(/^Stopped after/)
    .waitFor();
  assert.ok(
    (await outputOf(page).evaluate((box) => box.textContent?.length ?? 0)) < 2 ** 20 + 5000,
  );
  assert.match(await run(page, "print('again')"), /^Ended/);
  assert.equal(await saidBy(page), 'again');
});

/** What a script reaches of the browser, one line a way. */
const HOSTILE = `
import sys, importlib
def attempt(name, way):
    try:
        print(name, 'GOT', repr(way())[:80])
    except BaseException as error:
        print(name, 'refused', type(error).__name__, str(error)[:60])
for name in ['js', 'pyodide_js', 'pyodide.http', 'pyodide.code', 'micropip']:
    attempt('import ' + name, lambda: importlib.import_module(name))
import _hotframe_page
take = _hotframe_page.take
attempt('constructor', lambda: take.constructor('return fetch')())
attempt('constructor of constructor', lambda: take.constructor.constructor('return self')())
from pyodide.ffi import to_js
attempt('constructor of array', lambda: to_js([]).constructor.constructor('return self')())
made = to_js([]).constructor
attempt('reflected', lambda: made.getPrototypeOf(take).constructor('return 1')())
def around(name):
    def way():
        sys.meta_path[:] = [one for one in sys.meta_path if type(one).__name__ != '_Closed']
        sys.modules.pop(name, None)
        return importlib.import_module(name).run_js('fetch("/")')
    return way
attempt('import around', around('pyodide.code'))
def js():
    import js
    return js.fetch('/')
attempt('js around', js)
def opened():
    import urllib.request
    return urllib.request.urlopen('http://127.0.0.1:9/').read()
attempt('urlopen', opened)
def connected():
    import socket
    made = socket.socket()
    made.connect(('127.0.0.1', 9))
    return made.send(b'x')
attempt('socket', connected)
def asked():
    from pyodide.http import open_url
    return open_url('/')
attempt('open_url', asked)
def loaded():
    import ctypes
    return ctypes.CDLL('http://127.0.0.1:9/x.so')
attempt('CDLL', loaded)
print('all tried')
`;

test('scripts reach neither the page nor a network', async () => {
  const page = shared;
  const asked: string[] = [];
  assert.match(await run(page, 'pass'), /^Ended/);
  page.on('request', (request) => asked.push(request.url()));
  assert.match(await run(page, HOSTILE), /^Ended/);
  const said = await saidBy(page);
  assert.ok(said.endsWith('all tried'), said);
  assert.equal((said.match(/ refused /g) ?? []).length, 15, said);
  assert.ok(!said.includes('GOT'), said);
  assert.match(said, /import js refused ImportError js is not there/);
  assert.deepEqual(asked, []);
});

test('what needs too much memory fails, and the page goes on', async () => {
  const page = shared;
  assert.match(await run(page, 'x = [0] * (4 * 2**30 // 4)'), /^Failed in line 1/);
  assert.match(await saidBy(page), /MemoryError/);
  assert.match(
    await run(page, 'x = []\nwhile True:\n    x.append(bytearray(2**26))'),
    /^Failed in line 3/,
  );
  // What the interpreter itself does not survive is told, and another takes its place.
  const deep = 'import sys\nsys.setrecursionlimit(10**8)\ndef f(): f()\nf()';
  assert.match(await run(page, deep), /^Failed/);
  assert.match(await run(page, "print('here')"), /^Ended/);
  assert.equal(await saidBy(page), 'here');
});

/** Asks the engine as the package does. */
const ASKS = `
import json, struct
import _hotframe_page
from pyodide.ffi import to_js
def ask(method, params):
    header = json.dumps({'kind': 'request', 'id': 7, 'request': {'method': method, 'params': params}, 'columns': []}).encode()
    frames = _hotframe_page.take(to_js(b'HOTF' + struct.pack('<I', len(header)) + header))
    last = bytes(frames[len(frames) - 1].to_py())
    size, = struct.unpack('<I', last[4:8])
    return json.loads(last[8:8 + size])
answer = ask('documents', {})
print(answer['kind'], [one['document'] for one in answer['result']['documents']] == [_hotframe_page.document()])
summary = ask('summary', {'document': _hotframe_page.document()})
print(summary['kind'])
_hotframe_page.progress('looking', 1, 4)
`;

test('asks its own engine, and shows profiles beside, as many as a run may', async () => {
  const page = await opened();
  assert.match(await run(page, ASKS), /^Ended/);
  assert.equal(await saidBy(page), 'response True\nresponse');
  const text = 'main;a 3\\nmain;b 4\\n';
  const show = `import _hotframe_page\nfrom pyodide.ffi import to_js\n_hotframe_page.show('made/here', to_js(b'${text}'))`;
  assert.match(await run(page, show), /^Ended/);
  await page.getByRole('button', { name: /^Document made here/ }).waitFor();
  const flame = await flameOf(page);
  await eventually('the profile of the script is not drawn', async () =>
    (await flame.locator('[role=treeitem]').allTextContents()).join(' ').includes('7'),
  );
  // The one before is still there.
  await page.getByRole('button', { name: /^Document made here/ }).click();
  assert.equal(await page.getByRole('menuitemradio').count(), 2);
  await page.keyboard.press('Escape');
  const many = 'made = profile.top_down().profile("x")\nfor at in range(21):\n    made.show()';
  assert.match(await run(page, many), /^Failed in line 3/);
  const said = await saidBy(page);
  assert.match(said, /hotframe\._engine\.Error: show: the page opens at most 20 profiles/);
  assert.ok(!said.includes('JsException'), said);
  await page.close();
});

test('runs again on what the first run worked on', async () => {
  const page = await opened();
  const bar = page.locator('.python-bar');
  const name = path.basename(PROFILE);
  await bar.getByText(`on ${name}`, { exact: true }).waitFor();
  const source = 'print(profile.title)\nprofile.top_down().show()\n';
  assert.match(await run(page, source), /^Ended/);
  const works = bar.getByRole('button', { name: /^Works on/ });
  // What is shown now is its result.
  await page.getByRole('button', { name: `Document ${name}, changed.hotframe` }).waitFor();
  await flameOf(page);
  await works.waitFor();
  assert.equal(await works.getAttribute('aria-label'), `Works on ${name}`);
  // Every result is another document; one that comes later would close a menu.
  const again = async () => {
    const before = hashOf(page).get('d');
    await bar.getByRole('button', { name: 'Run', exact: true }).click();
    await statusOf(page)
      .getByText(/^Ended/)
      .waitFor({ timeout: LOADING_MS });
    await eventually('the result is shown', () => hashOf(page).get('d') !== before);
    await flameOf(page);
    return saidBy(page);
  };
  assert.equal(await again(), name);
  await works.waitFor();
  // Also after it was edited; unless the result is chosen, which is of use to go on.
  await editorOf(page).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('print(1)');
  assert.equal(await again(), `${name}\n1`);
  await works.waitFor();
  await works.click();
  await page.getByRole('menuitemradio', { name: /^The result that is shown: / }).click();
  await bar.getByRole('button', { name: /^Works on .*changed/ }).waitFor();
  await shoot(page, 'python-works-on');
  assert.match(await again(), /, changed/);
  await page.getByRole('button', { name: /^Document .*changed.*changed/ }).waitFor();
  await flameOf(page);
  // Another script works on what is shown.
  await page.getByRole('button', { name: 'Script script', exact: true }).click();
  await page.getByRole('menuitem', { name: 'New script' }).click();
  await bar.getByText(/^on .*changed/).waitFor();
  assert.equal(await works.count(), 0);
  await page.close();
});

test('says how scripts are coded', async () => {
  const other = shared;
  assert.match(await run(other, '\ufeffprint(1)'), /^Ended/);
  const coded = Buffer.from("# coding: latin-1\nprint(ascii('\xe9'))", 'latin1');
  await other
    .getByLabel('Open a script')
    .setInputFiles({ name: 'coded.py', mimeType: 'text/x-python', buffer: coded });
  await editorOf(other).getByText('coding: utf-8').waitFor();
  await editorOf(other).click();
  await other.keyboard.press('Control+Enter');
  await outputOf(other).getByText("'\\xe9'").waitFor({ timeout: LOADING_MS });
});

test('examples give what the command line gives', async () => {
  const counted = path.join(mkdtempSync(path.join(tmpdir(), 'hotframe-counted-')), 'c.hotframe');
  const folder = path.join(REPOSITORY, 'crates/app/tests/script/counted.py');
  execFileSync('python3', [folder, counted], {
    env: { ...process.env, PYTHONPATH: path.join(REPOSITORY, 'python/src') },
  });
  const sides = ['runs/before-1.pb.gz', 'runs/after-1.pb.gz'].map(sample);
  for (const [name, files, title] of [
    ['merge_lines', sides.slice(0, 1), 'before-1.pb.gz, by line'],
    ['cycles_per_instruction', [counted], 'c.hotframe, cycles per instruction'],
    ['ratio', sides, 'after-1.pb.gz in ratio to before-1.pb.gz'],
  ] as const) {
    const script = path.join(REPOSITORY, `python/examples/${name}.py`);
    const told = execFileSync(binary(), ['run', script, ...files], { stdio: 'pipe' }).toString();
    const own = await startStage(files);
    const page = await own.open();
    await flameOf(page);
    if (files.length > 1) await compared(page);
    await page.keyboard.press('P');
    await editorOf(page).waitFor();
    assert.match(await run(page, readFileSync(script, 'utf8')), /^Ended/, name);
    assert.equal(await saidBy(page), told.trim(), name);
    await page.getByRole('button', { name: `Document ${title}` }).waitFor();
    await flameOf(page);
    await shoot(page, `python-${name}`);
    await page.close();
    await own.close();
  }
});

test('scripts are kept, and come from files', async () => {
  const page = await opened();
  await write(page, "print('kept')");
  const menu = page.getByRole('button', { name: /^Scripts?( mine| script)?$/ });
  await menu.click();
  await page.getByRole('menuitem', { name: 'Save as…' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('mine');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await menu.click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Download .py' }).click();
  const file = await download;
  assert.equal(file.suggestedFilename(), 'mine.py');
  assert.equal(readFileSync(await file.path(), 'utf8'), "print('kept')");
  await write(page, "print('from a file')\n");
  await editorOf(page).getByText('from a file').waitFor();
  await page.reload();
  await flameOf(page);
  // The key does what the button does; what was in the editor is there again.
  await page.keyboard.press('P');
  await editorOf(page).getByText('from a file').waitFor();
  await menu.click();
  await page.getByRole('menuitemradio', { name: 'mine' }).click();
  await editorOf(page).getByText('kept').waitFor();
  await page.close();
});

test('the editor completes names, and can be left with keys', async () => {
  const page = shared;
  assert.match(await run(page, "import json\nthing = 'text'\n"), /^Ended/);
  await editorOf(page).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('thing.casef');
  // The list takes keys a moment after it is there, so that nobody takes what they have not seen.
  await page.locator('.cm-tooltip-autocomplete [role=option]', { hasText: 'casefold' }).click();
  await editorOf(page).getByText('thing.casefold').waitFor();
  // What is typed over a selection, also a bracket, which goes around it.
  await page.keyboard.press('Control+a');
  await page.keyboard.type('one');
  await editorOf(page).getByText('one', { exact: true }).waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('(');
  await editorOf(page).getByText('(one)', { exact: true }).waitFor();
  // Tab indents, unless Escape came before; others end a list of completions, and what is selected.
  for (let press = 0; press < 3; press++) await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  const focused = () =>
    page.evaluate(() => document.activeElement?.closest('.python-code') !== null);
  assert.equal(await focused(), false);
});

test('is drawn in dark and narrow windows', async () => {
  const page = shared;
  const size = page.viewportSize()!;
  await run(page, "for name in ['a', 'b']:\n    print(name, 1)  # both\nraise ValueError('no')");
  for (const [name, colorScheme, width] of [
    ['python-dark', 'dark', size.width],
    ['python-narrow', 'light', 500],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ ...size, width });
    await shoot(page, name);
    const over = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.equal(over, 0);
  }
  await page.setViewportSize(size);
});

test('runs in a page without a server, as a file', async () => {
  const context = await browser.newContext({ viewport: { width: 1400, height: 860 } });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await context.setOffline(true);
  await page.goto(pathToFileURL(path.join(PAGE, 'index.html')).href);
  await page.getByLabel('Open files').setInputFiles(PROFILE);
  await flameOf(page);
  await page.keyboard.press('P');
  await editorOf(page).waitFor();
  assert.match(await run(page, `print('inside')\n${ASKS}`), /^Ended/);
  assert.match(await saidBy(page), /^inside\nresponse True/);
  assert.match(await run(page, HOSTILE), /^Ended/);
  const said = await saidBy(page);
  assert.ok(said.endsWith('all tried') && !said.includes('GOT'), said);
  assert.deepEqual(problems, []);
  await context.close();
});

test('a report has Python where it was asked for, and says how to get it', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hotframe-python-'));
  const context = await browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await context.setOffline(true);
  const report = async (...words: string[]) => {
    const file = path.join(folder, `report${words.length}.html`);
    execFileSync(binary(), ['export', PROFILE, ...words, '-o', file]);
    await page.goto(pathToFileURL(file).href);
    await flameOf(page);
    await page.keyboard.press('P');
  };
  await report();
  await page.getByText('it was written without `hotframe export --with-python`').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Run' }).isDisabled(), true);
  await report('--with-python');
  await editorOf(page).waitFor();
  assert.match(await run(page, "print('of a report')"), /^Ended/);
  assert.equal(await saidBy(page), 'of a report');
  await context.close();
  rmSync(folder, { recursive: true });
});
