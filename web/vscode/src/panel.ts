import type {
  ComparedDocuments,
  EditorFunction,
  EditorProfiles,
  FromPage,
  ToPage,
} from '@hotframe/engine';
import path from 'node:path';
import * as vscode from 'vscode';
import type { WebSocket } from 'ws';
import { tabsWithProfiles, VIEW_TYPES } from './at-start.ts';
import type { Engine } from './engine.ts';
import { connect, part } from './frames.ts';
import { text } from './message.ts';
import { filesOf, pathOf, uriOf } from './several.ts';

/** Shows profiles in panels: each relays the frames of its page, unopened. */
export class Panels {
  readonly #engine: Engine;
  readonly #pages: vscode.Uri;
  /** By path of the profile, the panels that show it, the last used one last. */
  readonly #panels = new Map<string, Panel[]>();
  /** Functions to reveal in panels that are not there yet, by path of the profile. */
  readonly #revealing = new Map<string, Revealed>();
  readonly #run: Run;
  /** What is loaded, for panels that come later. */
  #told: EditorProfiles | undefined;

  constructor(context: vscode.ExtensionContext, engine: Engine, run: Run) {
    this.#engine = engine;
    this.#pages = vscode.Uri.joinPath(context.extensionUri, 'dist', 'page');
    this.#run = run;
    context.subscriptions.push(
      engine.onStop(() => {
        this.#told = undefined;
        this.#each((panel) => panel.lose());
      }),
      engine.onRestart(() => this.#each((panel) => panel.tell({ kind: 'restarted' }))),
    );
  }

  /** Shows a profile in a panel that VS Code made for it. */
  add(document: vscode.CustomDocument, view: vscode.WebviewPanel): void {
    const engine = this.#engine;
    const file = pathOf(document.uri);
    view.webview.options = { enableScripts: true, localResourceRoots: [this.#pages] };
    const panel = new Panel(engine, file, view, () => {
      const wanted = this.#revealing.get(file);
      this.#revealing.delete(file);
      if (wanted !== undefined) panel.reveal(wanted);
    });
    const others = this.#panels.get(file) ?? [];
    this.#panels.set(file, [...others, panel]);
    if (this.#told !== undefined) this.follow(this.#told);
    view.onDidDispose(() => {
      panel.dispose();
      const left = (this.#panels.get(file) ?? []).filter((one) => one !== panel);
      if (left.length > 0) {
        this.#panels.set(file, left);
        return;
      }
      this.#panels.delete(file);
      // Nobody sees it any more, so nothing is compared with it unasked. An engine that is gone
      // learns it when it comes back.
      engine.putAside(file).catch(() => {});
    });
    view.onDidChangeViewState(() => {
      if (view.active) void this.#run(() => panel.show());
    });
    void this.#run(() => panel.show());
    view.webview.html = this.#html(view.webview);
  }

  /**
   * Loads the profiles of tabs that were there when the window was loaded: one behind another tab makes its
   * picture once somebody looks at it, but lines tell of it at once.
   */
  async loadTabs(): Promise<void> {
    // What is in front comes last, so it is what is told of.
    const files = tabsWithProfiles().map(pathOf);
    if (files.length > 0) await this.#engine.open([...new Set(files)]);
  }

  /** Shows the frames of a function in the panel of a profile, opening one beside if there is none. */
  async reveal(file: string, wanted: Revealed): Promise<void> {
    const panel = this.#panels.get(file)?.at(-1);
    if (panel === undefined) {
      this.#revealing.set(file, wanted);
      await this.show(file, vscode.ViewColumn.Beside, true);
      return;
    }
    const { view } = panel;
    if (!view.visible) view.reveal(view.viewColumn ?? vscode.ViewColumn.Beside, true);
    panel.reveal(wanted);
  }

  /** Shows a profile. */
  async show(file: string, column?: vscode.ViewColumn, preserveFocus = false): Promise<void> {
    const uri = filesOf(file).length > 1 ? await this.#uriTogether(file) : vscode.Uri.file(file);
    await vscode.commands.executeCommand('vscode.openWith', uri, VIEW_TYPES[0], {
      viewColumn: column ?? vscode.ViewColumn.Active,
      preserveFocus,
      preview: false,
    });
  }

  /** The address of the panel of several files, which is called what the engine calls them. */
  async #uriTogether(file: string): Promise<vscode.Uri> {
    await this.#engine.open([file]);
    const profiles = await this.#engine.profiles();
    const title = profiles.find((profile) => profile.path === file)?.title;
    return uriOf(file, title ?? `${filesOf(file).length} profiles`);
  }

  /**
   * Brings panels to the documents that their files have now, for files are read again when they
   * change, and to the metric and the base that the editor tells of.
   */
  follow(told: EditorProfiles): void {
    this.#told = told;
    const { profiles, base_is_chosen: isChosen, graphs } = told;
    const ready = profiles.filter(({ state }) => state === 'ready');
    for (const { path: file, document } of [...ready, ...graphs]) {
      for (const panel of this.#panels.get(file) ?? []) panel.turnTo(document);
    }
    for (const { path: file, metric, metrics } of ready) {
      const name = metrics[metric]?.name;
      if (name === undefined) continue;
      for (const panel of this.#panels.get(file) ?? []) panel.showMetric(name);
    }
    const active = ready.find((profile) => profile.is_active);
    // What nobody chose is told in lenses, and takes no picture away.
    const base = isChosen ? ready.find((profile) => profile.is_base) : undefined;
    if (active === undefined) return;
    const sides = { base: base === undefined ? [] : [base.document], now: [active.document] };
    for (const [file, panels] of this.#panels) {
      for (const panel of panels) {
        if (file === active.path) panel.compare(sides);
        // The sides were swapped in it.
        else if (panel.compares(active.document))
          panel.compare(base === undefined ? undefined : sides);
      }
    }
  }

  #each(run: (panel: Panel) => void): void {
    for (const panel of [...this.#panels.values()].flat()) run(panel);
  }

  #html(webview: vscode.Webview): string {
    const file = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(this.#pages, name));
    const own = webview.cspSource;
    const policy =
      `default-src 'none'; script-src ${own} 'wasm-unsafe-eval'; style-src ${own}; ` +
      // Scripts of people run in a worker that is made of a text and has this policy, too: no network.
      `worker-src blob:; img-src ${own} data: blob:; font-src ${own}`;
    return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Hotframe</title>
    <link rel="stylesheet" href="${file('page.css').toString()}" />
  </head>
  <body>
    <div id="app"></div>
    <script type="module" src="${file('page.js').toString()}"></script>
  </body>
</html>`;
  }
}

/** A function of a profile, by its number there, which names do not always tell from others. */
export type Revealed = Pick<EditorFunction, 'name' | 'key'>;

/** Runs something and tells the person of its errors. */
type Run = (does: () => Thenable<unknown>) => Promise<void>;

/** One panel and its connection to the engine. */
class Panel implements vscode.Disposable {
  readonly view: vscode.WebviewPanel;
  readonly #engine: Engine;
  readonly #file: string;
  readonly #opened: () => void;
  #socket: WebSocket | undefined;
  /** The document that the page shows, once it is told. */
  #document: number | undefined;
  /** The metric that page and engine agreed on last. */
  #metric: string | undefined;
  /** What the page compares. */
  #sides: ComparedDocuments | undefined;
  /** What the editor wanted it to compare last. */
  #wanted: ComparedDocuments | undefined;
  /** How often the engine is being told of other ones. */
  #choosing = 0;
  /** Counts what begins and ends connections: one that was overtaken while it waited is dropped. */
  #connections = 0;

  constructor(engine: Engine, file: string, view: vscode.WebviewPanel, opened: () => void) {
    this.#engine = engine;
    this.#file = file;
    this.view = view;
    this.#opened = opened;
    view.webview.onDidReceiveMessage((message: FromPage) => this.#take(message));
  }

  tell(message: ToPage): void {
    void this.view.webview.postMessage(message);
  }

  /** Selects a function of the profile. */
  reveal({ name, key }: Revealed): void {
    const document = this.#document;
    if (document !== undefined) this.tell({ kind: 'reveal', name, function: { document, key } });
  }

  /** Shows another document, if the page is connected. */
  turnTo(document: number): void {
    if (this.#document === undefined || this.#document === document) return;
    this.#document = document;
    this.tell({ kind: 'opened', document });
  }

  /** Shows another metric, if it is one. */
  showMetric(name: string): void {
    // What the page chose is on its way to the engine.
    if (this.#choosing > 0 || this.#metric === name) return;
    this.#metric = name;
    if (this.#document !== undefined) this.tell({ kind: 'metric', name });
  }

  /** Compares other documents, if they are others; without any shows its own on its own. */
  compare(sides: ComparedDocuments | undefined): void {
    const wanted = sides ?? { base: [], now: this.#document === undefined ? [] : [this.#document] };
    const alone = { base: [], now: wanted.now };
    // What the page made of others stays until the editor has something new.
    if (this.#choosing > 0 || isSame(this.#wanted ?? alone, wanted)) return;
    this.#wanted = wanted;
    if (isSame(this.#sides ?? alone, wanted)) return;
    this.#sides = wanted;
    if (this.#document !== undefined) this.tell({ kind: 'compare', ...wanted });
  }

  /** Whether it shows a comparison with a document that is not its own. */
  compares(document: number): boolean {
    const { base = [], now = [] } = this.#sides ?? {};
    return base.length > 0 && document !== this.#document && [...base, ...now].includes(document);
  }

  /** It is in front: the editor tells of what it shows. */
  async show(): Promise<void> {
    const sides = this.#sides;
    // With its sides swapped it shows another one.
    const isSwapped =
      sides !== undefined && sides.base.length > 0 && !sides.now.includes(this.#document ?? -1);
    if (isSwapped) await this.#choose(sides);
    else await this.#engine.open([this.#file]);
  }

  /** Lets the editor compare what the page does. */
  async #choose({ base, now }: ComparedDocuments): Promise<void> {
    const profiles = await this.#engine.profiles();
    const [ofBase, ofNow] = [base, now].map((documents) =>
      documents.length === 1
        ? profiles.find(({ document }) => document === documents[0])?.path
        : undefined,
    );
    if (base.length === 0) {
      await this.#engine.open([ofNow ?? this.#file]);
      await this.#engine.setBase(null);
    } else if (ofBase !== undefined && ofNow !== undefined) {
      await this.#engine.compare(ofBase, ofNow);
    } else {
      void vscode.window.showInformationMessage(
        'Hotframe: lenses and hints do not show this comparison, for the panel made its sides. ' +
          "'Open Together with Hotframe' in the explorer makes profiles of several files for both.",
      );
    }
  }

  /** The engine is gone. */
  lose(): void {
    this.#disconnect();
    // The next one numbers documents anew.
    this.#sides = undefined;
    this.#wanted = undefined;
    this.tell({ kind: 'closed' });
  }

  dispose(): void {
    this.#disconnect();
  }

  #disconnect(): void {
    this.#connections += 1;
    const socket = this.#socket;
    this.#socket = undefined;
    this.#document = undefined;
    socket?.close();
  }

  #take(message: FromPage): void {
    switch (message.kind) {
      case 'connect':
        this.#connect().catch((error: unknown) => {
          this.tell({ kind: 'closed' });
          void vscode.window.showErrorMessage(`Hotframe: ${text(error)}`);
        });
        return;
      case 'frame':
        if (this.#socket?.readyState === this.#socket?.OPEN) this.#socket?.send(message.bytes);
        return;
      case 'metric':
        if (this.#metric === message.name) return;
        this.#metric = message.name;
        this.#agree(() => this.#engine.setMetric(this.#file, message.name));
        return;
      case 'compare':
        if (this.#sides !== undefined && isSame(this.#sides, message)) return;
        this.#sides = { base: message.base, now: message.now };
        this.#agree(() => this.#choose(message));
        return;
      case 'save':
        save(message.name, new Uint8Array(message.bytes), this.#file).catch((error: unknown) =>
          vscode.window.showErrorMessage(`Hotframe: ${text(error)}`),
        );
        return;
      case 'part':
        void this.#bring(message.name);
    }
  }

  /** Gives the page a part of what scripts need: the engine serves it. */
  async #bring(name: string): Promise<void> {
    try {
      const bytes = await part(await this.#engine.frames(), name);
      this.tell({ kind: 'part', name, bytes, problem: '' });
    } catch (error) {
      this.tell({ kind: 'part', name, bytes: undefined, problem: text(error) });
    }
  }

  /** Tells the engine of what was chosen here; what it had before is not shown meanwhile. */
  #agree(tell: () => Promise<void>): void {
    this.#choosing += 1;
    tell()
      .catch((error: unknown) => vscode.window.showErrorMessage(`Hotframe: ${text(error)}`))
      .finally(() => {
        this.#choosing -= 1;
      });
  }

  async #connect(): Promise<void> {
    this.#disconnect();
    const connection = this.#connections;
    const documents = await this.#engine.open([this.#file]);
    const document = documents.get(this.#file);
    if (document === undefined) throw new Error(`${this.#file} cannot be opened`);
    const frames = await this.#engine.frames();
    if (connection !== this.#connections) return;
    const socket = connect(frames);
    this.#socket = socket;
    socket.onopen = () => {
      if (this.#socket !== socket) return;
      this.#document = document;
      this.tell({ kind: 'opened', document });
      if (this.#metric !== undefined) this.tell({ kind: 'metric', name: this.#metric });
      if (this.#sides !== undefined) this.tell({ kind: 'compare', ...this.#sides });
      this.#opened();
    };
    socket.onmessage = ({ data }) => {
      if (this.#socket === socket && data instanceof ArrayBuffer)
        this.tell({ kind: 'frame', bytes: data });
    };
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      this.#disconnect();
      this.tell({ kind: 'closed' });
    };
  }
}

function isSame(one: ComparedDocuments, other: ComparedDocuments): boolean {
  return `${one.base.join()} ${one.now.join()}` === `${other.base.join()} ${other.now.join()}`;
}

/** Asks where to and writes a file. */
async function save(name: string, bytes: Uint8Array, beside: string): Promise<void> {
  const [first = beside] = filesOf(beside);
  const proposed = vscode.Uri.file(path.join(path.dirname(first), name));
  const chosen = await vscode.window.showSaveDialog({ defaultUri: proposed });
  if (chosen !== undefined) await vscode.workspace.fs.writeFile(chosen, bytes);
}
