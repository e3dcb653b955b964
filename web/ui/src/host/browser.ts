import { socketTransport } from '@hotframe/engine';
import type { Address, Host } from '../state/host.ts';

/** A tab of a browser, served by the engine. */
export function browserHost(page: Window): Host {
  const { protocol, host, search } = page.location;
  const token = new URLSearchParams(search).get('token') ?? '';
  const scheme = protocol === 'https:' ? 'wss:' : 'ws:';
  return {
    window: page,
    connect: socketTransport(`${scheme}//${host}/socket?token=${encodeURIComponent(token)}`),
    admitted: async () => (await fetch(`${page.location.pathname}${search}`)).status !== 403,
    address: hashAddress(page),
    store: page.localStorage,
    tab: page.sessionStorage,
    theme: undefined,
    editor: undefined,
    sources: undefined,
    python: async () => (await import('./python.ts')).servedPython(),
    makesReports: true,
    viewer: undefined,
    report: undefined,
    save: (blob, name) => save(page.document, blob, name),
  };
}

/** The page's address: its fragment is the view state. */
export function hashAddress(page: Window): Address {
  return {
    read: () => page.location.hash.slice(1),
    write(text, step) {
      const { pathname, search } = page.location;
      const address = `${pathname}${search}${text === '' ? '' : `#${text}`}`;
      if (step === 'push') page.history.pushState(undefined, '', address);
      else page.history.replaceState(undefined, '', address);
    },
    follow(changed) {
      page.addEventListener('popstate', changed);
      page.addEventListener('hashchange', changed);
    },
  };
}

/** Hands a file to the person, as a download. */
export function save(document: Document, blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser reads the address after this turn.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
