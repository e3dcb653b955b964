import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';

/** Whether the code shows what it costs, by lenses, hints, hovers, problems and heat. */
export function marksAreOn(): boolean {
  return vscode.workspace.getConfiguration('hotframe').get('marks', true);
}

/**
 * Has the editor show nothing while marks are off. The engine stays as it is: it is told of new
 * settings and has the editor ask again, so that marks come and go at once.
 */
export const MARKS: Middleware = {
  provideCodeLenses: (document, token, next) => (marksAreOn() ? next(document, token) : []),
  provideInlayHints: (document, range, token, next) =>
    marksAreOn() ? next(document, range, token) : [],
  provideHover: (document, position, token, next) =>
    marksAreOn() ? next(document, position, token) : undefined,
};
