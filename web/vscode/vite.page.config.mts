import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { packages } from '../ui/vite.packages.ts';

/** The page that panels show: a script and a style sheet, which the extension names, and what they load. */
export default defineConfig({
  // A panel does not serve its parts from a root.
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [packages('panel')],
  build: {
    outDir: 'dist/page',
    target: 'es2022',
    modulePreload: false,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    rolldownOptions: {
      input: fileURLToPath(new URL('../ui/src/main.webview.ts', import.meta.url)),
      output: {
        format: 'es',
        entryFileNames: 'page.js',
        assetFileNames: 'page[extname]',
        chunkFileNames: 'part-[name].js',
      },
    },
  },
});
