import * as vscode from 'vscode';
import { pageWith } from './page-with.ts';

/** The kind of editors that show profiles, as the manifest has it. */
const EDITOR = 'hotframe.profile';
/** The page that needs no server, as the package has it. */
const PAGE = ['page', 'index.html'];
/** Most bytes of a file: the page has it inside, as a text. */
const MOST_BYTES = 256 * 2 ** 20;

/** Starts the extension where nothing can be started beside it, in a browser: the page has its own engine. */
export function activate(context: vscode.ExtensionContext): void {
  const { executeCommand, registerCommand } = vscode.commands;
  const open = (uri: vscode.Uri) => executeCommand('vscode.openWith', uri, EDITOR);
  context.subscriptions.push(
    vscode.window.registerCustomEditorProvider(EDITOR, new Profiles(context.extensionUri), {
      webviewOptions: { retainContextWhenHidden: true },
      supportsMultipleEditorsPerDocument: true,
    }),
    registerCommand('hotframe.open', async () => {
      const chosen = await vscode.window.showOpenDialog({
        canSelectMany: true,
        title: 'Open profiles',
      });
      for (const uri of chosen ?? []) await open(uri);
    }),
    registerCommand('hotframe.openWith', (uri: vscode.Uri | undefined) => uri && open(uri)),
  );
}

class Profiles implements vscode.CustomReadonlyEditorProvider {
  #page: Promise<string> | undefined;

  constructor(private readonly extension: vscode.Uri) {}

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose() {} };
  }

  async resolveCustomEditor(
    { uri }: vscode.CustomDocument,
    { webview }: vscode.WebviewPanel,
  ): Promise<void> {
    webview.options = { enableScripts: true };
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > MOST_BYTES) {
      throw new Error(
        'It has more than 256 MiB: open the folder in VS Code on your machine, where Hotframe reads it itself.',
      );
    }
    const [page, bytes] = await Promise.all([this.page(), vscode.workspace.fs.readFile(uri)]);
    const name = uri.path.split('/').at(-1) ?? uri.path;
    webview.html = await pageWith(page, name, bytes);
  }

  /** The text of the page, read once. */
  private page(): Promise<string> {
    this.#page ??= Promise.resolve(
      vscode.workspace.fs.readFile(vscode.Uri.joinPath(this.extension, ...PAGE)),
    ).then((bytes) => new TextDecoder().decode(bytes));
    return this.#page;
  }
}
