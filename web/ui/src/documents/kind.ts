import type { DocumentInfo, WarningInfo } from '@hotframe/engine';
import type { FunctionComponent } from 'preact';
import type { App } from '../state/app.ts';
import type { Handlers } from '../state/commands.ts';
import type { MenuItem } from '../state/commands.ts';
import type { KeyScope } from '../state/key-bindings.ts';

/** The page of one kind of documents; what it shows is loaded by the kind's state. */
export interface DocumentPage {
  /** In the header: what is shown. */
  readonly Controls: FunctionComponent;
  /** Below the header: where one is, and how things are drawn. */
  readonly Bar: FunctionComponent;
  readonly Main: FunctionComponent;
  readonly Status: FunctionComponent;
  /** Where the page asks for something in a dialog of its own. */
  readonly Dialogs: FunctionComponent;
  /** What can be done with the mouse, and how. */
  readonly mouse: readonly (readonly [string, string])[];
  /** Keys besides those of all pages, by where they are pressed. */
  readonly keys: readonly KeyScope[];
  /** What keys and menus do. */
  commands(app: App): Handlers;
  exports(app: App): readonly MenuItem[];
  /** What can be done with the shown document and each of the others. */
  together(app: App, others: readonly DocumentInfo[]): readonly MenuItem[];
  /** What was repaired or left out when the document was read. */
  warnings(app: App): readonly WarningInfo[];
}
