import { defineConfig, type Plugin } from 'vite';

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
  plugins: [oneFile()],
});

function oneFile(): Plugin {
  return {
    name: 'one-file',
    enforce: 'post',
    generateBundle(_, bundle) {
      const outputs = Object.values(bundle);
      const html = outputs.find(({ fileName }) => fileName === 'notebook.html');
      const script = outputs.find((output) => output.type === 'chunk');
      const style = outputs.find(({ fileName }) => fileName.endsWith('.css'));
      if (
        html?.type !== 'asset' ||
        script?.type !== 'chunk' ||
        style?.type !== 'asset' ||
        outputs.length > 3
      ) {
        this.error(`a page, a script and styles were expected: ${Object.keys(bundle).join(', ')}`);
      }
      // What ends an element ends it in a string, too.
      const code = script.code.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
      const body = html.source
        .toString()
        .replace(/\s*<script type="module"[^>]*><\/script>/, '')
        .replace(/\s*<link rel="stylesheet"[^>]*>/, '')
        .replace('</head>', () => `<style>${String(style.source)}</style>\n  </head>`)
        .replace('</body>', () => `<script type="module">${code}</script>\n</body>`);
      for (const { fileName } of outputs) delete bundle[fileName];
      this.emitFile({ type: 'asset', fileName: 'notebook.html', source: body });
    },
  };
}
