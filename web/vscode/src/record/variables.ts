import path from 'node:path';

/** What variables of VS Code stand for. */
export interface Place {
  /** Folders of the workspace by their names, the one of the configuration first. */
  readonly folders: readonly { readonly name: string; readonly path: string }[];
  /** The file in the editor. */
  readonly file?: string;
  /** The cursor's line, from 1. */
  readonly line?: number;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The value of a setting. */
  setting(name: string): unknown;
}

/** A text with the values of its variables; those that have none here are told by name. */
export function resolved(text: string, place: Place): string {
  const unknown: string[] = [];
  const result = text.replace(/\$\{([^}]*)\}/g, (variable, name: string) => {
    const value = valueOf(name, place);
    if (value === undefined) unknown.push(variable);
    return value ?? '';
  });
  if (unknown.length > 0) {
    throw new Error(
      `${unknown.join(', ')} has no value here: write what it stands for, ` +
        'or open the file that it is about.',
    );
  }
  return result;
}

function valueOf(name: string, place: Place): string | undefined {
  const colon = name.indexOf(':');
  const [kind, of] = colon < 0 ? [name, ''] : [name.slice(0, colon), name.slice(colon + 1)];
  const [folder] = place.folders;
  if (colon >= 0) {
    switch (kind) {
      case 'env':
        // A variable that is not set is empty, as in VS Code.
        return place.environment[of] ?? '';
      case 'config': {
        const value = place.setting(of);
        return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
      }
      case 'workspaceFolder':
        return place.folders.find((one) => one.name === of)?.path;
      default:
        return undefined;
    }
  }
  switch (name) {
    case 'workspaceFolder':
    case 'workspaceRoot':
    case 'cwd':
      return folder?.path;
    case 'workspaceFolderBasename':
      return folder && path.basename(folder.path);
    case 'userHome':
      return place.home;
    case 'pathSeparator':
    case '/':
      return path.sep;
    case 'lineNumber':
      return place.line === undefined ? undefined : String(place.line);
    default:
      return place.file === undefined ? undefined : ofFile(name, place.file, place);
  }
}

function ofFile(name: string, file: string, { folders }: Place): string | undefined {
  const inside = folders.find((folder) => file.startsWith(folder.path + path.sep))?.path;
  const relative = inside === undefined ? file : path.relative(inside, file);
  switch (name) {
    case 'file':
      return file;
    case 'fileWorkspaceFolder':
      return inside;
    case 'relativeFile':
      return relative;
    case 'relativeFileDirname':
      return path.dirname(relative);
    case 'fileBasename':
      return path.basename(file);
    case 'fileBasenameNoExtension':
      return path.basename(file, path.extname(file));
    case 'fileExtname':
      return path.extname(file);
    case 'fileDirname':
      return path.dirname(file);
    case 'fileDirnameBasename':
      return path.basename(path.dirname(file));
    default:
      return undefined;
  }
}
