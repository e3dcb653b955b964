/** What the editor of scripts is given. */
export interface EditorOptions {
  readonly parent: HTMLElement;
  readonly text: string;
  /** What screen readers call it. */
  readonly label: string;
  changed(text: string): void;
  /** Ctrl+Enter, or Cmd+Enter. */
  run(): void;
  /** Names that Python knows and that begin so; may be none. */
  complete(text: string): Promise<readonly string[]>;
}

/** An editor of Python on the page. */
export interface Editor {
  /** Puts another text in its place; what was undone before stays so. */
  setText(text: string): void;
  /** Marks a line, from 1, with what is wrong there; without one takes the mark away. */
  mark(line: number | undefined, message: string): void;
  /** Goes to a line. */
  reveal(line: number): void;
  focus(): void;
  close(): void;
}

/** The part of the page that has the editor. */
export interface EditorModule {
  createEditor(options: EditorOptions): Editor;
}
