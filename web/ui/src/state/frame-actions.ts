import type { ViewSpec } from '@hotframe/engine';
import { exactPattern } from '../text/names.ts';
import type { MenuItem } from '../widgets/Menu.tsx';
import type { App } from './app.ts';
import type { Handlers } from './commands.ts';

/** A frame that something can be done with. */
export interface ActedFrame {
  readonly name: string;
  /** Undefined for modules and files of the flat shape, which nothing calls. */
  readonly key: number | undefined;
}

/**
 * Whether a node `depth` levels below the whole program stands for what the granularity asks for.
 * In the flat shape the levels above (modules, then files) do not.
 */
export function isCallable(spec: ViewSpec, depth: number): boolean {
  if (spec.shape.kind !== 'flat') return true;
  switch (spec.granularity) {
    case 'module':
      return depth >= 1;
    case 'file':
      return depth >= 2;
    case 'function':
    case 'name':
    case 'line':
    case 'address':
      return depth >= 3;
  }
}

/** What can be done with a frame wherever it is shown, as commands. */
export function frameHandlers(app: App, frame: ActedFrame | undefined): Handlers {
  if (frame === undefined) return {};
  const pattern = exactPattern(frame.name);
  const { key } = frame;
  return {
    focus_frame: () => app.addFilter('focus', pattern),
    ignore_frame: () => app.addFilter('ignore', pattern),
    hide_frame: () => app.addFilter('hide', pattern),
    show_from_frame: () => app.addFilter('show_from', pattern),
    ...(key === undefined ? {} : { open_sandwich: () => app.openSandwich(key) }),
    open_source: () => app.openSelected(true),
    copy_name: () => copyText(app, frame.name, 'Name copied'),
  };
}

/** The same as a menu. */
export function frameMenu(app: App, frame: ActedFrame): readonly MenuItem[] {
  const does = frameHandlers(app, frame);
  const item = (label: string, key: string, run: (() => void) | undefined, apart = false) => ({
    label,
    key,
    apart,
    run: () => run?.(),
  });
  return [
    item('Focus: keep only stacks with it', 'f', does.focus_frame),
    item('Ignore: drop stacks with it', 'i', does.ignore_frame),
    item('Hide it', 'x', does.hide_frame),
    item('Show from it on', 'g', does.show_from_frame),
    ...(does.open_sandwich === undefined
      ? []
      : [item('Open in the sandwich', 'o', does.open_sandwich, true)]),
    ...(app.opensSource.value
      ? [item('Open its source', 'e', does.open_source, does.open_sandwich === undefined)]
      : []),
    item('Copy its name', 'c', does.copy_name, true),
  ];
}

export function copyText(app: App, text: string, done: string): void {
  navigator.clipboard.writeText(text).then(
    () => {
      app.notice.value = done;
    },
    () => {
      app.notice.value = 'The browser did not allow copying.';
    },
  );
}
