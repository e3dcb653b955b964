import * as vscode from 'vscode';
import {
  EDITOR_CHANGED,
  EDITOR_LOCATE,
  type EditorFrames,
  type EditorFunction,
  type EditorInstructions,
  type EditorInstructionsOf,
  type EditorLines,
  type EditorLocate,
  type EditorProfile,
  type EditorProfiles,
  type EditorReplies,
} from '@hotframe/engine';
import {
  CloseAction,
  ErrorAction,
  ExecuteCommandRequest,
  LanguageClient,
  type ShowDocumentParams,
  State,
  type StaticFeature,
  type DynamicFeature,
} from 'vscode-languageclient/node';
import { namesProfiles } from './at-start.ts';
import { findBinary } from './binary.ts';
import { MARKS, marksAreOn } from './marks.ts';
import { text } from './message.ts';

/** More crashes in a row, and the engine is left alone. */
const MOST_CRASHES = 5;
/** Crashes that are further apart have nothing to do with each other. */
const CRASHES_WITHIN_MS = 60_000;

/** The one engine of a window: the process, its language server and the address of its frames. */
export class Engine implements vscode.Disposable {
  readonly #context: vscode.ExtensionContext;
  readonly #showSource: (params: ShowDocumentParams) => Promise<void>;
  readonly #log = vscode.window.createOutputChannel('Hotframe', { log: true });
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #restarted = new vscode.EventEmitter<void>();
  readonly #stopped = new vscode.EventEmitter<void>();
  /** Paths that someone opened, the last one last; they are opened again after a crash. */
  readonly #opened = new Set<string>();
  /** Those whose pictures were closed. */
  readonly #aside = new Set<string>();
  /** The metrics that someone chose, by path. */
  readonly #metrics = new Map<string, string>();
  /** What someone chose to compare with; null for nothing, undefined where nobody chose. */
  #base: string | null | undefined;
  /** Whether an engine was there and is gone. */
  #isLost = false;
  #client: Promise<LanguageClient> | undefined;
  #crashes: number[] = [];

  /** Something about the loaded profiles is new. */
  readonly onChange = this.#changed.event;
  /** The process is gone. */
  readonly onStop = this.#stopped.event;
  /** It was started again after that. */
  readonly onRestart = this.#restarted.event;

  constructor(
    context: vscode.ExtensionContext,
    showSource: (params: ShowDocumentParams) => Promise<void>,
  ) {
    this.#context = context;
    this.#showSource = showSource;
  }

  /** Loads profiles and gives the document of each that is there. */
  async open(paths: readonly string[]): Promise<ReadonlyMap<string, number>> {
    for (const path of paths) {
      this.#opened.delete(path);
      this.#opened.add(path);
      this.#aside.delete(path);
    }
    const result = await this.#run('hotframe.open', paths);
    return new Map(result.documents.map(({ path, document }) => [path, document]));
  }

  async close(path: string): Promise<void> {
    this.#opened.delete(path);
    this.#aside.delete(path);
    this.#metrics.delete(path);
    if (this.#base === path) this.#base = undefined;
    await this.command('hotframe.close', [path]);
  }

  /** Starts the engine, which reads the profiles of the settings, if these name any. */
  async startNamed(): Promise<void> {
    if (namesProfiles()) await this.#running();
  }

  /** The last picture of a profile was closed. */
  async putAside(path: string): Promise<void> {
    this.#aside.add(path);
    if (this.#client !== undefined) await this.command('hotframe.putAside', [path]);
  }

  /** Tells of another metric of a profile. */
  async setMetric(path: string, name: string): Promise<void> {
    await this.command('hotframe.setMetric', [path, name]);
    this.#metrics.set(path, name);
  }

  /** Compares with a profile; null for none. */
  async setBase(path: string | null): Promise<void> {
    await this.command('hotframe.setBase', [path]);
    this.#base = path;
  }

  /** Tells of one profile and compares it with another. */
  async compare(base: string, now: string): Promise<void> {
    await this.command('hotframe.setBase', [base, now]);
    this.#base = base;
    this.#opened.delete(now);
    this.#opened.add(now);
  }

  /** Where the engine takes frames. */
  frames(): Promise<EditorFrames> {
    return this.#run('hotframe.frames', []);
  }

  async loaded(): Promise<EditorProfiles> {
    if (this.#client === undefined) return { profiles: [], base_is_chosen: false, graphs: [] };
    const loaded = await this.#ask('hotframe/profiles', {});
    // Who takes what the engine offers has chosen, too.
    const base = loaded.profiles.find(({ is_base: isBase }) => isBase);
    const isSet = vscode.workspace.getConfiguration('hotframe').get('base', '') !== '';
    if (base !== undefined && !isSet) this.#base = base.path;
    return loaded;
  }

  async profiles(): Promise<readonly EditorProfile[]> {
    const { profiles } = await this.loaded();
    return profiles;
  }

  covers(uri: vscode.Uri): boolean {
    return uri.scheme === 'file';
  }

  async lines(uri: vscode.Uri): Promise<EditorLines | undefined> {
    if (this.#client === undefined) return undefined;
    const textDocument = { uri: uri.toString() };
    return (await this.#ask('hotframe/lines', { textDocument })) ?? undefined;
  }

  /** The instructions of a function of the active profile. */
  async instructions(uri: string, key: number): Promise<EditorInstructions> {
    const of: EditorInstructionsOf = { uri, key };
    const found = await this.#ask('hotframe/instructions', of);
    if (found === null) throw new Error('This function is not measured here any more.');
    return found;
  }

  /** The function that a line (from 0) belongs to. */
  async functionAt(uri: vscode.Uri, line: number): Promise<EditorFunction | undefined> {
    const textDocument = { uri: uri.toString() };
    const position = { line, character: 0 };
    return (await this.#ask('hotframe/function', { textDocument, position })) ?? undefined;
  }

  /** A request of the engine's own. */
  async #ask<Method extends keyof EditorReplies>(
    method: Method,
    params: object,
  ): Promise<EditorReplies[Method]> {
    const client = await this.#running();
    return client.sendRequest<EditorReplies[Method]>(method, params);
  }

  /** A command whose result is known. */
  #run<Command extends keyof EditorReplies>(
    command: Command,
    args: readonly unknown[],
  ): Promise<EditorReplies[Command]> {
    return this.command<EditorReplies[Command]>(command, args);
  }

  async command<R = unknown>(command: string, args: readonly unknown[]): Promise<R> {
    const client = await this.#running();
    return (await client.sendRequest(ExecuteCommandRequest.type, {
      command,
      arguments: args as never[],
    })) as R;
  }

  /** Tells the engine that the settings have changed. */
  async configure(): Promise<void> {
    if (this.#client === undefined) return;
    const client = await this.#client;
    await client.sendNotification('workspace/didChangeConfiguration', {
      settings: { hotframe: this.#settings() },
    });
  }

  /** Starts the engine again, with another program; one that nobody wanted yet stays away. */
  async restartIfStarted(): Promise<void> {
    if (this.#client !== undefined) await this.restart();
  }

  async restart(): Promise<void> {
    this.#crashes = [];
    const client = this.#client;
    this.#client = undefined;
    this.#lose();
    await client
      ?.then((old) => old.dispose())
      .catch((error: unknown) => this.#log.warn(text(error)));
    await this.#running();
  }

  dispose(): void {
    void this.#end();
  }

  /** Ends the engine. One that is already gone, or does not answer, is not a problem: it is killed. */
  async #end(): Promise<void> {
    try {
      await (await this.#client)?.dispose();
    } catch {
      // The log says what happened.
    }
    this.#log.dispose();
  }

  #running(): Promise<LanguageClient> {
    this.#client ??= this.#start().catch((error: unknown) => {
      this.#client = undefined;
      throw error;
    });
    return this.#client;
  }

  async #start(): Promise<LanguageClient> {
    const command = findBinary(this.#context);
    const client = new Client(
      'hotframe',
      'Hotframe',
      { command, args: ['lsp'] },
      {
        documentSelector: [{ scheme: 'file' }, { scheme: 'vscode-notebook-cell' }],
        outputChannel: this.#log,
        initializationOptions: () => this.#settings(),
        progressOnInitialization: false,
        errorHandler: {
          // What cannot be written to an engine that is gone is told once, when it is closed.
          error: () => ({ action: ErrorAction.Continue, handled: true }),
          closed: () => this.#afterCrash(),
        },
        middleware: {
          ...MARKS,
          window: {
            showDocument: async (params, token, next) => {
              if (params.external === true) return next(params, token);
              try {
                await this.#showSource(params);
                return { success: true };
              } catch (error) {
                void vscode.window.showErrorMessage(`Hotframe: ${text(error)}`);
                return { success: false };
              }
            },
          },
        },
      },
    );
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Stopped) this.#lose();
      else if (newState === State.Running && this.#isLost) {
        this.#isLost = false;
        this.#choose(client).catch((error: unknown) => this.#log.warn(text(error)));
        this.#restarted.fire();
        this.#changed.fire();
      }
    });
    client.onNotification(EDITOR_CHANGED, () => this.#changed.fire());
    client.onRequest(EDITOR_LOCATE, locate);
    await client.start();
    return client;
  }

  #lose(): void {
    this.#isLost = true;
    this.#stopped.fire();
  }

  /** Chooses again what was chosen, in an engine that was started again. */
  async #choose(client: LanguageClient): Promise<void> {
    const send = (command: string, ...args: unknown[]) =>
      client.sendRequest(ExecuteCommandRequest.type, { command, arguments: args as never[] });
    for (const path of this.#aside) await send('hotframe.putAside', path);
    for (const [path, name] of this.#metrics) await send('hotframe.setMetric', path, name);
    if (this.#base !== undefined) await send('hotframe.setBase', this.#base);
  }

  #afterCrash() {
    const now = Date.now();
    this.#crashes = [...this.#crashes.filter((time) => now - time < CRASHES_WITHIN_MS), now];
    if (this.#crashes.length > MOST_CRASHES) {
      // Who asks for it after that, by a panel's button for one, starts another.
      this.#client = undefined;
      void this.#tellCrash(
        `Hotframe's engine has stopped ${this.#crashes.length} times within a minute and is left alone.`,
        'Start It',
      );
      return { action: CloseAction.DoNotRestart, handled: true };
    }
    void this.#tellCrash(
      "Hotframe's engine stopped and was started again; its profiles are read again.",
    );
    return { action: CloseAction.Restart, handled: true };
  }

  async #tellCrash(message: string, ...actions: string[]): Promise<void> {
    const chosen = await vscode.window.showWarningMessage(message, 'Show Log', ...actions);
    if (chosen === 'Show Log') this.#log.show();
    else if (chosen !== undefined) await this.restart();
  }

  #settings(): object {
    const settings = vscode.workspace.getConfiguration('hotframe');
    const named = (name: string) => settings.get(name, '') || null;
    const profiles = new Set([...settings.get<string[]>('profiles', []), ...this.#opened]);
    return {
      profiles: [...profiles],
      metric: named('metric'),
      base: named('base'),
      hotLinePercent: settings.get('hotLinePercent', 1),
      lensPercent: settings.get('lensPercent', 0.1),
      diagnostics: marksAreOn() ? settings.get('diagnostics', 0) : 0,
      paths: settings.get('paths', []),
    };
  }
}

/** Lets the person choose the file that a file of a profile is here. */
async function locate({ file, title }: EditorLocate): Promise<string | null> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  const chosen = await vscode.window.showOpenDialog({
    title: `Where is ${file} of ${title}?`,
    openLabel: 'This Is It',
    ...(folder && { defaultUri: folder.uri }),
  });
  return chosen?.[0]?.toString() ?? null;
}

/** The client, but for one thing: commands are the extension's, which sends them itself. */
class Client extends LanguageClient {
  override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
    const method = 'registrationType' in feature ? feature.registrationType.method : '';
    if (method !== ExecuteCommandRequest.method) super.registerFeature(feature);
  }

  protected override fillInitializeParams(
    params: Parameters<LanguageClient['fillInitializeParams']>[0],
  ): void {
    super.fillInitializeParams(params);
    params.capabilities.experimental = { hotframe: true };
  }
}
