import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { pageFolder } from './harness.ts';

/** What a stage opens: the files, and what is made of them, if that is not to open each. */
interface Opened {
  readonly files: readonly string[];
  readonly together: object | undefined;
}

/** What a command line opens; what it asks of the machine is left out. */
function openedBy(command: readonly string[], files: readonly string[]): Opened {
  const numbers = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => from + at);
  const words = [...command, ...files];
  const named = files.filter((word) => !word.startsWith('--'));
  if (words.includes('--merge')) {
    const documents = numbers(0, named.length);
    return { files: named, together: { method: 'merge', params: { documents } } };
  }
  if (command[0] !== 'diff') return { files, together: undefined };
  const [from, to] = [words.indexOf('--base'), words.indexOf('--new')];
  const base = from < 0 ? files.slice(0, 1) : words.slice(from + 1, to);
  const all = from < 0 ? files : [...base, ...words.slice(to + 1)];
  const params = {
    base: numbers(0, base.length),
    new: numbers(base.length, all.length),
    by_age: false,
    normalise: { kind: 'absolute' },
    noise: 0,
  };
  return { files: all, together: { method: 'compare', params } };
}

/** The page with files behind its end, as a report has them, and the address of all else. */
function composed({ files, together }: Opened): Buffer {
  const page = readFileSync(path.join(pageFolder(), 'index.html'), 'utf8');
  // What stands behind the script must be there before it runs.
  const waiting = page.replace('<script async type="module">', () => '<script type="module">');
  const id = (number: number) => `hotframe-data-${number}`;
  const parts = files.map((file, number) => {
    const text = gzipSync(readFileSync(file)).toString('base64');
    return `<script type="text/plain" id="${id(number)}">${text}</script>\n`;
  });
  const steps: object[] = files.map((file, upload) => ({
    request: {
      method: 'upload',
      params: { upload, name: file, offset: 0, last: true, format: null },
    },
    files: [{ part: id(upload), gzip: true }],
  }));
  if (together !== undefined) steps.push({ request: together });
  const report = JSON.stringify({
    view: '',
    numbers: [],
    steps,
    about: { note: '', contains: [], version: '' },
    scripts: [],
    rules: [],
  }).replaceAll('<', '\\u003c');
  const told = `<script type="application/json" id="hotframe-report">${report}</script>\n`;
  return Buffer.from([waiting, ...parts, told].join(''));
}

/** The address of a stage where the program knows another number for what it opens. */
type Addressed = (hash: string) => string;

/** What was made of several files has the number behind theirs here, and is the first there. */
function addressOf({ files, together }: Opened): Addressed {
  if (together === undefined) return (hash) => hash;
  return (hash) => {
    const rest = hash.slice(1).split('&');
    const others = rest.filter((part) => part !== '' && !part.startsWith('d='));
    return `#${[`d=${files.length}`, ...others].join('&')}`;
  };
}

/** A web server of the page with files inside, as any other. */
export async function serveStatic(
  command: readonly string[],
  files: readonly string[],
): Promise<{ readonly url: string; readonly server: Server; readonly addressed: Addressed }> {
  const opened = openedBy(command, files);
  const page = composed(opened);
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://a');
    if (pathname === '/') response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    // The page is not kept by the browser: each stage has another one.
    else response.writeHead(200, { 'content-type': 'text/javascript' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    server,
    addressed: addressOf(opened),
  };
}
