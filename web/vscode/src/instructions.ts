import type { EditorInstruction, EditorInstructions } from '@hotframe/engine';
import * as vscode from 'vscode';

interface Row extends vscode.QuickPickItem {
  readonly line?: number;
}

/**
 * Lists the instructions of a function with their values, statement by statement. Its lines are shown while
 * one goes through the list, and the one that is chosen gets the cursor.
 */
export async function showInstructions(uri: vscode.Uri, of: EditorInstructions): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const editor = await vscode.window.showTextDocument(document, { preview: true });
  const before = editor.selection;
  const pick = vscode.window.createQuickPick<Row>();
  pick.title = `${of.metric} of ${of.title}, by instruction`;
  pick.placeholder = 'An address, an instruction or a module';
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.items = [
    ...of.notes.map((note) => ({ label: `$(info) ${note}`, alwaysShow: true })),
    ...rowsOf(of.instructions, (line) =>
      line < document.lineCount ? document.lineAt(line).text.trim() : '',
    ),
  ];
  pick.activeItems = pick.items.filter((_, index) => index === hottestRow(pick.items));
  const show = (row: Row | undefined) => {
    if (row?.line === undefined || row.line >= document.lineCount) return;
    const { range } = document.lineAt(row.line);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    editor.selection = new vscode.Selection(range.start, range.end);
  };
  pick.onDidChangeActive(([row]) => show(row));
  let isChosen = false;
  pick.onDidAccept(() => {
    isChosen = true;
    show(pick.activeItems[0]);
    pick.hide();
  });
  pick.onDidHide(() => {
    if (!isChosen) editor.selection = before;
    pick.dispose();
  });
  pick.show();
}

/** What marks the hottest instruction, beside its place in the list. */
const HOTTEST = '$(flame) ';

/** A heading a statement, and below it its instructions. */
export function rowsOf(
  instructions: readonly EditorInstruction[],
  textOf: (line: number) => string,
): Row[] {
  const rows: Row[] = [];
  let last: string | undefined;
  for (const row of instructions) {
    const { line, elsewhere, address, module, text, values, is_hottest: isHottest } = row;
    const statement = line === null ? elsewhere : `${line + 1}: ${textOf(line)}`;
    const label = statement === '' ? 'No known line' : statement;
    if (label !== last) {
      rows.push({ label, kind: SEPARATOR });
      last = label;
    }
    const place = module === '' ? address : `${address} · ${module}`;
    rows.push({
      label: `${isHottest ? HOTTEST : ''}${text === '' ? address : text}`,
      description: values,
      ...((text !== '' || module !== '') && { detail: place }),
      ...(line !== null && { line }),
    });
  }
  return rows;
}

/** `vscode.QuickPickItemKind.Separator`, which unit tests do not have. */
const SEPARATOR = -1 as vscode.QuickPickItemKind;

function hottestRow(rows: readonly Row[]): number {
  return rows.findIndex(({ label }) => label.startsWith(HOTTEST));
}
