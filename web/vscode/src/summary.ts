import * as vscode from 'vscode';
import type { Engine } from './engine.ts';

const SCHEME = 'hotframe';

/** The document with what all loaded profiles hold. */
export const SUMMARY = vscode.Uri.from({ scheme: SCHEME, path: '/Summary of the Profiles.md' });

/** Keeps that document true. */
export class Summary implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #engine: Engine;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #stops: readonly vscode.Disposable[];
  readonly onDidChange = this.#changed.event;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#stops = [
      this.#changed,
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      engine.onChange(() => this.#changed.fire(SUMMARY)),
    ];
  }

  provideTextDocumentContent(): Promise<string> {
    return this.#engine.command<string>('hotframe.summary', []);
  }

  dispose(): void {
    for (const stop of this.#stops) stop.dispose();
  }
}
