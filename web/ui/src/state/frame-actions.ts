import type { FilterKind, FunctionInfo, ViewSpec } from '@hotframe/engine';
import { shortenName } from '../text/names.ts';
import { several } from '../text/units.ts';
import { memberWord, spreads } from './members.ts';
import { exactPattern } from '../text/patterns.ts';
import type { MenuItem } from './commands.ts';
import type { App } from './app.ts';
import type { Handlers } from './commands.ts';

/** A frame that something can be done with. */
export interface ActedFrame {
  readonly name: string;
  /** What it is shown as: the name, with its place where another function has the same name. */
  readonly label: string;
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

/** Whether other functions have its name. */
export function isShared(frame: ActedFrame): boolean {
  return frame.label !== frame.name;
}

/** Filters look at a name, a file or a module, never at two of them at once. */
function goesByName(frame: ActedFrame): string {
  return `Filters go by name: this takes every function called ${shortenName(frame.name, 60)}.`;
}

/** What can be done with a frame wherever it is shown, as commands. */
export function frameHandlers(app: App, frame: ActedFrame | undefined): Handlers {
  if (frame === undefined) return {};
  const pattern = exactPattern(frame.name);
  const { key } = frame;
  const filter = (kind: FilterKind) => () => {
    app.profile.addFilter(kind, pattern);
    if (isShared(frame)) app.notices.notice.value = goesByName(frame);
  };
  return {
    focus_frame: filter('focus'),
    ignore_frame: filter('ignore'),
    hide_frame: filter('hide'),
    show_from_frame: filter('show_from'),
    ...(key === undefined ? {} : { open_sandwich: () => app.profile.openFunction(key) }),
    ...(spreads(app.profile.summary.value) && {
      show_spread: () => showSpread(app),
    }),
    open_source: () => app.source.openSelected(true),
    copy_name: () => copyText(app, frame.name, 'Name copied'),
  };
}

/** The same where names are not copied and no stack begins, as in lists and charts. */
export function listedHandlers(app: App, frame: ActedFrame | undefined): Handlers {
  const { copy_name: _, show_from_frame: __, ...handlers } = frameHandlers(app, frame);
  return handlers;
}

/** A function as a frame of which something can be done. */
export function actedFunction(
  info: Pick<FunctionInfo, 'name' | 'label' | 'key'> | undefined,
): ActedFrame | undefined {
  return info && { name: info.name, label: info.label ?? info.name, key: info.key };
}

/** Shows how the values of what is selected spread over members: at the frame, or pinned. */
function showSpread(app: App): void {
  const { atFrame, flame, selection, togglePin } = app.profile;
  if (flame.peek() !== undefined) {
    atFrame.value = !atFrame.peek();
    return;
  }
  const selected = selection.selected.peek().value;
  if (selected === undefined || selected.isProgram) return;
  const { label, name } = selected.details.result;
  togglePin({ label: label ?? name, spec: selected.spec, path: selected.path });
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
  const shared = isShared(frame);
  const it = shared ? `any ${shortenName(frame.name, 30)}` : 'it';
  const filter = (label: string, key: string, run: (() => void) | undefined) => ({
    ...item(label, key, run),
    ...(shared && { title: goesByName(frame) }),
  });
  return [
    filter(`Focus: keep only stacks with ${it}`, 'f', does.focus_frame),
    filter(`Ignore: drop stacks with ${it}`, 'i', does.ignore_frame),
    filter(`Hide ${it}`, 'x', does.hide_frame),
    filter(`Show from ${it} on`, 'g', does.show_from_frame),
    ...(does.open_sandwich === undefined
      ? []
      : [item('Open in the sandwich', 'o', does.open_sandwich, true)]),
    item('Open its source', 'e', does.open_source, does.open_sandwich === undefined),
    ...(spreads(app.profile.summary.value)
      ? [item(`Values over ${several(memberWord(app.view.value.members))}`, 'v', does.show_spread)]
      : []),
    item('Copy its name', 'c', does.copy_name, true),
  ];
}

export function copyText(app: App, text: string, done: string): void {
  navigator.clipboard.writeText(text).then(
    () => {
      app.notices.notice.value = done;
    },
    () => {
      app.notices.notice.value = 'The browser did not allow copying.';
    },
  );
}
