import type { EditorLine, EditorLines } from '../generated/protocol.ts';

/** A measured line as an editor draws it. */
export interface MeasuredLine extends EditorLine {
  /** What stands at its end where it is hot. */
  readonly short: string;
}

/** What was measured on the lines of a file, in its order. */
export interface MeasuredLines extends EditorLines {
  readonly lines: MeasuredLine[];
  /** What is to be known of them. */
  readonly note: string;
}

/** What a page that has its own engine tells the extension whose panel it is in. */
export type FromOwnEngine =
  /** Show a source line. */
  | {
      readonly kind: 'source';
      /** As the profile names it. */
      readonly file: string;
      /** From 1; 0 where none is known. */
      readonly line: number;
      readonly takeFocus: boolean;
    }
  /** What lines have may be something else now. */
  | { readonly kind: 'measured' }
  /** The answer to a question of that number. */
  | { readonly kind: 'lines'; readonly id: number; readonly lines: MeasuredLines | undefined };

/** What the extension asks such a page: what was measured on the lines of the file of a path. */
export interface ToOwnEngine {
  readonly kind: 'lines';
  readonly id: number;
  readonly path: string;
  readonly lineCount: number;
}
