import type { TracksResult } from '@hotframe/engine';
import type { TimelineViewState } from './state.ts';

export type Track = TracksResult['tracks'][number];

/** A track as it is shown. */
export interface Arranged {
  readonly track: Track;
  readonly depth: number;
  /** The name of the track that it stands under in the recording, where it is taken from there. */
  readonly of: string | undefined;
  readonly isPinned: boolean;
  /** How many tracks stand under it. */
  readonly under: number;
  /** Those under it are summed up in it; how many of them, itself included, have a chart. */
  readonly sum: number | undefined;
}

/** What decides which tracks are shown, and in which order. */
export type Arrangement = Pick<
  TimelineViewState,
  'grouped' | 'hidden' | 'pinned' | 'order' | 'names'
>;

interface Node {
  readonly track: Track;
  readonly parent: Node | undefined;
  readonly children: Node[];
  /** Nanoseconds in which spans ran, and samples, its own and of all under it. */
  busy: number;
  samples: number;
  /** Of its own and of all under it. */
  charts: number;
  under: number;
  /** Whether its name is looked for; whether that of one under it is. */
  isNamed: boolean;
  hasNamed: boolean;
}

/** Whether anything is drawn in rows. */
export function hasChart(track: Track): boolean {
  return track.spans > 0 || track.samples > 0;
}

/** The tracks that are shown, pinned ones first, children behind their parents. */
export function arrangeTracks(tracks: readonly Track[], how: Arrangement): readonly Arranged[] {
  const { roots, all } = treeOf(tracks, how.names);
  const hidden = new Set(how.hidden);
  const grouped = new Set(how.grouped);
  const pinned = new Set(how.pinned);
  const searches = how.names.trim() !== '';
  const shown: Arranged[] = [];
  const add = (top: readonly Node[], isPinned: boolean) => {
    const open = sorted(top, how.order)
      .toReversed()
      .map((node) => ({ node, depth: 0, inNamed: false }));
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { node, depth } = next;
      const number = node.track.track;
      if (hidden.has(number) || (!isPinned && pinned.has(number))) continue;
      const inNamed = next.inNamed || node.isNamed;
      // Pinned ones stay, whatever is looked for.
      if (searches && !isPinned && !inNamed && !node.hasNamed) continue;
      const looksInside = searches && !isPinned && !inNamed;
      const isSum = node.children.length > 0 && grouped.has(number) && !looksInside;
      shown.push({
        track: node.track,
        depth,
        of: isPinned && depth === 0 ? node.parent?.track.name : undefined,
        isPinned,
        under: node.under,
        sum: isSum ? node.charts : undefined,
      });
      if (isSum) continue;
      const inside = sorted(node.children, how.order).toReversed();
      open.push(...inside.map((child) => ({ node: child, depth: depth + 1, inNamed })));
    }
  };
  const top = how.pinned.flatMap((number) => all.get(number) ?? []);
  // What stands under another pinned one is there already.
  const isInside = (node: Node) => {
    for (let at = node.parent; at !== undefined; at = at.parent) {
      if (pinned.has(at.track.track)) return true;
    }
    return false;
  };
  for (const node of top) if (!isInside(node)) add([node], true);
  add(roots, false);
  return shown;
}

function treeOf(tracks: readonly Track[], names: string) {
  const words = names.toLowerCase().split(/\s+/).filter(Boolean);
  const roots: Node[] = [];
  const all = new Map<number, Node>();
  const path: Node[] = [];
  for (const track of tracks) {
    path.length = Math.min(path.length, track.depth);
    const parent = path.at(-1);
    const name = `${track.name} ${track.recording}`.toLowerCase();
    const node: Node = {
      track,
      parent,
      children: [],
      busy: track.busy,
      samples: track.samples,
      charts: hasChart(track) ? 1 : 0,
      under: 0,
      isNamed: words.length > 0 && words.every((word) => name.includes(word)),
      hasNamed: false,
    };
    (parent?.children ?? roots).push(node);
    path.push(node);
    all.set(track.track, node);
  }
  // Children stand behind their parents: from the end, each is complete before it is added.
  for (const track of tracks.toReversed()) {
    const node = all.get(track.track)!;
    if (node.parent === undefined) continue;
    node.parent.busy += node.busy;
    node.parent.samples += node.samples;
    node.parent.charts += node.charts;
    node.parent.under += 1 + node.under;
    node.parent.hasNamed ||= node.isNamed || node.hasNamed;
  }
  return { roots, all };
}

const BY_NAME = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** Tracks of equal standing stay as they were recorded. */
function sorted(nodes: readonly Node[], order: Arrangement['order']): readonly Node[] {
  switch (order) {
    case 'recorded':
      return nodes;
    case 'busy':
      return nodes.toSorted((a, b) => b.busy - a.busy || b.samples - a.samples);
    case 'name':
      return nodes.toSorted((a, b) => BY_NAME.compare(a.track.name, b.track.name));
  }
}

/** What a track stands under, innermost first. */
export function ancestorsOf(tracks: readonly Track[], number: number): readonly number[] {
  const at = tracks.findIndex(({ track }) => track === number);
  const found = [];
  let depth = tracks[at]?.depth ?? 0;
  for (let one = at - 1; one >= 0 && depth > 0; one--) {
    if (tracks[one]!.depth >= depth) continue;
    depth = tracks[one]!.depth;
    found.push(tracks[one]!.track);
  }
  return found;
}

/** A track and all under it. */
export function withUnder(tracks: readonly Track[], number: number): readonly number[] {
  const at = tracks.findIndex(({ track }) => track === number);
  const depth = tracks[at]?.depth ?? 0;
  const end = tracks.findIndex((track, index) => index > at && track.depth <= depth);
  return tracks.slice(at, end < 0 ? undefined : end).map(({ track }) => track);
}
