import { Fragment, options, type VNode } from 'preact';
import { visible } from '../text/names.ts';

/**
 * Elements that show lines as they are, or whose text is prose that may have several. Parts of such a text
 * say so by an attribute, `data-keeps-lines`.
 */
const KEEP_LINES: ReadonlySet<unknown> = new Set(['pre', 'p', 'title', 'textarea', 'style']);

/** Attributes that people see or hear. What is typed into a field stays exact. */
const SHOWN = ['title', 'aria-label', 'placeholder', 'label', 'alt'] as const;

type Props = Record<string, unknown>;

/**
 * The one gate between texts and the screen: whatever component puts a text into an element, what
 * would control how others show is made visible. Texts stay exact until then, as filters, addresses
 * and the clipboard need them so.
 */
export function showHarmlessly(): void {
  const before = options.vnode;
  options.vnode = (vnode) => {
    makeHarmless(vnode);
    before?.(vnode);
  };
}

/** The gate for one element. */
export function makeHarmless(vnode: VNode): void {
  const { type } = vnode;
  if (typeof type !== 'string' && type !== Fragment) return;
  const props = vnode.props as Props | null;
  if (props === null || typeof props !== 'object') return;
  const keepsLines = KEEP_LINES.has(type) || props['data-keeps-lines'] !== undefined;
  if ('children' in props) props.children = shown(props.children, keepsLines);
  if (type === Fragment) return;
  for (const name of SHOWN) {
    const text = props[name];
    if (typeof text === 'string') props[name] = shownText(text, true);
  }
}

function shown(children: unknown, keepLines: boolean): unknown {
  if (typeof children === 'string') return shownText(children, keepLines);
  if (!Array.isArray(children)) return children;
  return children.map((child) => shown(child, keepLines));
}

/** Several lines that are meant stay several. */
function shownText(text: string, keepLines: boolean): string {
  const harmless = visible(text);
  if (!keepLines || harmless === text) return harmless;
  return text.replace(/[^\n\r\t]+/g, visible);
}
