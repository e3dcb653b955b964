import { type ToPage, type WebviewApi, webviewTransport } from '@hotframe/engine';
import { type ReadonlySignal, signal } from '@preact/signals';
import type { ThemeName } from '../state/theme.ts';
import type { Host, Store } from '../state/host.ts';

/** A panel of VS Code; the extension relays frames and keeps the state over reloads. */
export function webviewHost(page: Window, api: WebviewApi): Host {
  const theme = followTheme(page.document.body);
  const listen: Listen = (kind, listener) => {
    page.addEventListener('message', (event: MessageEvent<ToPage>) => {
      if (event.data.kind === kind) listener(event.data as never);
    });
  };
  // What a panel stores elsewhere goes with it.
  const store: Store = {
    getItem: (name) => api.getState()?.kept?.[name] ?? null,
    setItem(name, text) {
      const { view = '', kept = {} } = api.getState() ?? {};
      api.setState({ view, kept: { ...kept, [name]: text } });
    },
  };
  return {
    window: page,
    connect: webviewTransport(page, api),
    // The extension speaks for the page.
    admitted: () => Promise.resolve(true),
    address: {
      read: () => api.getState()?.view ?? '',
      write: (view) => api.setState({ ...api.getState(), view }),
      // Nobody else writes it.
      follow() {},
    },
    store,
    tab: store,
    theme,
    editor: {
      onReveal: (listener) => listen('reveal', ({ name, function: of }) => listener(name, of)),
      onMetric: (listener) => listen('metric', ({ name }) => listener(name)),
      chooseMetric: (name) => api.postMessage({ kind: 'metric', name }),
      onCompare: (listener) => listen('compare', ({ base, now }) => listener({ base, now })),
      chooseCompared: ({ base, now }) => api.postMessage({ kind: 'compare', base, now }),
      onDocument: (listener) => listen('opened', ({ document }) => listener(document)),
      onRestart: (listener) => listen('restarted', () => listener()),
    },
    // The engine leads the editor to sources, and tells of their lines itself.
    sources: undefined,
    python: async () => (await import('./python.ts')).relayedPython(api, listen),
    makesReports: true,
    viewer: undefined,
    report: undefined,
    save(blob, name) {
      void blob.arrayBuffer().then((bytes) => api.postMessage({ kind: 'save', name, bytes }));
    },
  };
}

/** Hears messages of a kind. */
export type Listen = <K extends ToPage['kind']>(
  kind: K,
  listener: (message: Extract<ToPage, { kind: K }>) => void,
) => void;

/** Whether VS Code is around the page. */
export function isInVsCode(body: HTMLElement): boolean {
  return [...body.classList].some((name) => name.startsWith('vscode-'));
}

/** The theme of VS Code, as it changes. */
export function followTheme(body: HTMLElement): ReadonlySignal<ThemeName> {
  const theme = signal(themeOf(body));
  new MutationObserver(() => {
    theme.value = themeOf(body);
  }).observe(body, { attributes: true, attributeFilter: ['class'] });
  return theme;
}

/** VS Code names the kind of its theme in the classes of the body. */
function themeOf(body: HTMLElement): ThemeName {
  if (body.classList.contains('vscode-high-contrast-light')) return 'contrast-light';
  if (body.classList.contains('vscode-high-contrast')) return 'contrast';
  return body.classList.contains('vscode-dark') ? 'dark' : 'light';
}
