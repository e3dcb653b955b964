import {
  type Answer,
  type ColumnSet,
  decodeFrame,
  encodeFrame,
  EngineError,
  type Method,
  type Params,
  type Transport,
  type TransportEvents,
} from '@hotframe/engine';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { vi } from 'vitest';
import { shownKeys } from '../../documents/pages.ts';
import { VIEWS } from '../../documents/profile/views.ts';
import { type App, createApp } from '../../state/app.ts';
import { createDispatcher } from '../../state/commands.ts';
import type { Address, Host, Store } from '../../state/host.ts';
import { ServicesProvider } from '../../state/services.ts';
import { loadAllParts } from '../../widgets/lazy.tsx';
import { Shell } from '../Shell.tsx';

/** What an engine answers, by method; what is not in it is refused. */
export type Answers = {
  readonly [M in Method]?: (params: Params<M>) => Partial<Answer<M>> | Promise<Partial<Answer<M>>>;
};

/** What was asked of an engine. */
interface Asked {
  readonly method: Method;
  readonly params: unknown;
}

/** A page in a document that has no layout, on an engine that answers from a table. */
export interface FakePage {
  readonly app: App;
  readonly root: HTMLElement;
  readonly asked: readonly Asked[];
  readonly saved: readonly { readonly name: string; readonly text: Promise<string> }[];
  /** What was copied. */
  readonly copied: readonly string[];
  /** The state in the address. */
  hash(): URLSearchParams;
  /** One step back or forward in the history. */
  go(by: -1 | 1): Promise<void>;
  /** What was asked last of a method. */
  last<M extends Method>(method: M): Params<M> | undefined;
  all(selector: string): HTMLElement[];
  texts(selector: string): string[];
  /** The element of a role whose name is or matches that. */
  find(role: string, name: string | RegExp): HTMLElement;
  count(role: string, name: string | RegExp): number;
  click(element: HTMLElement, press?: 'Shift' | 'right'): Promise<void>;
  /** Points at a place of a picture, in pixels from its corner. */
  pointAt(picture: HTMLElement, x: number, y: number): Promise<void>;
  /** Clicks at a place of a picture. */
  clickAt(picture: HTMLElement, x: number, y: number, press?: 'right'): Promise<void>;
  /** Drags over a picture from one place to another. */
  dragOver(
    picture: HTMLElement,
    from: { readonly x: number; readonly y: number },
    to: { readonly x: number; readonly y: number },
  ): Promise<void>;
  /** Clicks the button of a menu, then an entry of it. */
  choose(button: string | RegExp, entry: string | RegExp): Promise<void>;
  /** Chooses a setting of the Display menu. */
  display(setting: string | RegExp, entry: string | RegExp): Promise<void>;
  /** Presses keys where the focus is, one after the other: `f`, `Shift+ArrowDown`. */
  press(...chords: readonly string[]): Promise<void>;
  type(field: HTMLElement, text: string): Promise<void>;
  /** Types into a search field, and does not wait until typing pauses. */
  seek(field: string, text: string): Promise<void>;
  /** The page of its address, loaded anew in a browser that remembers the same. */
  reload(): Promise<FakePage>;
  /** Lets all answers come. */
  settle(): Promise<void>;
  /** Waits for what comes after a pause. */
  until(holds: () => boolean): Promise<void>;
  close(): void;
}

export interface FakePageOptions {
  readonly hash?: string;
  /** What the page remembers, which the next page finds again. */
  readonly store?: Store;
  readonly host?: Partial<Host>;
  /** Is told of each connection, which it may close. */
  readonly onConnect?: (events: TransportEvents) => void;
  /** What people ask their system for, as parts of the queries that ask for it. */
  readonly prefers?: readonly string[];
}

/** Generous, because a loaded machine is slow; nothing here measures time. */
const PATIENCE_MS = 20_000;

const open = new Set<FakePage>();

/** All that is drawn is so large: there is no layout that could tell. */
const ROOM = { width: 1000, height: 600 };

/** Says of each element that it has room. */
class RoomObserver implements ResizeObserver {
  readonly #told: ResizeObserverCallback;

  constructor(told: ResizeObserverCallback) {
    this.#told = told;
  }

  observe(target: Element): void {
    const contentRect = { x: 0, y: 0, ...ROOM } as DOMRectReadOnly;
    queueMicrotask(() => this.#told([{ target, contentRect } as ResizeObserverEntry], this));
  }

  unobserve(): void {}

  disconnect(): void {}
}

function makeRoom(prefers: readonly string[]): void {
  globalThis.ResizeObserver = RoomObserver;
  // Motions would take their time.
  const asked = ['prefers-reduced-motion', ...prefers];
  globalThis.matchMedia = (query) =>
    ({
      matches: asked.some((one) => query.includes(one)),
      addEventListener() {},
    }) as unknown as MediaQueryList;
  HTMLElement.prototype.setPointerCapture = () => {};
  for (const [name, size] of [
    ['clientWidth', ROOM.width],
    ['clientHeight', ROOM.height],
  ] as const) {
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => size });
  }
}

/** Opens a page and waits until all that it asked for is there. */
export async function openPage(answers: Answers, options: FakePageOptions = {}): Promise<FakePage> {
  const { hash = '', store = memoryStore(), host = {}, prefers = [], onConnect } = options;
  makeRoom(prefers);
  await loadAllParts();
  const root = document.createElement('div');
  document.body.append(root);
  const asked: Asked[] = [];
  const saved: { name: string; text: Promise<string> }[] = [];
  const copied: string[] = [];
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: { writeText: async (text: string) => void copied.push(text) },
  });
  const address = memoryAddress(hash);
  let waiting = 0;
  /** What went wrong in the answers themselves. */
  const broken: unknown[] = [];
  const connect = (events: TransportEvents): Transport => {
    onConnect?.(events);
    queueMicrotask(() => events.opened());
    return {
      send(bytes) {
        const { header } = decodeFrame(bytes.buffer);
        if (header.kind !== 'request') return;
        const { id, request } = header;
        const { method, params } = request;
        asked.push({ method, params });
        waiting += 1;
        answer(answers, method, params)
          .then(
            ({ result, columns }) =>
              encodeFrame({ kind: 'response', id, result }, columns as ColumnSet),
            (reason: unknown) => encodeFrame({ kind: 'error', id, error: errorOf(reason) }),
          )
          .then(
            (frame) => {
              waiting -= 1;
              events.message(frame.buffer);
            },
            (reason: unknown) => {
              waiting -= 1;
              broken.push(reason);
            },
          );
      },
      close() {},
    };
  };
  const app = createApp(
    {
      window,
      connect,
      admitted: () => Promise.resolve(true),
      address,
      store,
      tab: memoryStore(),
      theme: undefined,
      editor: undefined,
      sources: undefined,
      python: undefined,
      makesReports: false,
      viewer: undefined,
      report: undefined,
      save: (blob, name) => void saved.push({ name, text: blob.text() }),
      ...host,
    },
    VIEWS,
  );
  const commands = createDispatcher(window, () => shownKeys(app));

  async function settle(): Promise<void> {
    // What an answer leads to may ask for more.
    for (let quiet = 0; quiet < 3; quiet++) {
      await act(() => new Promise((done) => setTimeout(done)));
      if (waiting > 0) quiet = 0;
    }
    if (broken.length > 0) throw broken[0];
  }

  const all = (selector: string) => [...root.querySelectorAll<HTMLElement>(selector)];
  const named = (role: string, name: string | RegExp) =>
    all([SELECTORS[role], `[role=${role}]`].filter(Boolean).join()).filter(
      (element) => roleOf(element) === role && isNamed(nameOf(element), name),
    );
  const page: FakePage = {
    app,
    root,
    asked,
    saved,
    copied,
    hash: () => new URLSearchParams(address.read()),
    async go(by) {
      address.go(by);
      await settle();
    },
    last: <M extends Method>(method: M) =>
      asked.findLast((one) => one.method === method)?.params as Params<M> | undefined,
    all,
    texts: (selector) => all(selector).map((element) => textOf(element)),
    find(role, name) {
      const [found, another] = named(role, name);
      if (found === undefined) throw new Error(`no ${role} ${name} in ${textOf(root)}`);
      if (another !== undefined) throw new Error(`several ${role} ${name}`);
      return found;
    },
    count: (role, name) => named(role, name).length,
    async click(element, press) {
      const init = { bubbles: true, cancelable: true, shiftKey: press === 'Shift' };
      await act(() => {
        if (press === 'right') {
          element.dispatchEvent(new MouseEvent('contextmenu', { ...init, button: 2 }));
          return;
        }
        element.dispatchEvent(new MouseEvent('mousedown', { ...init, button: 0 }));
        element.click();
      });
      await settle();
    },
    async pointAt(picture, x, y) {
      await act(() => pointer(picture, 'pointermove', x, y));
      await settle();
    },
    async clickAt(picture, x, y, press) {
      await act(() => {
        if (press === 'right') pointer(picture, 'contextmenu', x, y);
        else for (const kind of ['pointerdown', 'pointerup']) pointer(picture, kind, x, y);
      });
      await settle();
    },
    async dragOver(picture, from, to) {
      await act(() => {
        pointer(picture, 'pointerdown', from.x, from.y);
        for (const at of [from, to]) pointer(picture, 'pointermove', at.x, at.y);
        pointer(picture, 'pointerup', to.x, to.y);
      });
      await settle();
    },
    async choose(button, entry) {
      await page.click(page.find('button', button));
      const entries = ['menuitem', 'menuitemradio'].flatMap((role) => named(role, entry));
      if (entries[0] === undefined) throw new Error(`no entry ${entry} of ${button}`);
      await page.click(entries[0]);
    },
    async display(setting, entry) {
      if (page.count('group', /^Display/) === 0) {
        await page.click(page.find('button', /^Display/));
      }
      await page.choose(setting, entry);
    },
    async press(...chords) {
      for (const chord of chords) {
        const key = chord.split(/\+(?=.)/).at(-1)!;
        const shiftKey = chord.startsWith('Shift+') || /^[A-Z]$/.test(key);
        const init = { key, shiftKey, ctrlKey: chord.startsWith('Ctrl+') };
        await act(() => {
          const target = document.activeElement ?? document.body;
          target.dispatchEvent(
            new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true }),
          );
        });
        await settle();
      }
    },
    async type(field, text) {
      await act(() => {
        field.focus();
        (field as HTMLInputElement).value = text;
        field.dispatchEvent(new Event('input', { bubbles: true }));
        field.dispatchEvent(new Event('change', { bubbles: true }));
      });
      await settle();
    },
    async seek(field, text) {
      await page.type(page.find('searchbox', field), text);
      await page.press('Enter');
    },
    reload() {
      page.close();
      return openPage(answers, { ...options, hash: address.read(), store });
    },
    settle,
    async until(holds) {
      const wait = { timeout: PATIENCE_MS, interval: 10 };
      await vi.waitFor(async () => {
        await settle();
        if (!holds()) throw new Error('it does not hold');
      }, wait);
    },
    close() {
      render(null, root);
      root.remove();
      open.delete(page);
    },
  };
  open.add(page);
  await act(() => {
    render(
      <ServicesProvider value={{ app, commands }}>
        <Shell />
      </ServicesProvider>,
      root,
    );
  });
  await settle();
  return page;
}

/** Closes all pages, after each test. */
export function closePages(): void {
  for (const page of open) page.close();
}

/** Texts by name, as a browser keeps them. */
export function memoryStore(): Store {
  const texts = new Map<string, string>();
  return {
    getItem: (name) => texts.get(name) ?? null,
    setItem: (name, text) => void texts.set(name, text),
  };
}

/** An address with a history of its own. */
export function memoryAddress(hash: string): Address & { go(by: -1 | 1): void } {
  const entries = [hash.replace(/^#/, '')];
  let at = 0;
  const listeners: (() => void)[] = [];
  return {
    read: () => entries[at] ?? '',
    write(text, step) {
      if (step === 'push') entries.splice(++at, entries.length, text);
      else entries[at] = text;
    },
    follow: (changed) => void listeners.push(changed),
    go(by) {
      at = Math.min(Math.max(0, at + by), entries.length - 1);
      for (const changed of listeners) changed();
    },
  };
}

async function answer(
  answers: Answers,
  method: Method,
  params: unknown,
): Promise<{ result: unknown; columns: unknown }> {
  const known = answers[method] as ((params: unknown) => Partial<Answer<Method>>) | undefined;
  if (known === undefined) {
    throw new EngineError({ code: 'bad_request', message: `no ${method}`, hint: '' });
  }
  const { result = {}, columns = {} } = await known(params);
  return { result, columns };
}

function errorOf(reason: unknown) {
  if (!(reason instanceof EngineError)) throw reason;
  const { code, message, hint } = reason;
  if (code === 'disconnected' || code === 'stopped') throw reason;
  return { code, message, hint };
}

/** Pictures begin at the corner of the window, where there is no layout. */
function pointer(picture: HTMLElement, kind: string, x: number, y: number): void {
  const init = { bubbles: true, cancelable: true, button: 0, pointerId: 1, isPrimary: true };
  picture.dispatchEvent(
    new PointerEvent(kind, { ...init, pointerType: 'mouse', clientX: x, clientY: y }),
  );
}

/** Elements that have a role without being told. */
const SELECTORS: Readonly<Record<string, string>> = {
  button: 'button',
  searchbox: 'input[type=search]',
  textbox: 'input:not([type]), input[type=text], textarea',
  combobox: 'select:not([size])',
  listbox: 'select[size]',
  heading: 'h1, h2, h3',
  dialog: 'dialog',
  listitem: 'li',
  region: 'section[aria-label]',
};

function roleOf(element: HTMLElement): string {
  const told = element.getAttribute('role');
  if (told !== null) return told;
  return Object.entries(SELECTORS).find(([, selector]) => element.matches(selector))?.[0] ?? '';
}

function nameOf(element: HTMLElement): string {
  return element.getAttribute('aria-label') ?? textOf(element);
}

function textOf(element: HTMLElement): string {
  return element.textContent.replaceAll(/\s+/g, ' ').trim();
}

function isNamed(name: string, wanted: string | RegExp): boolean {
  return typeof wanted === 'string' ? name === wanted : wanted.test(name);
}
