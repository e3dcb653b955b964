import { defineConfig } from 'vite';
import { packages } from '../ui/vite.packages.ts';

/** The extension itself: one CommonJS file for VS Code's own Node. */
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
      output: { format: 'cjs', entryFileNames: 'extension.cjs', codeSplitting: false },
    },
  },
});
