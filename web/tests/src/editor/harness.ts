import assert from 'node:assert/strict';
import { type ChildProcess, execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Browser, FrameLocator, Locator, Page } from '@playwright/test';
import { eventually, PATIENCE_MS, shoot, startBrowser } from '../harness.ts';
import { type Descendant, descendants, endTree, send } from './processes.ts';
import {
  NODE,
  VSCODE,
  EXTENSION,
  TOLD_THE_DEAD,
  age,
  writeSettings,
  serve,
  openWindow,
  answers,
  freePort,
  type Settings,
} from './serving.ts';

/** A line of code with a lens above it. */
export interface Lens {
  /** Without the spaces at its ends. */
  readonly line: string;
  readonly lens: string;
}

/** A VS Code in the browser with the extension, and a copy of a project open in it. */
export class Workbench {
  private constructor(
    private readonly server: ChildProcess,
    private readonly home: string,
    private readonly browser: Browser,
    private readonly problems: string[],
    /** The window. */
    readonly page: Page,
    /** The project, a copy that a test may change. */
    readonly folder: string,
  ) {}

  private killed = false;

  /** Installs the extension and opens a copy of a project. */
  static async start(
    project: string,
    settings: Settings = {},
    extension = EXTENSION,
  ): Promise<Workbench> {
    for (const file of [NODE, VSCODE, extension]) {
      assert.ok(existsSync(file), `no ${file}: run 'cargo xtask setup' and 'cargo xtask dist'`);
    }
    const home = mkdtempSync(path.join(tmpdir(), 'hotframe-vscode-'));
    const folder = path.join(home, path.basename(project));
    cpSync(project, folder, { recursive: true });
    age(folder);
    writeSettings(home, settings);
    const where = ['--extensions-dir', `${home}/extensions`, '--user-data-dir', `${home}/data`];
    await promisify(execFile)(NODE, [VSCODE, ...where, '--install-extension', extension]);
    const port = await freePort();
    const server = serve(port, where);
    const browser = await startBrowser();
    const problems: string[] = [];
    const page = await openWindow(browser, problems);
    const workbench = new Workbench(server, home, browser, problems, page, folder);
    try {
      const url = `http://127.0.0.1:${port}/`;
      await eventually('VS Code answers', () => answers(url));
      await page.goto(`${url}?folder=${encodeURIComponent(folder)}`);
      await workbench.isReady();
    } catch (error) {
      await workbench.end();
      throw error;
    }
    return workbench;
  }

  /** Kills an engine; what was on its way to it may be reported. */
  killEngine(pid: number): void {
    this.killed = true;
    send(pid, 'SIGKILL');
  }

  /** Ends all that was started; fails if the window reported problems. */
  async close(): Promise<void> {
    await this.end();
    const problems = this.problems.filter((one) => !(this.killed && TOLD_THE_DEAD.test(one)));
    assert.deepEqual(problems, [], 'the window reported problems');
  }

  /** Loads the window again, as `Developer: Reload Window` does. */
  async reload(): Promise<void> {
    // In a browser the workbench keeps its state every five seconds, and not when it ends.
    await setTimeout(6_000);
    await this.page.reload();
    await this.isReady();
  }

  /** Changes the colours; `kind` is the workbench's class for them. */
  async theme(name: string, kind: 'vs' | 'vs-dark' | 'hc-black' | 'hc-light'): Promise<void> {
    await this.page.keyboard.press('Control+K');
    await this.page.keyboard.press('Control+T');
    await this.pick(name, name);
    await this.page.locator(`.monaco-workbench.${kind}`).waitFor();
  }

  /** Runs a command by its title in the palette. */
  async run(title: string): Promise<void> {
    await this.summon('F1');
    await this.pick(`>${title}`, title);
  }

  /** Runs a command that asks something, and takes what it offers. */
  async ask(title: string, choice: string): Promise<void> {
    await this.summon('F1');
    await this.enter(`>${title}`, title);
    const input = this.page.locator('.quick-input-widget input.input');
    const focused = this.page.locator('.quick-input-list .monaco-list-row.focused');
    // The command's own question comes in the place of the palette.
    await eventually('it asks', async () => (await input.inputValue()) === '');
    await input.fill(choice);
    await focused.filter({ hasText: choice }).waitFor();
    await input.press('Enter');
  }

  /** Opens a file of the project by its name. */
  async open(name: string): Promise<void> {
    await this.summon('Control+P');
    await this.pick(name, path.basename(name));
    await this.tab(path.basename(name)).waitFor();
  }

  /** Gives a group of editors the keyboard; the leftmost is 1. */
  async focusGroup(number: number): Promise<void> {
    await this.page.keyboard.press(`Control+${number}`);
  }

  /** Places the cursor; lines count from 1. Right after a file is opened its text may not take it yet. */
  async goTo(line: number): Promise<void> {
    await eventually(`the cursor is at line ${line}`, async () => {
      await this.summon('Control+G');
      const input = this.page.locator('.quick-input-widget input.input');
      await input.fill(`:${line}`);
      await input.press('Enter');
      for (let look = 0; look < 20; look += 1) {
        if ((await this.line()) === line) return true;
        await setTimeout(100);
      }
      return false;
    });
  }

  /** The line of the cursor, as the status bar tells it. */
  async line(): Promise<number> {
    return Number(/Ln (\d+)/.exec(await this.status('editor.selection'))?.[1]);
  }

  /** What an entry of the status bar says; nothing if it is not there. */
  async status(id: string): Promise<string> {
    const entry = this.page.locator(`.statusbar-item[id$="${id}"]`);
    return (await entry.count()) > 0 ? plain(await entry.first().innerText()).trim() : '';
  }

  /** The tab of an open file. */
  tab(name: string): Locator {
    return this.page.locator(`.tabs-container .tab[data-resource-name="${name}"]`);
  }

  /** The tab that is in front. */
  async title(): Promise<string> {
    const tab = this.page.locator('.editor-group-container.active .tab.active');
    return (await tab.getAttribute('data-resource-name')) ?? '';
  }

  /** An entry of the explorer. */
  explorer(name: string): Locator {
    return this.page.locator('.explorer-folders-view .monaco-list-row', {
      has: this.page.getByText(name, { exact: true }),
    });
  }

  /** Chooses from the menu of an entry of the explorer. */
  async explorerMenu(name: string, choice: string): Promise<void> {
    await this.explorer(name).click({ button: 'right' });
    const item = this.page.getByRole('menuitem', { name: choice });
    await item.waitFor();
    // What comes right after the menu has opened is not a choice for it.
    await setTimeout(500);
    await item.click();
    await item.waitFor({ state: 'hidden' });
  }

  /** The text editor that was used last. */
  get code(): Locator {
    return this.page.locator('.editor-instance .monaco-editor[role=code]').last();
  }

  /** The lenses on the screen with the lines that they stand above, from the top. */
  async lenses(): Promise<readonly Lens[]> {
    const [lenses, lines] = await Promise.all([
      this.rows('.codelens-decoration'),
      this.rows('.view-line'),
    ]);
    return lenses.flatMap((lens) => {
      const below = lines.find((line) => line.top > lens.top);
      return below ? [{ line: below.text.trim(), lens: lens.text.trim() }] : [];
    });
  }

  /** The lines on the screen as they are shown, inlay hints included. */
  async lines(): Promise<readonly string[]> {
    return (await this.rows('.view-line')).map((row) => row.text);
  }

  /** The hint at the end of a line of code, once there is one. */
  async hint(code: string): Promise<string> {
    let hint = '';
    await eventually(`a hint after '${code}'`, async () => {
      const line = (await this.lines()).find((line) => line.trimStart().startsWith(code));
      hint = line?.trimStart().slice(code.length).trim() ?? '';
      return hint !== '';
    });
    return hint;
  }

  /** What is told of a line. */
  async hover(line: number): Promise<string> {
    await this.goTo(line);
    await this.page.keyboard.press('Control+K');
    await this.page.keyboard.press('Control+I');
    const hover = this.page.locator('.monaco-hover:not(.hidden) .monaco-hover-content').first();
    await eventually('a hover', async () => (await hover.count()) > 0);
    await eventually('a hover that has loaded', async () => {
      const text = await hover.innerText();
      return text.trim() !== '' && !text.startsWith('Loading');
    });
    return plain(await hover.innerText());
  }

  /** The page in the tab of a profile that is in front. */
  get profile(): FrameLocator {
    return this.page
      .frameLocator('iframe.webview.ready:visible')
      .frameLocator('iframe#active-frame');
  }

  /** The frames of the flame graph, once they are drawn. */
  async flame(): Promise<Locator> {
    const flame = this.profile.getByRole('tree', { name: 'Flame graph' });
    await flame.locator('[role=treeitem]').first().waitFor({ state: 'attached' });
    return flame;
  }

  /** Clicks the leftmost, largest frame of a row. */
  async clickRow(row: number): Promise<void> {
    await (await this.flame()).click({ position: { x: 40, y: 20 + row * 20 } });
    // Away from there: the frame under the mouse has a box that hides others.
    await this.page.mouse.move(800, 990);
  }

  /** What a screen reader says about the selected frame. */
  async spokenSelection(): Promise<string> {
    return (await (await this.flame()).locator(':scope + [role=status]').textContent()) ?? '';
  }

  /** The lines of code that have a background of this colour. */
  async marked(colour: string): Promise<readonly string[]> {
    return this.linesBehind(
      await this.code
        .locator('.view-overlays .cdr')
        .evaluateAll(
          (elements, colour) =>
            elements
              .filter((element) => getComputedStyle(element).backgroundColor === colour)
              .map((element) => element.getBoundingClientRect().top),
          colour,
        ),
    );
  }

  /** The lines of code that are selected, wholly or in part. */
  async selected(): Promise<readonly string[]> {
    const marks = this.code.locator('.view-overlays .selected-text');
    return this.linesBehind(
      await marks.evaluateAll((elements) =>
        elements.map((element) => element.getBoundingClientRect().top),
      ),
    );
  }

  /** The language servers and engines that the extension runs. */
  engines(): readonly Descendant[] {
    const pid = this.server.pid;
    const running = pid === undefined ? [] : descendants(pid);
    return running.filter(({ name }) => /^hotframe(\.exe)?$/.test(name));
  }

  /** The notifications on the screen. */
  async notifications(): Promise<readonly string[]> {
    return this.page.locator('.notification-list-item-message').allInnerTexts();
  }

  /** Presses a button of a notification. */
  async answer(button: string): Promise<void> {
    const notification = this.page.locator('.notification-list-item');
    await notification.getByRole('button', { name: button, exact: true }).click();
  }

  /** Keeps a picture of the window for people to look at. */
  async shoot(name: string): Promise<void> {
    await shoot(this.page, `vscode-${name}`);
  }

  private async linesBehind(tops: readonly number[]): Promise<readonly string[]> {
    const lines = await this.rows('.view-line');
    return lines
      .filter(({ top }) => tops.some((mark) => Math.abs(mark - top) < 2))
      .map(({ text }) => text.trim());
  }

  /** What stands in the text editor, from the top. */
  private async rows(selector: string): Promise<readonly { text: string; top: number }[]> {
    const rows = await this.code.locator(selector).evaluateAll((elements) =>
      elements.map((element) => ({
        text: element.textContent ?? '',
        top: element.getBoundingClientRect().top,
      })),
    );
    return rows.map((row) => ({ ...row, text: plain(row.text) })).sort((a, b) => a.top - b.top);
  }

  private async isReady(): Promise<void> {
    // A window starts on busy machines, too.
    const timeout = 4 * PATIENCE_MS;
    await this.page.locator('.explorer-folders-view .monaco-list-row').first().waitFor({ timeout });
    // Until then nobody knows who opens a profile.
    await this.page.waitForFunction(
      () => performance.getEntriesByName('code/didLoadExtensions').length > 0,
      undefined,
      { timeout },
    );
  }

  /** Presses the keys that open the quick input until it is there: those that come while the focus moves are lost. */
  private async summon(keys: string): Promise<void> {
    const input = this.page.locator('.quick-input-widget input.input');
    await eventually(`${keys} opens the quick input`, async () => {
      await this.page.keyboard.press(keys);
      for (let look = 0; look < 30; look += 1) {
        if (await input.isVisible()) return true;
        await setTimeout(100);
      }
      return false;
    });
  }

  private async pick(text: string, label: string): Promise<void> {
    await this.enter(text, label);
    await this.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  }

  private async enter(text: string, label: string): Promise<void> {
    const widget = this.page.locator('.quick-input-widget');
    const input = widget.locator('input.input');
    await input.waitFor();
    await input.fill(text);
    const focused = widget.locator('.monaco-list-row.focused');
    await eventually(`${label} is offered`, async () => {
      if ((await focused.count()) === 0) return false;
      return ((await focused.getAttribute('aria-label')) ?? '').startsWith(label);
    });
    await input.press('Enter');
  }

  private async end(): Promise<void> {
    await this.browser.close();
    if (this.server.pid !== undefined) await endTree(this.server.pid);
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** Text with ordinary spaces, where editors use others. */
function plain(text: string): string {
  return text.replaceAll('\u00a0', ' ').replaceAll('\u200c', '');
}
