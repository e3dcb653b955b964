import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Most bytes, as gzip, of the scripts that load before the first picture. */
const MOST_FIRST = 100e3;

/** Leaves scripts and styles as gzip, which the server sends as they are. The first scripts stay small. */
export function packed(): Plugin {
  return {
    name: 'packed',
    writeBundle({ dir = '.' }, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
      const first = new Set(chunks.filter(({ isEntry }) => isEntry).map((chunk) => chunk.fileName));
      // A set goes on to what is added to it meanwhile.
      for (const name of first) {
        const chunk = chunks.find(({ fileName }) => fileName === name);
        for (const imported of chunk?.imports ?? []) first.add(imported);
      }
      let bytes = 0;
      for (const name of Object.keys(bundle).filter((name) => /\.(js|css)$/.test(name))) {
        const size = pack(path.join(dir, name));
        if (first.has(name)) bytes += size;
      }
      console.log(`first scripts: ${(bytes / 1e3).toFixed(1)} kB as gzip`);
      if (bytes > MOST_FIRST) {
        this.error(
          `the first scripts may have ${MOST_FIRST / 1e3} kB: load parts when they are shown`,
        );
      }
    },
  };
}

/** Puts a file into one that ends in `.gz`, and gives the size of that. */
export function pack(file: string): number {
  const bytes = gzipSync(readFileSync(file), { level: 9 });
  writeFileSync(`${file}.gz`, bytes);
  rmSync(file);
  return bytes.length;
}
