import * as vscode from 'vscode';
import { marksAreOn } from '../marks.ts';
import type { Profiles } from './profiles.ts';

/** What costs a line: at its end where it is hot, and where the pointer rests. */
export class LineMarks
  implements vscode.InlayHintsProvider, vscode.HoverProvider, vscode.Disposable
{
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #profiles: Profiles;
  readonly #stops: vscode.Disposable[];

  readonly onDidChangeInlayHints = this.#changed.event;

  constructor(profiles: Profiles) {
    this.#profiles = profiles;
    const soon = () => this.#changed.fire();
    this.#stops = [
      vscode.languages.registerInlayHintsProvider('*', this),
      vscode.languages.registerHoverProvider('*', this),
      profiles.onChange(soon),
      profiles.onStop(soon),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('hotframe')) soon();
      }),
    ];
  }

  async provideInlayHints(
    document: vscode.TextDocument,
    range: vscode.Range,
  ): Promise<vscode.InlayHint[]> {
    const found = marksAreOn() ? await this.#profiles.lines(document.uri) : undefined;
    const hot = vscode.workspace.getConfiguration('hotframe').get('hotLinePercent', 1) / 100;
    const shown = (found?.lines ?? []).filter(
      ({ line, total }) =>
        Math.abs(total) >= hot &&
        line < document.lineCount &&
        line >= range.start.line &&
        line <= range.end.line,
    );
    return shown.map(({ line, short, text }) => {
      const hint = new vscode.InlayHint(document.lineAt(line).range.end, short);
      hint.paddingLeft = true;
      hint.tooltip = `${text}\n${found!.note}`;
      return hint;
    });
  }

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    const found = marksAreOn() ? await this.#profiles.lines(document.uri) : undefined;
    const line = found?.lines.find((one) => one.line === position.line);
    if (found === undefined || line === undefined) return undefined;
    // Nobody tells here when a file was changed.
    const note = `${found.note} It was not checked whether this is the text that was measured.`;
    const told = new vscode.MarkdownString();
    told.appendMarkdown('**').appendText(found.metric).appendMarkdown('** of this line, in ');
    told.appendText(found.title).appendMarkdown('\n\n').appendText(line.text);
    told.appendMarkdown('\n\n');
    // Spaces of a text are such where no line ends.
    for (const word of note.split(' ')) told.appendText(word).appendMarkdown(' ');
    return new vscode.Hover(told, document.lineAt(line.line).range);
  }

  dispose(): void {
    for (const one of [this.#changed, ...this.#stops]) one.dispose();
  }
}
