import * as vscode from 'vscode';
import type { Engine } from './engine.ts';
import { plainHtml, withFileLinks } from './markup.ts';
import { text } from './message.ts';

/** The kind of the panel. */
const VIEW_TYPE = 'hotframe.summary';

/** A panel beside the code with what all loaded profiles hold; it follows them. */
export class Summary implements vscode.Disposable {
  readonly #engine: Engine;
  readonly #style: vscode.Uri;
  readonly #stop: vscode.Disposable;
  #panel: vscode.WebviewPanel | undefined;
  /** Counts renderings: one that was overtaken is dropped. */
  #renderings = 0;

  constructor(context: vscode.ExtensionContext, engine: Engine) {
    this.#engine = engine;
    this.#style = vscode.Uri.joinPath(context.extensionUri, 'media');
    this.#stop = engine.onChange(() => void this.#render());
  }

  /** Shows it; the code keeps the keyboard. */
  async show(): Promise<void> {
    if (this.#panel !== undefined) {
      this.#panel.reveal(undefined, true);
      return;
    }
    const where = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const panel = vscode.window.createWebviewPanel(VIEW_TYPE, 'Summary of the Profiles', where);
    await this.showIn(panel);
  }

  /** Moves it into a window of its own, which floats over the code. */
  async float(): Promise<void> {
    await this.show();
    this.#panel?.reveal(undefined, false);
    await vscode.commands.executeCommand('workbench.action.moveEditorToNewWindow');
  }

  /** Shows it in a panel that is empty. */
  async showIn(panel: vscode.WebviewPanel): Promise<void> {
    this.#panel?.dispose();
    this.#panel = panel;
    // No scripts; of commands, the one that lines of code are links to.
    panel.webview.options = {
      enableScripts: false,
      enableCommandUris: ['hotframe.openLine'],
      localResourceRoots: [this.#style],
    };
    panel.iconPath = vscode.Uri.joinPath(this.#style, 'activity.svg');
    panel.onDidDispose(() => {
      if (this.#panel === panel) this.#panel = undefined;
    });
    await this.#render();
  }

  dispose(): void {
    this.#panel?.dispose();
    this.#stop.dispose();
  }

  async #render(): Promise<void> {
    const panel = this.#panel;
    if (panel === undefined) return;
    this.#renderings += 1;
    const rendering = this.#renderings;
    const body = await this.#body();
    if (rendering === this.#renderings && panel === this.#panel) {
      panel.webview.html = this.#page(panel.webview, body);
    }
  }

  /** What the engine tells, as markup that does nothing. */
  async #body(): Promise<string> {
    try {
      const markdown = await this.#engine.command<string>('hotframe.summary', []);
      const html = await vscode.commands.executeCommand<string>(
        'markdown.api.render',
        withFileLinks(markdown),
      );
      return plainHtml(html);
    } catch (error) {
      return `<p>${plainHtml(text(error))}</p>`;
    }
  }

  #page(webview: vscode.Webview, body: string): string {
    const style = webview.asWebviewUri(vscode.Uri.joinPath(this.#style, 'summary.css'));
    return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${webview.cspSource}" />
    <title>Summary of the Profiles</title>
    <link rel="stylesheet" href="${style.toString()}" />
  </head>
  <body>${body}</body>
</html>`;
  }
}
