import type {
  AdviceRuleInfo,
  ComparedDocuments,
  Connect,
  FunctionRef,
  MeasuredLines,
  ReportScript,
} from '@hotframe/engine';
import type { ReadonlySignal } from '@preact/signals';
import type { Step } from './history.ts';
import type { PythonHost } from './python/host.ts';
import type { ThemeName } from './theme.ts';
import type { SourcePlace } from './view-state.ts';

/** What the page lives in: a browser, or a panel of an editor. */
export interface Host {
  readonly window: Window;
  readonly connect: Connect;
  /** Whether what answers at the page's address knows the page; fails where nothing answers. */
  admitted(): Promise<boolean>;
  readonly address: Address;
  /** Where choices are remembered that are not part of what is looked at. */
  readonly store: Store;
  /** Where is remembered what a reload of this page shall find again, and no other page. */
  readonly tab: Store;
  /** The theme of what is around the page; undefined where people choose it. */
  readonly theme: ReadonlySignal<ThemeName> | undefined;
  /** Undefined in a browser. */
  readonly editor: EditorHost | undefined;
  /** Undefined where the engine knows the editor, or there is none. */
  readonly sources: SourceEditor | undefined;
  /** Loads what scripts need; undefined where scripts stand around the page already. */
  readonly python: (() => Promise<PythonHost>) | undefined;
  /** Whether what is shown can be saved as a report. */
  readonly makesReports: boolean;
  /**
   * The page that reports are made of, where this page has it and the engine does not; undefined where the
   * engine has it.
   */
  readonly viewer: (() => Promise<Uint8Array<ArrayBuffer>>) | undefined;
  /** What this page tells of itself, where it is a report. */
  readonly report: ReportAbout | undefined;
  /** Hands a file to the person. */
  save(blob: Blob, name: string): void;
}

/** What a report tells of itself. */
export interface ReportAbout {
  /** What whoever wrote it has to say; may be empty. */
  readonly note: string;
  /** What is in it, each a sentence. */
  readonly contains: readonly string[];
  /** The Hotframe that wrote it. */
  readonly version: string;
  readonly scripts: readonly ReportScript[];
  /** Rules of advice of whoever wrote it. */
  readonly rules: readonly AdviceRuleInfo[];
}

/** Texts by name, which stay when the page goes. */
export type Store = Pick<Storage, 'getItem' | 'setItem'>;

/** Where the view state is kept, as text. */
export interface Address {
  read(): string;
  write(text: string, step: Step): void;
  /** Called when someone else has changed it. */
  follow(changed: () => void): void;
}

/** An editor around a page that has its own engine: it has the sources, and the page the values. */
export interface SourceEditor {
  /** Shows a source line. */
  show(place: SourcePlace, takeFocus: boolean): void;
  /** Called with path and length of a file that the editor shows, for what was measured on its lines. */
  onLines(answer: (path: string, lineCount: number) => Promise<MeasuredLines | undefined>): void;
  /** What was answered may be something else now. */
  changed(): void;
}

/** What an editor decides for its pages. */
export interface EditorHost {
  /** Called with the name of a function that the editor wants to be seen, and which it is. */
  onReveal(listener: (name: string, of: FunctionRef) => void): void;
  /** Called with the name or formula of the metric that the editor tells of. */
  onMetric(listener: (name: string) => void): void;
  /** Tells the editor that another metric was chosen here. */
  chooseMetric(name: string): void;
  /** Called with what the editor compares, or the one document that it does not. */
  onCompare(listener: (sides: ComparedDocuments) => void): void;
  /** Tells the editor that something else is compared here, or one document is not any more. */
  chooseCompared(sides: ComparedDocuments): void;
  /** Called with the document that the editor shows here, at each connection. */
  onDocument(listener: (document: number) => void): void;
  /** Called when the engine has been started again. */
  onRestart(listener: () => void): void;
}
