import { describe, expect, it } from 'vitest';
import type { AddressPart } from './address-part.ts';
import { decodeHash, encodeHash, unreadFilters } from './url.ts';
import { DEFAULT_VIEW, pathInShape, type ViewState } from './view-state.ts';

interface Part {
  readonly first: number;
}

const PART: AddressPart<Part> = {
  key: 'frames',
  standard: { first: 0 },
  encode: ({ first }, set) => set('first', String(first), '0'),
  decode: (text) => ({ first: Number(text('first') ?? 0) }),
};

const VIEWS = [{ id: 'frames', state: PART }];

/** The state of an address that says nothing. */
const PLAIN: ViewState = { ...DEFAULT_VIEW, parts: { frames: PART.standard } };

const EVERYTHING: ViewState = {
  runs: { page: 'run', run: '0123456789abcdef-0123456789ab' },
  document: 3,
  members: 'label:a b&c',
  align: 'at:(?-i)^a&b$',
  metric: 1,
  formula: undefined,
  shape: 'bottom_up',
  view: 'frames',
  granularity: 'line',
  filters: [
    { kind: 'focus', pattern: 'a&b=c:d|e%20 #?' },
    { kind: 'label_focus', pattern: 'bytes=1kb:2mb' },
    { kind: 'hide', pattern: 'naïve ☃' },
  ],
  order: 'name',
  labels: 'place',
  collapse: 'all',
  hideBelow: 0.25,
  levels: 8,
  colour: 'self_share',
  search: 'json\\.(dec|enc)',
  zoom: {
    path: [1, 40, 4294967295],
    stops: [1],
    range: { from: 0.1234567890123, to: 0.5 },
    top: 240,
  },
  selection: [1, 2, 3],
  fn: 17,
  fns: [17, 40, 4294967295],
  source: { file: 'C:\\a b\\c&d:7.go', line: 42 },
  parts: { frames: { first: 8 } },
  graph: {
    depth: 3,
    opened: [4, 4294967295],
    closed: [12],
    hidden: ['access', 'map_exit'],
    symbols: [
      { name: 'N', value: 256 },
      { name: '__g[0]', value: 3 },
    ],
    nodes: 'measured:PAPI_L3_TCM',
    edges: 'none',
    basis: 'each',
    inBytes: false,
    scale: 'exponential',
    colours: 'cividis',
    against: 1,
    selection: 40,
    summed: [40, 3],
    camera: { x: 120, y: -3, zoom: 0.3125 },
    aspect: 84,
  },
  accesses: {
    scope: 12,
    symbols: [{ name: 'I', value: 8 }],
    fullSymbols: [{ name: 'K', value: 160 }],
    line: 32,
    lines: 16,
    cache: '32K:8,1M:16',
    fullCache: '48K:12',
    replacement: 'plru',
    inclusion: 'exclusive',
    rules: ['packed', 'prefetch'],
    schedule: 'static:4:1',
    ranges: ['a=0x4040:8:100x50', 'b c=64:4'],
    private: 2,
    changes: ['permute in_field 2,0,1', 'order k,i,j'],
    side: 'both',
    overlay: 'misses',
    distance: 'max',
    misses: 'conflict',
    chosen: [
      { container: 'A:b', indices: [3, 0, 12] },
      { container: 's', indices: [] },
    ],
    at: 7,
    range: { from: 3, to: 9 },
    scale: 'median',
    colours: 'cividis',
    full: true,
  },
};

describe('the address', () => {
  it('holds every part of the state', () => {
    expect(decodeHash(`#${encodeHash(EVERYTHING, VIEWS)}`, VIEWS)).toEqual(EVERYTHING);
  });

  it('names a formula instead of a metric, whose number may be another one elsewhere', () => {
    const state = { ...PLAIN, metric: undefined, formula: 'max_of(`a b`) / 2 > 1 %' };
    expect(decodeHash(`#${encodeHash({ ...state, metric: 7 }, VIEWS)}`, VIEWS)).toEqual(state);
  });

  it('is empty for the default state', () => {
    expect(encodeHash(DEFAULT_VIEW, VIEWS)).toBe('');
    expect(decodeHash('', VIEWS)).toEqual(PLAIN);
    expect(decodeHash('', [])).toEqual(DEFAULT_VIEW);
  });

  it.each([
    '#d=-1&m=x&shape=round&view=&by=0&order=&colour=red',
    '#z=..&zs=%&x=1~0&sel=!&fn=1e9',
    '#x=NaN~2&f=nothing&f=:&f',
    '#below=0&levels=0',
    '#below=101&levels=-1',
    '#below=1e1&levels=2.5',
    '#%E0%A4%A',
    '#as=-1&al=0&an=x&ak=32Q&af=&ax=sing&ao=&ae=1,x:,x:y,1.x:y&ap=-3&ag=9~3&aw=;%20;',
  ])('survives nonsense: %s', (hash) => {
    expect(decodeHash(hash, VIEWS)).toEqual(PLAIN);
  });

  it('knows the filters that it cannot read', () => {
    const hash = '#f=time:1s..2s&f=nothing&f=bogus:x%26y&f=';
    expect(unreadFilters(hash)).toEqual(['nothing', 'bogus:x&y', '']);
    expect(decodeHash(hash, VIEWS).filters).toEqual([{ kind: 'time', pattern: '1s..2s' }]);
    expect(unreadFilters('#d=1&f=focus:a:b')).toEqual([]);
  });

  it('leaves out a path too long to pass on', () => {
    const path = new Array<number>(5000).fill(35);
    expect(encodeHash({ ...DEFAULT_VIEW, selection: path }, VIEWS)).toBe('');
  });
});

describe('a path in another shape', () => {
  it('is read backwards between top-down and bottom-up', () => {
    expect(pathInShape([1, 2, 3], 'top_down', 'bottom_up')).toEqual([3, 2, 1]);
    expect(pathInShape([1, 2], 'top_down', 'top_down')).toEqual([1, 2]);
    expect(pathInShape([1, 2], 'top_down', 'flat')).toEqual([]);
  });
});
