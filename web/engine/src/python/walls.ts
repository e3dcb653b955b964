/**
 * What scripts can reach of the worker: what the language itself has, and what Python's runtime and the
 * engine's module cannot do without. Whatever else a browser has or will have is taken away.
 */
const KEPT: ReadonlySet<string> = new Set([
  ...['Object', 'Function', 'Array', 'Number', 'Boolean', 'String', 'Symbol', 'BigInt', 'Math'],
  ...['parseFloat', 'parseInt', 'isFinite', 'isNaN', 'Infinity', 'NaN', 'undefined', 'globalThis'],
  ...['Date', 'Promise', 'RegExp', 'JSON', 'Reflect', 'Proxy', 'Iterator', 'Intl'],
  ...['Error', 'AggregateError', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError'],
  ...['TypeError', 'URIError', 'SuppressedError', 'DisposableStack', 'AsyncDisposableStack'],
  ...['Map', 'Set', 'WeakMap', 'WeakSet', 'WeakRef', 'FinalizationRegistry'],
  ...['ArrayBuffer', 'DataView', 'Atomics', 'SharedArrayBuffer'],
  ...['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array'],
  ...['Uint32Array', 'BigInt64Array', 'BigUint64Array', 'Float16Array', 'Float32Array'],
  ...['Float64Array', 'escape', 'unescape', 'decodeURI', 'decodeURIComponent', 'encodeURI'],
  ...['encodeURIComponent', 'WebAssembly', 'TextDecoder', 'TextEncoder', 'performance', 'console'],
  ...['crypto', 'setTimeout', 'clearTimeout', 'self', 'DOMException', 'AbortController'],
  ...['AbortSignal', 'Event', 'EventTarget'],
]);

/** Most bytes that Python's memory grows to: a tab has 4 GB for all that it does. */
const MOST_BYTES = 2 * 2 ** 30;
const PAGE_BYTES = 2 ** 16;

/** Takes away what scripts must not reach; nothing that was not taken before can be had afterwards. */
export function raiseWalls(worker: object): void {
  noCodeOfTexts(worker);
  for (let at: object | null = worker; at !== null && at !== Object.prototype;) {
    const inherited: object | null = Object.getPrototypeOf(at) as object | null;
    for (const name of Object.getOwnPropertyNames(at)) {
      if (!KEPT.has(name) && name !== 'constructor') takeAway(at, name);
    }
    takeAway(at, 'constructor');
    at = inherited;
  }
  // What the interpreter says of its end is told as such.
  for (const name of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const) {
    console[name] = () => {};
  }
}

/** Bounds the memory of what runs here: growing beyond fails, which Python tells as a MemoryError. */
export function boundMemory(): void {
  const grow = WebAssembly.Memory.prototype.grow;
  WebAssembly.Memory.prototype.grow = function (this: WebAssembly.Memory, pages: number): number {
    if (this.buffer.byteLength + pages * PAGE_BYTES > MOST_BYTES) {
      throw new RangeError('a script may have 2 GB of memory');
    }
    return grow.call(this, pages);
  };
}

/** Functions are not made of texts, whatever way leads to what makes them. */
function noCodeOfTexts(worker: object): void {
  const refuse = () => {
    throw new EvalError('scripts of the page make no JavaScript');
  };
  for (const some of [
    function () {},
    async function () {},
    function* () {},
    async function* () {},
  ]) {
    const made = Object.getPrototypeOf(some) as object;
    Object.defineProperty(made, 'constructor', {
      value: refuse,
      writable: false,
      configurable: false,
    });
  }
  takeAway(worker, 'eval');
  Object.defineProperty(worker, 'Function', { value: refuse, writable: false });
  Object.assign(refuse, { prototype: Object.getPrototypeOf(refuse) as object });
  const later = setTimeout;
  Object.defineProperty(worker, 'setTimeout', {
    value: (run: unknown, ms?: number) => {
      if (typeof run !== 'function') refuse();
      return later(run as () => void, ms);
    },
  });
}

/** Removes a property, or at least what it has. */
function takeAway(from: object, name: string): void {
  const known = Object.getOwnPropertyDescriptor(from, name);
  if (known === undefined) return;
  if (known.configurable === true) {
    Reflect.deleteProperty(from, name);
    // What cannot be had any more is not to be put back by what the browser defines on demand.
    if (Object.hasOwn(from, name)) Object.defineProperty(from, name, { value: undefined });
    return;
  }
  if (known.writable === true) Reflect.set(from, name, undefined);
}
