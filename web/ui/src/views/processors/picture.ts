import { cellOf, mostOf } from './bins.ts';
import type { Drawn } from './OverTime.tsx';
import { FOOT, GUTTER, ticksOf } from './paint-bins.ts';

const MARGIN = 12;
/** What is drawn of the parts of an SVG. */
const PAINTED = ['fill', 'fill-opacity', 'stroke', 'stroke-opacity', 'stroke-width'] as const;

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (one) => `&#${one.codePointAt(0)};`).replace(/[\p{Cc}]/gu, ' ');

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The pictures of a pane as one SVG: maps, coordinates and what is over time, where they stand. */
export function pictureOf(pane: HTMLElement | null, drawn: Drawn | undefined): string {
  if (pane === null) throw new Error('The pictures are not there yet.');
  const frame = pane.getBoundingClientRect();
  const boxOf = (element: Element): Box => {
    const box = element.getBoundingClientRect();
    const [x, y] = [box.x - frame.x + pane.scrollLeft, box.y - frame.y + pane.scrollTop];
    return { x: x + MARGIN, y: y + MARGIN, width: box.width, height: box.height };
  };
  const colour = plainColours();
  const parts: string[] = [];
  for (const element of pane.querySelectorAll('h2, figcaption, .socket > .mute')) {
    parts.push(
      textAt(boxOf(element), element.textContent ?? '', getComputedStyle(element), colour),
    );
  }
  for (const element of pane.querySelectorAll('.cpu')) {
    const box = boxOf(element);
    const style = getComputedStyle(element);
    const isFew = element.classList.contains('few');
    const fill = isFew ? 'url(#few)' : colour(style.backgroundColor);
    parts.push(rect(box, `fill="${fill}" stroke="${colour(style.borderTopColor)}" rx="3"`));
    const middle = `x="${box.x + box.width / 2}" y="${box.y + box.height / 2 + 4}"`;
    const label = escaped(element.textContent ?? '');
    parts.push(
      `<text ${middle} text-anchor="middle" font-size="11" fill="${colour(style.color)}">${label}</text>`,
    );
  }
  for (const svg of pane.querySelectorAll<SVGSVGElement>('svg.coordinates')) {
    parts.push(coordinates(svg, boxOf(svg), colour));
  }
  pane.querySelectorAll('.strip .cells').forEach((cells, set) => {
    if (drawn !== undefined) parts.push(strip(drawn, set, boxOf(cells), pane, colour));
  });
  const style = getComputedStyle(pane);
  const width = pane.clientWidth + 2 * MARGIN;
  const places = [...pane.querySelectorAll('.strip, .cpu-maps, .coordinates')].map(boxOf);
  const height = Math.max(MARGIN, ...places.map(({ y, height }) => y + height));
  const paper = colour(getComputedStyle(document.body).backgroundColor);
  const line = colour(style.getPropertyValue('--mute').trim());
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height + MARGIN}"`,
    ` font-family="system-ui, sans-serif" color="${colour(style.color)}">`,
    `<defs><pattern id="few" width="4" height="4" patternUnits="userSpaceOnUse">`,
    `<path d="M0 4L4 0" stroke="${line}" stroke-width="0.7"/></pattern></defs>`,
    `<rect width="100%" height="100%" fill="${paper}"/>`,
    ...parts,
    '</svg>',
  ].join('');
}

/** Colours as any program reads them. */
function plainColours(): (colour: string) => string {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const known = new Map<string, string>();
  return (colour) => {
    const told = known.get(colour);
    if (told !== undefined || context === null) return told ?? colour;
    if (colour === 'none' || colour === '') return 'none';
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
    const plain =
      alpha === 255
        ? `rgb(${red},${green},${blue})`
        : `rgba(${red},${green},${blue},${alpha! / 255})`;
    known.set(colour, plain);
    return plain;
  };
}

function rect({ x, y, width, height }: Box, rest: string): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" ${rest}/>`;
}

function textAt(
  box: Box,
  text: string,
  style: CSSStyleDeclaration,
  colour: (colour: string) => string,
): string {
  const size = Number.parseFloat(style.fontSize);
  const told = `font-size="${size}" font-weight="${style.fontWeight}" fill="${colour(style.color)}"`;
  return `<text x="${box.x}" y="${box.y + size}" ${told}>${escaped(text)}</text>`;
}

/** The coordinates as they are, with what the page's style gives them. */
function coordinates(svg: SVGSVGElement, box: Box, colour: (colour: string) => string): string {
  const parts: string[] = [];
  for (const element of svg.querySelectorAll('line, polyline, rect.brush, text, .axis-title')) {
    const style = getComputedStyle(element);
    if (element instanceof SVGElement) {
      const copy = element.cloneNode(false) as SVGElement;
      copy.removeAttribute('class');
      for (const name of PAINTED) {
        const value = style.getPropertyValue(name);
        copy.setAttribute(name, name === 'fill' || name === 'stroke' ? colour(value) : value);
      }
      if (element.localName === 'text') {
        copy.setAttribute('font-size', style.fontSize);
        copy.setAttribute('text-anchor', style.textAnchor);
        copy.setAttribute('stroke', 'none');
        copy.textContent = element.textContent;
      }
      parts.push(new XMLSerializer().serializeToString(copy));
    } else {
      const turn = element.querySelector('[aria-pressed]')!;
      const holder = element.closest('foreignObject')!;
      const x = Number(holder.getAttribute('x')) + Number(holder.getAttribute('width')) / 2;
      const ink = colour(getComputedStyle(turn).color);
      const name = escaped(turn.textContent ?? '');
      parts.push(
        `<text x="${x}" y="14" font-size="11" text-anchor="middle" fill="${ink}">${name}</text>`,
      );
    }
  }
  const view = svg.getAttribute('viewBox') ?? '';
  const place = `x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}"`;
  return `<svg ${place} viewBox="${view}">${parts.join('')}</svg>`;
}

/** What is over time of a set, as the page draws it. */
function strip(
  drawn: Drawn,
  set: number,
  box: Box,
  pane: HTMLElement,
  colour: (colour: string) => string,
): string {
  const { bins, links } = drawn;
  const { result } = bins;
  const style = getComputedStyle(pane);
  const token = (name: string) => colour(style.getPropertyValue(name).trim());
  const rows = Math.max(1, result.groups.length);
  const tall = (box.height - FOOT) / rows;
  const wide = (box.width - GUTTER - 8) / Math.max(1, result.bins);
  const most = mostOf(bins);
  const left = box.x + GUTTER;
  const parts = [
    rect(
      { x: left, y: box.y, width: wide * result.bins, height: tall * rows },
      `fill="${token('--hover')}"`,
    ),
  ];
  const hot = token('--hot');
  for (let row = 0; row < result.groups.length; row++) {
    for (let bin = 0; bin < result.bins; bin++) {
      const { value, isEnough } = cellOf(bins, set, row, bin);
      if (value === undefined || value <= 0) continue;
      const place = { x: left + bin * wide, y: box.y + row * tall, width: wide, height: tall - 1 };
      const share = 0.1 + 0.9 * Math.min(1, most > 0 ? value / most : 0);
      const fill = isEnough
        ? `fill="${hot}" fill-opacity="${share.toFixed(3)}"`
        : 'fill="url(#few)"';
      parts.push(rect(place, fill));
    }
    const every = Math.max(1, Math.ceil(11 / tall));
    if (row % every === 0) {
      const at = `x="${left - 6}" y="${box.y + (row + 0.5) * tall + 4}"`;
      const name = escaped(result.groups[row]!);
      parts.push(
        `<text ${at} text-anchor="end" font-size="11" fill="${token('--mute')}">${name}</text>`,
      );
    }
  }
  const ink = token('--ink');
  for (const { at, from, to } of links[set] ?? []) {
    const x = left + at * wide;
    const [first, last] = [from, to].map((row) => box.y + (row + 0.5) * tall);
    parts.push(`<line x1="${x}" x2="${x}" y1="${first}" y2="${last}" stroke="${ink}"/>`);
    parts.push(`<circle cx="${x}" cy="${last}" r="2" fill="${ink}"/>`);
  }
  for (const { x, label } of ticksOf(drawn, box.width)) {
    const at = `x="${box.x + x}" y="${box.y + box.height - 4}"`;
    parts.push(
      `<text ${at} text-anchor="middle" font-size="11" fill="${token('--mute')}">${label}</text>`,
    );
  }
  return parts.join('');
}
