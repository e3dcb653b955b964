/**
 * The page that needs no server as it was loaded, without what it shows: reports are made of it. Asked for
 * before anything is drawn, since the head is kept as it is then.
 */
export function createViewer(
  document: Document,
): (engines: readonly string[]) => Uint8Array<ArrayBuffer> {
  const head = document.head.innerHTML;
  return (engines) => {
    const [first, ...others] = engines.map((id) => {
      const engine = document.getElementById(id);
      if (engine === null) throw new Error(`the page has no part ${id}: it was not saved whole`);
      return `<script type="text/plain" id="${id}">${engine.textContent}</script>`;
    });
    const script = document.querySelector('body > script[type="module"]');
    if (first === undefined || script === null) throw new Error('the page was not saved whole');
    const parts = [
      '<!doctype html>',
      '<html lang="en">',
      `<head>${head}</head>`,
      '<body>',
      '<div id="app"></div>',
      first,
      `<script async type="module">${script.textContent}</script>`,
      ...others,
      '</body>',
      '</html>',
      '',
    ];
    return new TextEncoder().encode(parts.join('\n'));
  };
}
