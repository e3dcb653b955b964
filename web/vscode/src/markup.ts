/** What rendered Markdown may have. */
const TAGS = new Set(
  (
    'h1 h2 h3 h4 h5 h6 p br hr ul ol li table thead tbody tr th td ' +
    'strong em s code pre blockquote a details summary'
  ).split(' '),
);

/**
 * Markup without anything that could act or bring something: known elements without attributes, but
 * for the alignment of cells and the addresses of links. Links to lines of files open them. Names of
 * a profile are text already; elements that are left out are those of other extensions.
 */
export function plainHtml(html: string): string {
  return html.replace(/<(\/?)([a-z][a-z0-9]*)\b([^<>]*)>|[<>]/gi, (all, end, name, rest) => {
    const tag = typeof name === 'string' ? name.toLowerCase() : '';
    // Of a bracket that begins no element nothing but the text is left.
    if (tag === '') return all === '<' ? '&lt;' : '&gt;';
    if (!TAGS.has(tag)) return '';
    if (end === '/') return `</${tag}>`;
    return `<${tag}${attributesOf(tag, String(rest))}>`;
  });
}

function attributesOf(tag: string, told: string): string {
  if (tag === 'th' || tag === 'td') {
    const side = /\bstyle="text-align:\s*(left|right|center)"/.exec(told)?.[1];
    return side === undefined ? '' : ` class="${side}"`;
  }
  if (tag !== 'a') return '';
  const address = /\bhref="([^"]*)"/.exec(told)?.[1];
  const target = address === undefined ? undefined : targetOf(address);
  return target === undefined ? '' : ` href="${target}"`;
}

/** What links to files begin with while Markdown is rendered, for VS Code drops those. */
const FILE = 'hotframe-file://';

/** Markdown whose links to files are links after it is rendered, too. */
export function withFileLinks(markdown: string): string {
  return markdown.replaceAll('](file://', `](${FILE}`);
}

/** Where a link goes: to the web, or to a line of a file, which a command opens. */
function targetOf(address: string): string | undefined {
  if (/^https?:\/\//.test(address)) return address;
  if (!address.startsWith(FILE)) return undefined;
  const [file = '', line = ''] = address.slice(FILE.length).replaceAll('&amp;', '&').split('#');
  const number = Number(/^L?(\d+)/.exec(line)?.[1] ?? 1);
  const args = JSON.stringify([`file://${file}`, number - 1]);
  return `command:hotframe.openLine?${encodeURIComponent(args)}`;
}
