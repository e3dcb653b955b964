import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const LISTS = path.join(ROOT, 'web/dist/packages');

/** Lists the npm packages that a bundle has inside; `cargo xtask notices` tells their licences. */
export function packages(bundle: string): Plugin {
  return {
    name: 'packages',
    generateBundle(_, outputs) {
      const found = new Set<string>();
      for (const output of Object.values(outputs)) {
        if (output.type !== 'chunk') continue;
        for (const [id, { renderedLength }] of Object.entries(output.modules)) {
          const folder = renderedLength > 0 ? packageOf(id) : undefined;
          if (folder !== undefined) found.add(folder);
        }
      }
      mkdirSync(LISTS, { recursive: true });
      writeFileSync(path.join(LISTS, `${bundle}.json`), JSON.stringify([...found].sort()));
    },
  };
}

/** The folder of a module's package below the root; none for our own. What has no file is a tool's. */
function packageOf(id: string): string | undefined {
  const tool = /^\0(vite|rolldown)\//.exec(id)?.[1];
  if (tool !== undefined) return `node_modules/${tool}`;
  const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0];
  if (folder === undefined || !existsSync(path.join(folder, 'package.json'))) return undefined;
  return path.relative(ROOT, folder).replaceAll(path.sep, '/');
}
