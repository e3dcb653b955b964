import * as vscode from 'vscode';
import type { EditorLine, EditorLines } from '@hotframe/engine';
import { marksAreOn } from './marks.ts';

/** By level. */
interface Colours {
  readonly light: readonly string[];
  readonly dark: readonly string[];
}

/** From which share of the whole a line has a bar of so many fifths. */
const LEVELS = [0.001, 0.01, 0.05, 0.2, 0.5] as const;
/** Colours of the bars, cold to hot, on light and on dark; the length says the same. */
const COLOURS: Colours = {
  light: ['#e9b38c', '#e2935b', '#d97334', '#c2410c', '#8f2d04'],
  dark: ['#7a4a2c', '#a65f31', '#d17a3d', '#ff9d5c', '#ffc79b'],
};
/** The same where lines may be wrong. */
const GREYS: Colours = {
  light: Array<string>(5).fill('#b5b5b5'),
  dark: Array<string>(5).fill('#666666'),
};
/** While text changes, the lines are asked for again after so long a rest. */
const REST_MS = 250;

/** What tells of the lines of files. */
export interface Measured {
  /** Whether it may know a file. */
  covers(uri: vscode.Uri): boolean;
  lines(uri: vscode.Uri): Promise<EditorLines | undefined>;
  /** What it tells is something else now. */
  readonly onChange: vscode.Event<void>;
  /** It tells nothing any more. */
  readonly onStop: vscode.Event<void>;
}

/** Bars beside measured lines and marks of hot ones in the overview ruler. */
export class Heat implements vscode.Disposable {
  readonly #measured: Measured;
  readonly #bars = LEVELS.map((_, level) => barType(level, COLOURS));
  readonly #staleBars = LEVELS.map((_, level) => barType(level, GREYS));
  readonly #hot = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    overviewRulerColor: new vscode.ThemeColor('hotframe.heat'),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
  readonly #stops: vscode.Disposable[];
  #timer: NodeJS.Timeout | undefined;

  constructor(measured: Measured) {
    this.#measured = measured;
    const soon = () => this.drawSoon();
    this.#stops = [
      measured.onChange(soon),
      measured.onStop(soon),
      vscode.window.onDidChangeVisibleTextEditors(soon),
      vscode.workspace.onDidChangeTextDocument(soon),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('hotframe')) soon();
      }),
    ];
  }

  drawSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      for (const editor of vscode.window.visibleTextEditors) void this.#draw(editor);
    }, REST_MS);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const one of [...this.#bars, ...this.#staleBars, this.#hot, ...this.#stops]) one.dispose();
  }

  async #draw(editor: vscode.TextEditor): Promise<void> {
    const settings = vscode.workspace.getConfiguration('hotframe');
    const { uri } = editor.document;
    const wanted = marksAreOn() && settings.get('heat', true) && this.#measured.covers(uri);
    // An engine that is gone has nothing to say; what was drawn goes.
    const found = wanted ? await this.#measured.lines(uri).catch(() => undefined) : undefined;
    const lines = found?.lines ?? [];
    const hot = settings.get('hotLinePercent', 1) / 100;
    const last = editor.document.lineCount - 1;
    const ranges = (keep: (line: EditorLine) => boolean) =>
      lines
        .filter((line) => line.line <= last && keep(line))
        .map(({ line }) => editor.document.lineAt(line).range);
    const [shown, other] =
      found?.is_stale === true ? [this.#staleBars, this.#bars] : [this.#bars, this.#staleBars];
    for (const level of LEVELS.keys()) {
      editor.setDecorations(
        shown[level]!,
        ranges(({ total }) => levelOf(Math.abs(total)) === level),
      );
      editor.setDecorations(other[level]!, []);
    }
    editor.setDecorations(
      this.#hot,
      found?.is_stale === true ? [] : ranges(({ total }) => Math.abs(total) >= hot),
    );
  }
}

/** The level of a share; -1 for what is too small for a bar. */
export function levelOf(share: number): number {
  return LEVELS.findLastIndex((least) => share >= least);
}

function barType(level: number, colours: Colours): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    light: { gutterIconPath: barIcon(level, colours.light[level]!) },
    dark: { gutterIconPath: barIcon(level, colours.dark[level]!) },
    gutterIconSize: 'contain',
  });
}

function barIcon(level: number, colour: string): vscode.Uri {
  const width = ((level + 1) * 14) / LEVELS.length;
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">' +
    `<rect x="1" y="5" width="${width}" height="6" rx="1.5" fill="${colour}"/></svg>`;
  return vscode.Uri.parse(`data:image/svg+xml;utf8,${encodeURIComponent(svg)}`);
}
