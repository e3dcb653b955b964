import { defineConfig } from 'vite';
import { packages } from '../ui/vite.packages.ts';

/**
 * The extension itself: CommonJS files for VS Code's own Node. `extension.cjs` runs in every window; it loads
 * `main.cjs` when something is wanted of it.
 */
export default defineConfig({
  ssr: { noExternal: true },
  plugins: [packages('extension')],
  build: {
    ssr: 'src/extension.ts',
    outDir: 'dist',
    emptyOutDir: true,
    target: 'node22',
    minify: true,
    rolldownOptions: {
      // VS Code gives this one.
      external: ['vscode'],
      output: { format: 'cjs', entryFileNames: 'extension.cjs', chunkFileNames: '[name].cjs' },
    },
  },
});
