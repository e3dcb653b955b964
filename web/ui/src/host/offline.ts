import { isInVsCode } from './webview.ts';

/** Has the browser keep the page, so that it opens without a network; pages of files are kept anyway. */
export function keepOffline(page: Window): void {
  const { navigator, location } = page;
  if (!location.protocol.startsWith('http') || !('serviceWorker' in navigator)) return;
  // A panel of an editor is not installed.
  if (isInVsCode(page.document.body)) return;
  // The page works without, too.
  navigator.serviceWorker.register('./sw.js').catch(() => {});
}
