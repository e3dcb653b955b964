/** Bytes that become letters at once: a multiple of 3, so that pieces of base64 join. */
const PIECE = 3 * 2 ** 13;

/** The page that needs no server with a file inside, as `hotframe export` writes it. */
export async function pageWith(page: string, name: string, bytes: Uint8Array): Promise<string> {
  const packed = new Blob([bytes.slice()]).stream().pipeThrough(new CompressionStream('gzip'));
  const data = base64(new Uint8Array(await new Response(packed).arrayBuffer()));
  const report = {
    view: '',
    numbers: [],
    steps: [
      {
        request: {
          method: 'upload',
          params: { upload: 0, name, offset: 0, last: true, format: null },
        },
        files: [{ part: 'hotframe-data-0', gzip: true }],
      },
    ],
    about: { note: '', contains: [], version: '' },
    scripts: [],
    rules: [],
  };
  // What would end the element, or begin another, is written as JSON may.
  const told = JSON.stringify(report).replaceAll('<', '\\u003c');
  return [
    page
      // Documents stand behind the script, which is to wait for them.
      .replace('<script async type="module">', () => '<script type="module">')
      // Nothing is installed here.
      .replace(/\s*<link rel="manifest"[^>]*>/, ''),
    `<script type="text/plain" id="hotframe-data-0">${data}</script>`,
    `<script type="application/json" id="hotframe-report">${told}</script>`,
  ].join('\n');
}

function base64(bytes: Uint8Array): string {
  const pieces = [];
  for (let at = 0; at < bytes.length; at += PIECE) {
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(at, at + PIECE))));
  }
  return pieces.join('');
}
