import { defineConfig } from 'vite';
import { packed } from './vite.packed.ts';
import { packages } from './vite.packages.ts';

export default defineConfig({
  base: '/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The polyfill is an inline script, which the page's Content-Security-Policy forbids.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
  plugins: [packages('served'), packed()],
});
