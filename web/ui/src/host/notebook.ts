import { type FromPage, type PanelState, webviewTransport } from '@hotframe/engine';
import type { Host, Store } from '../state/host.ts';
import { save } from './browser.ts';

/** A frame below a notebook's cell, whose widget relays frames to the kernel. It forgets with the cell. */
export function notebookHost(page: Window): Host {
  let state: PanelState = { view: page.document.documentElement.dataset.view ?? '' };
  const kept = new Map<string, string>();
  const store: Store = {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, text) => void kept.set(name, text),
  };
  const { theme } = page.document.documentElement.dataset;
  if (theme !== undefined) kept.set('hotframe.theme', theme);
  const api = {
    // The widget is of the notebook's origin, which this frame does not know.
    postMessage: (message: FromPage) => page.parent.postMessage(message, '*'),
    getState: () => state,
    setState: (now: PanelState) => {
      state = now;
    },
  };
  return {
    window: page,
    connect: webviewTransport(page, api),
    // The kernel speaks for the page.
    admitted: () => Promise.resolve(true),
    address: {
      read: () => state.view,
      write: (view) => api.setState({ ...state, view }),
      // Nobody else writes it.
      follow() {},
    },
    store,
    tab: store,
    theme: undefined,
    editor: undefined,
    sources: undefined,
    // Its cells are where one writes.
    python: undefined,
    makesReports: false,
    viewer: undefined,
    report: undefined,
    save: (blob, name) => save(page.document, blob, name),
  };
}
