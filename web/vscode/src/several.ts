import type { EditorMetric } from '@hotframe/engine';
import * as vscode from 'vscode';

/** What stands between the paths of files that are one profile; no path has it. */
const BETWEEN = '\0';
/** Of addresses of editors that show several files as one profile. */
const SCHEME = 'hotframe-together';

/** The path of the profile that files are together. */
export function joined(files: readonly string[]): string {
  return files.join(BETWEEN);
}

/** The files of a profile. */
export function filesOf(path: string): readonly string[] {
  return path.split(BETWEEN);
}

/** `mean of 5 runs`, where values of a metric are; else nothing. */
export function meanOf(metric: EditorMetric | undefined): string {
  return metric !== undefined && metric.runs > 1 ? `mean of ${metric.runs} runs` : '';
}

/** The address of the editor of a profile with this title. */
export function uriOf(path: string, title: string): vscode.Uri {
  const files = filesOf(path);
  if (files.length === 1) return vscode.Uri.file(path);
  const query = JSON.stringify(files);
  return vscode.Uri.from({ scheme: SCHEME, path: `/${title}`, query });
}

/** The path of the profile that an editor with this address shows. */
export function pathOf(uri: vscode.Uri): string {
  if (uri.scheme !== SCHEME) return uri.fsPath;
  const files: unknown = JSON.parse(uri.query);
  if (Array.isArray(files) && files.every((file) => typeof file === 'string')) return joined(files);
  throw new Error(`${uri.toString()} names no files.`);
}
