import type { FromOwnEngine, ToOwnEngine } from '@hotframe/engine';
import type { SourceEditor } from '../state/host.ts';
import { isInVsCode } from './webview.ts';

/** What VS Code gives the pages of its panels. */
interface PanelWindow extends Window {
  readonly acquireVsCodeApi?: () => { postMessage(message: FromOwnEngine): void };
}

/** The editor around a page that needs no server, where it is a panel of VS Code in a browser. */
export function editorAround(page: PanelWindow): SourceEditor | undefined {
  if (page.acquireVsCodeApi === undefined || !isInVsCode(page.document.body)) return undefined;
  const api = page.acquireVsCodeApi();
  return {
    show({ file, line }, takeFocus) {
      api.postMessage({ kind: 'source', file, line, takeFocus });
    },
    onLines(answer) {
      page.addEventListener('message', ({ data }: MessageEvent<ToOwnEngine>) => {
        if (data?.kind !== 'lines') return;
        const { id, path, lineCount } = data;
        void answer(path, lineCount).then((lines) => api.postMessage({ kind: 'lines', id, lines }));
      });
    },
    changed: () => api.postMessage({ kind: 'measured' }),
  };
}
