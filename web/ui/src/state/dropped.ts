/** More files are not a set of profiles but somebody's disk. */
const MOST_FILES = 500;

/** A file of a drop or of a chosen folder. */
export interface Dropped {
  /** With the folders that came with it: `project/p.py`. */
  readonly path: string;
  readonly file: File;
}

/** The files of a drop, those of folders among them, with where each stands; in the order of their names. */
export async function droppedTree(transfer: DataTransfer): Promise<readonly Dropped[]> {
  // Entries are there only until the event ends.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (!entries.some(({ isDirectory }) => isDirectory)) {
    return [...transfer.files].map((file) => ({ path: file.name, file }));
  }
  const files: Dropped[] = [];
  const open = [...entries];
  for (let entry = open.shift(); entry !== undefined; entry = open.shift()) {
    if (entry.name.startsWith('.')) continue;
    if (entry.isFile) {
      const path = entry.fullPath.replace(/^\//, '');
      files.push({ path, file: await fileOf(entry as FileSystemFileEntry) });
    } else {
      open.push(...(await entriesOf(entry as FileSystemDirectoryEntry)));
    }
    if (files.length > MOST_FILES) {
      throw new Error(`The folder has more than ${MOST_FILES} files: drop those that matter.`);
    }
  }
  return files.toSorted((a, b) =>
    a.file.name.localeCompare(b.file.name, undefined, { numeric: true }),
  );
}

/** Files that were dropped or chosen as one folder; those by themselves have no name together. */
export interface DroppedFolder {
  readonly name: string | undefined;
  /** With their paths below the folder. */
  readonly files: readonly Dropped[];
}

/** The folders of a drop, and the files beside them. */
export function foldersOf(dropped: readonly Dropped[]): readonly DroppedFolder[] {
  const folders = new Map<string | undefined, Dropped[]>();
  for (const { path, file } of dropped) {
    const slash = path.indexOf('/');
    const name = slash < 0 ? undefined : path.slice(0, slash);
    const files = folders.get(name) ?? [];
    files.push({ path: path.slice(slash + 1), file });
    folders.set(name, files);
  }
  return [...folders].map(([name, files]) => ({ name, files }));
}

/** The files of a folder that was chosen. */
export function chosenTree(files: Iterable<File>): readonly Dropped[] {
  return [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** All entries of a folder, which come in parts. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<readonly FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (part.length === 0) return all;
    all.push(...part);
  }
}
