import { defineConfig } from 'vite';
import { oneFile } from './vite.one-file.ts';
import { pack } from './vite.packed.ts';
import { packages } from './vite.packages.ts';

/** The page of a notebook's cell: one file with scripts and styles inside, beside the page that is served. */
export default defineConfig({
  base: './',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: 'dist',
    emptyOutDir: false,
    target: 'es2022',
    modulePreload: false,
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    cssCodeSplit: false,
    rollupOptions: { input: 'notebook.html', output: { codeSplitting: false } },
  },
  plugins: [
    packages('notebook'),
    oneFile({
      page: 'notebook.html',
      file: 'notebook.html',
      body: (code) => `<script type="module">${code}</script>`,
      written: () => void pack('dist/notebook.html'),
    }),
  ],
});
