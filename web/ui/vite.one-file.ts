import type { Plugin } from 'vite';

/** What a page is made of. */
export interface Inside {
  readonly code: string;
  readonly css: string;
}

/** How a page becomes one file. */
export interface OneFile {
  /** The page that is built, and what the file is called. */
  readonly page: string;
  readonly file: string;
  /** What stands in the head before anything that may be loaded. */
  head?(inside: Inside): string;
  /** What stands at the end of the body: the script among it. */
  body(code: string): string;
  /** What is done when the page is written. */
  written?(html: string): void;
}

/** Puts script and styles of a page into it. */
export function oneFile({ page, file, head, body, written }: OneFile): Plugin {
  let html = '';
  return {
    name: 'one-file',
    enforce: 'post',
    closeBundle() {
      // A build that failed is closed, too.
      if (html !== '') written?.(html);
    },
    generateBundle(_, bundle) {
      const outputs = Object.values(bundle);
      const source = outputs.find(({ fileName }) => fileName === page);
      const script = outputs.find((output) => output.type === 'chunk');
      const style = outputs.find(({ fileName }) => fileName.endsWith('.css'));
      if (
        source?.type !== 'asset' ||
        script?.type !== 'chunk' ||
        style?.type !== 'asset' ||
        outputs.length > 3
      ) {
        this.error(`a page, a script and styles were expected: ${Object.keys(bundle).join(', ')}`);
      }
      // What ends an element ends it in a string, too.
      const code = script.code
        .replaceAll('</script', '<\\/script')
        .replaceAll('<!--', '<\\!--')
        // Nothing is to be loaded before what is inside already.
        .replaceAll('__VITE_PRELOAD__', 'undefined');
      const css = String(style.source);
      const meta = '<meta charset="utf-8" />';
      html = source.source
        .toString()
        .replace(/\s*<script type="module"[^>]*><\/script>/, '')
        .replace(/\s*<link rel="stylesheet"[^>]*>/, '')
        .replace(meta, () => (head === undefined ? meta : `${meta}\n    ${head({ code, css })}`))
        .replace('</head>', () => `<style>${css}</style>\n  </head>`)
        .replace('</body>', () => `${body(code)}\n</body>`);
      for (const { fileName } of outputs) delete bundle[fileName];
      this.emitFile({ type: 'asset', fileName: file, source: html });
    },
  };
}
