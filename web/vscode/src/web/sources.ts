import { type FromOwnEngine, longestEnd } from '@hotframe/engine';
import * as vscode from 'vscode';
import type { SourceLines } from '../source.ts';

/** Most files of one name among which the one of a profile is looked for. */
const MOST_FILES = 1_000;
/** How long the status bar tells something. */
const TOLD_MS = 8_000;

/** Finds the sources of profiles in the workspace, by the end of their paths. */
export class Sources {
  readonly #lines: SourceLines;
  /** What somebody chose, by path in the profile. */
  readonly #chosen = new Map<string, vscode.Uri>();

  constructor(lines: SourceLines) {
    this.#lines = lines;
  }

  /** Shows a source line. Only who asked for it is asked something, or interrupted. */
  async show(wanted: Extract<FromOwnEngine, { kind: 'source' }>): Promise<void> {
    const { file, line, takeFocus } = wanted;
    try {
      const uri = await this.#find(file, takeFocus);
      if (uri === undefined) return;
      const position = { line: Math.max(0, line - 1), character: 0 };
      const selection = { start: position, end: position };
      await this.#lines.show({ uri: uri.toString(), takeFocus, selection });
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error), takeFocus);
    }
  }

  async #find(file: string, mayAsk: boolean): Promise<vscode.Uri | undefined> {
    const chosen = this.#chosen.get(file);
    if (chosen !== undefined) return chosen;
    const name = file.split(/[\\/]/).at(-1) ?? '';
    const all = await vscode.workspace.findFiles(`**/${literal(name)}`, undefined, MOST_FILES);
    const { best, common } = longestEnd(all, ({ path }) => path, file);
    const [found] = best;
    if (found === undefined) {
      tell(`the workspace has no file ${name}: the profile names ${file}.`, mayAsk);
      return undefined;
    }
    if (best.length === 1) {
      if (common === 1 && /[\\/]/.test(file)) {
        tell(`found by its name alone: it may be another file than ${file}.`, false);
      }
      return found;
    }
    if (!mayAsk) {
      tell(
        `${name} may be ${best.length} files: go there from the picture with e, and choose.`,
        false,
      );
      return undefined;
    }
    const picked = await vscode.window.showQuickPick(
      best.map((uri) => ({ label: vscode.workspace.asRelativePath(uri), uri })),
      { title: `Which file is ${file}?` },
    );
    if (picked !== undefined) this.#chosen.set(file, picked.uri);
    return picked?.uri;
  }
}

/** A name as a pattern for itself. */
export function literal(name: string): string {
  return name.replace(/[[\]{}*?!]/g, (letter) => `[${letter}]`);
}

function tell(what: string, isWanted: boolean): void {
  const message = `Hotframe: ${what.replaceAll('](', '] (')}`;
  if (isWanted) void vscode.window.showInformationMessage(message);
  else vscode.window.setStatusBarMessage(message, TOLD_MS);
}
