import { useEffect } from 'preact/hooks';
import { EVERYWHERE, type KeyScope } from './key-bindings.ts';
import type { Command } from './key-commands.ts';
import { commandFor } from './keys.ts';

/** What commands do where they are handled. */
export type Handlers = Partial<Readonly<Record<Command, () => void>>>;

/** An entry of a menu. */
export interface MenuItem {
  readonly label: string;
  readonly title?: string;
  /** Set for choices: whether it is the current one. */
  readonly checked?: boolean;
  readonly key?: string;
  /** Draws a line above it. */
  readonly apart?: boolean;
  run(): void;
}

export interface Dispatcher {
  /** Handlers of a view's element, or of the page where there is no element. */
  register(element: Element | undefined, handlers: () => Handlers): () => unknown;
  /** Runs a command as if its key had been pressed in `element`. */
  run(command: Command, element: Element | null): boolean;
}

/**
 * Looks in the keys of what is shown for what a pressed key means: first in the view that has the focus (an element with
 * `data-scope`), then in the page's main view, then in the page.
 */
export function createDispatcher(page: Window, keys: () => readonly KeyScope[]): Dispatcher {
  const ofElement = new Map<Element, () => Handlers>();
  const ofPage = new Set<() => Handlers>();

  function homeOf(element: Element | null): Element | undefined {
    const view = element?.closest('[data-scope]') ?? page.document.querySelector('[data-scope]');
    return view ?? undefined;
  }

  function run(command: Command, element: Element | null): boolean {
    const home = homeOf(element);
    const ofView = home && ofElement.get(home);
    const sources = [...(ofView === undefined ? [] : [ofView]), ...ofPage];
    const handler = sources.map((handlers) => handlers()[command]).find((run) => run !== undefined);
    handler?.();
    return handler !== undefined;
  }

  page.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || event.altKey) return;
    const element = page.document.activeElement;
    if (page.document.querySelector('dialog[open]') !== null) return;
    const plain = !event.ctrlKey && !event.metaKey && !/^F\d+$/.test(event.key);
    if (isTyping(element) && (plain || event.key === 'c')) return;
    if (element?.closest('.menu') && plain) return;
    // Space and Enter press the button that has the focus.
    if (element instanceof HTMLButtonElement && (event.key === ' ' || event.key === 'Enter'))
      return;
    const scope = homeOf(element)?.getAttribute('data-scope') ?? EVERYWHERE;
    const binding = commandFor(event, scope, keys());
    if (binding === undefined) return;
    if (binding.command.startsWith('copy') && !page.getSelection()?.isCollapsed) return;
    if (run(binding.command, element)) event.preventDefault();
  });

  return {
    register(element, handlers) {
      if (element === undefined) {
        ofPage.add(handlers);
        return () => ofPage.delete(handlers);
      }
      ofElement.set(element, handlers);
      return () => {
        if (ofElement.get(element) === handlers) ofElement.delete(element);
      };
    },
    run,
  };
}

/** Handles commands while a component is on screen. */
export function useCommands(
  dispatcher: Dispatcher,
  element: () => Element | null | undefined,
  handlers: Handlers,
): void {
  useEffect(() => {
    const stop = dispatcher.register(element() ?? undefined, () => handlers);
    return () => {
      stop();
    };
  });
}

function isTyping(element: Element | null): boolean {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement
  );
}
