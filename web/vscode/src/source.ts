import * as vscode from 'vscode';
import type { ShowDocumentParams } from 'vscode-languageclient/node';

/** Opens source lines that frames lead to, and marks them. */
export class SourceLines implements vscode.Disposable {
  readonly #mark = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('hotframe.line'),
    borderColor: new vscode.ThemeColor('hotframe.lineBorder'),
    borderStyle: 'solid',
    borderWidth: '1px 0',
    overviewRulerColor: new vscode.ThemeColor('hotframe.heat'),
    overviewRulerLane: vscode.OverviewRulerLane.Full,
  });
  /** The marked line, so that it is marked wherever the file is on screen. */
  #marked: { readonly uri: string; readonly line: number } | undefined;
  readonly #stops: vscode.Disposable[];

  constructor() {
    this.#stops = [
      vscode.window.onDidChangeVisibleTextEditors(() => this.#draw()),
      // Lines move under an edit; the mark says where a frame led to before it.
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && document.uri.toString() === this.#marked?.uri) {
          this.clear();
        }
      }),
    ];
  }

  async show({ uri, selection, takeFocus }: ShowDocumentParams): Promise<void> {
    const target = vscode.Uri.parse(uri);
    const line = selection?.start.line ?? 0;
    const document = await vscode.workspace.openTextDocument(target);
    const place = document.lineAt(Math.min(line, document.lineCount - 1)).range;
    const start = new vscode.Position(
      place.start.line,
      document.lineAt(place.start.line).firstNonWhitespaceCharacterIndex,
    );
    const editor = await vscode.window.showTextDocument(document, {
      viewColumn: columnFor(target),
      preserveFocus: takeFocus !== true,
      preview: true,
      selection: new vscode.Range(start, place.end),
    });
    this.#marked = { uri: target.toString(), line: place.start.line };
    this.#draw();
    editor.revealRange(place, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    void vscode.commands.executeCommand('setContext', 'hotframe.hasShownSource', true);
  }

  clear(): void {
    this.#marked = undefined;
    this.#draw();
  }

  dispose(): void {
    this.#mark.dispose();
    for (const stop of this.#stops) stop.dispose();
  }

  #draw(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const here = this.#marked?.uri === editor.document.uri.toString() ? this.#marked : undefined;
      const last = editor.document.lineCount - 1;
      const ranges =
        here === undefined || here.line > last ? [] : [editor.document.lineAt(here.line).range];
      editor.setDecorations(this.#mark, ranges);
    }
  }
}

/**
 * Where the file has a tab already; else where other text is; else beside the picture. Never where
 * a picture is in front: the line would open over it.
 */
export function columnFor(uri: vscode.Uri): vscode.ViewColumn {
  const groups = vscode.window.tabGroups.all.filter(
    ({ activeTab }) => !(activeTab?.input instanceof vscode.TabInputCustom),
  );
  const has = (group: vscode.TabGroup, is: (tab: vscode.Tab) => boolean) => group.tabs.some(is);
  const shows = groups.find((group) =>
    has(
      group,
      ({ input }) =>
        input instanceof vscode.TabInputText && input.uri.toString() === uri.toString(),
    ),
  );
  return (shows ?? groups[0])?.viewColumn ?? vscode.ViewColumn.Beside;
}
