import { defineConfig } from 'vite';
import { packages } from '../ui/vite.packages.ts';

/** The extension for browsers: one CommonJS file for a worker of the editor. */
export default defineConfig({
  plugins: [packages('web-extension')],
  build: {
    lib: { entry: 'src/web/extension.ts', formats: ['cjs'], fileName: () => 'web.cjs' },
    outDir: 'dist',
    emptyOutDir: false,
    target: 'es2022',
    minify: true,
    rolldownOptions: { external: ['vscode'], output: { codeSplitting: false } },
  },
});
