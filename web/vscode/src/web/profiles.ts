import type { FromOwnEngine, MeasuredLines, ToOwnEngine } from '@hotframe/engine';
import * as vscode from 'vscode';
import type { Measured } from '../heat.ts';
import { pageWith } from './page-with.ts';
import type { Sources } from './sources.ts';

/** The kind of editors that show profiles, as the manifest has it. */
export const EDITOR = 'hotframe.profile';
/** The page that needs no server, as the package has it. */
const PAGE = ['page', 'index.html'];
/** Most bytes of a file: the page has it inside, as a text. */
const MOST_BYTES = 256 * 2 ** 20;

/** Shows profiles in panels, which have their own engines; the one that was in front last tells of lines. */
export class Profiles implements vscode.CustomReadonlyEditorProvider, Measured, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #stopped = new vscode.EventEmitter<void>();
  readonly #sources: Sources;
  /** The last used one last. */
  #panels: Panel[] = [];
  #page: Promise<string> | undefined;

  readonly onChange = this.#changed.event;
  readonly onStop = this.#stopped.event;

  constructor(
    private readonly extension: vscode.Uri,
    sources: Sources,
  ) {
    this.#sources = sources;
  }

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose() {} };
  }

  async resolveCustomEditor(
    { uri }: vscode.CustomDocument,
    view: vscode.WebviewPanel,
  ): Promise<void> {
    const { webview } = view;
    webview.options = { enableScripts: true };
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > MOST_BYTES) {
      throw new Error(
        'It has more than 256 MiB: open the folder in VS Code on your machine, where Hotframe reads it itself.',
      );
    }
    const [page, bytes] = await Promise.all([this.page(), vscode.workspace.fs.readFile(uri)]);
    const name = uri.path.split('/').at(-1) ?? uri.path;
    const panel = new Panel(view, (message) => {
      if (message.kind === 'source') void this.#sources.show(message);
      else if (this.#panels.at(-1) === panel) this.#changed.fire();
    });
    const toFront = () => {
      if (this.#panels.at(-1) === panel) return;
      this.#panels = [...this.#panels.filter((one) => one !== panel), panel];
      this.#changed.fire();
    };
    toFront();
    view.onDidChangeViewState(() => {
      if (view.active) toFront();
    });
    view.onDidDispose(() => {
      panel.dispose();
      this.#panels = this.#panels.filter((one) => one !== panel);
      (this.#panels.length > 0 ? this.#changed : this.#stopped).fire();
    });
    webview.html = await pageWith(page, name, bytes);
  }

  covers(uri: vscode.Uri): boolean {
    return vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  }

  lines(uri: vscode.Uri): Promise<MeasuredLines | undefined> {
    const panel = this.#panels.at(-1);
    if (panel === undefined || !this.covers(uri)) return Promise.resolve(undefined);
    const text = vscode.workspace.textDocuments.find((one) => String(one.uri) === String(uri));
    return text === undefined ? Promise.resolve(undefined) : panel.lines(uri.path, text.lineCount);
  }

  dispose(): void {
    this.#changed.dispose();
    this.#stopped.dispose();
  }

  /** The text of the page, read once. */
  private page(): Promise<string> {
    this.#page ??= Promise.resolve(
      vscode.workspace.fs.readFile(vscode.Uri.joinPath(this.extension, ...PAGE)),
    ).then((bytes) => new TextDecoder().decode(bytes));
    return this.#page;
  }
}

/** One panel, and what its page was asked. */
class Panel implements vscode.Disposable {
  /** Answers by text, as long as they hold. */
  readonly #known = new Map<string, Promise<MeasuredLines | undefined>>();
  readonly #waiting = new Map<number, (lines: MeasuredLines | undefined) => void>();
  #asked = 0;

  constructor(
    private readonly view: vscode.WebviewPanel,
    heard: (message: Exclude<FromOwnEngine, { kind: 'lines' }>) => void,
  ) {
    view.webview.onDidReceiveMessage((message: FromOwnEngine) => {
      if (message.kind === 'lines') {
        this.#waiting.get(message.id)?.(message.lines);
        this.#waiting.delete(message.id);
        return;
      }
      if (message.kind === 'measured') this.#known.clear();
      heard(message);
    });
  }

  lines(path: string, lineCount: number): Promise<MeasuredLines | undefined> {
    const key = `${lineCount} ${path}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#asked += 1;
    const id = this.#asked;
    const asked = new Promise<MeasuredLines | undefined>((resolve) => {
      this.#waiting.set(id, resolve);
    });
    this.#known.set(key, asked);
    const question: ToOwnEngine = { kind: 'lines', id, path, lineCount };
    void this.view.webview.postMessage(question);
    return asked;
  }

  dispose(): void {
    for (const answer of this.#waiting.values()) answer(undefined);
    this.#waiting.clear();
  }
}
