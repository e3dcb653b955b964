import { defineConfig } from 'vite';

/** The extension for browsers: one CommonJS file for a worker of the editor. */
export default defineConfig({
  build: {
    lib: { entry: 'src/web/extension.ts', formats: ['cjs'], fileName: () => 'web.cjs' },
    outDir: 'dist',
    emptyOutDir: false,
    target: 'es2022',
    minify: true,
    rolldownOptions: { external: ['vscode'], output: { codeSplitting: false } },
  },
});
