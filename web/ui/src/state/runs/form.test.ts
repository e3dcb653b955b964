import { describe, expect, it } from 'vitest';
import { EMPTY_DRAFT, formOf, givenLast, planName, readDraft, withEntry } from './form.ts';
import { requirementRow, valuesOf, versionsOf } from './levels.ts';
import { EVERYTHING, listOf } from './kept.ts';
import { decodeRuns, encodeRuns } from './place.ts';

describe('levels', () => {
  it('are what stands between commas', () => {
    expect(valuesOf('1, 2 ,,3')).toEqual(['1', '2', '3']);
    expect(valuesOf('"a, b", c')).toEqual(['a, b', 'c']);
    expect(valuesOf('"say \\"hi\\"", " "')).toEqual(['say "hi"', ' ']);
    expect(valuesOf(' , ')).toEqual([]);
  });

  it('of packages keep bounds together', () => {
    expect(versionsOf('1.26.4, 2.2.1')).toEqual(['1.26.4', '2.2.1']);
    expect(versionsOf('>=1, <2')).toEqual(['>=1,<2']);
    expect(versionsOf('1.26, >=2, !=2.1, none')).toEqual(['1.26', '>=2,!=2.1', 'none']);
    expect(versionsOf('')).toEqual([]);
  });

  it('may be typed with the package', () => {
    const row = (name: string, levels = '') => requirementRow({ name, levels });
    expect(row('numpy==1.26.4')).toEqual({ name: 'numpy', levels: '1.26.4' });
    expect(row('numpy >= 2')).toEqual({ name: 'numpy', levels: '>= 2' });
    expect(row('numpy==2', '1')).toEqual({ name: 'numpy', levels: '1, 2' });
    expect(row('numpy', '1')).toEqual({ name: 'numpy', levels: '1' });
  });
});

describe('a form', () => {
  const draft = { ...EMPTY_DRAFT, script: 'p.py' };

  it('is a command, with parameters last where the arguments lack them', () => {
    const parameters = [
      { name: 'n', levels: '1, 2' },
      { name: ' m ', levels: '3' },
      { name: '', levels: '4' },
    ];
    const full = { ...draft, words: '--m {m}', parameters };
    expect(givenLast(full)).toEqual(['n']);
    const form = formOf(full, 'p');
    expect(form.command).toBe('python3 p.py --m {m} {n}');
    expect(form.parameters).toEqual([
      { name: 'n', levels: ['1', '2'] },
      { name: 'm', levels: ['3'] },
    ]);
  });

  it('quotes names that a shell would part', () => {
    expect(formOf({ ...draft, script: "a b'c.py" }, 'p').command).toBe(`python3 'a b'"'"'c.py'`);
    expect(formOf({ ...draft, script: '' }, 'p').command).toBe('python3');
  });

  it('begins otherwise with another entry, and keeps what is typed', () => {
    const other = withEntry({ ...draft, words: 'x' }, 'environments');
    expect(other).toMatchObject({ entry: 'environments', recorder: 'cprofile', runs: 3 });
    expect(other).toMatchObject({ words: 'x', requirements: [{ name: '', levels: '' }] });
    expect(formOf(other, 'p').requirements).toEqual([]);
  });

  it('comes back after a reload, as far as it can be read', () => {
    expect(readDraft(JSON.stringify({ ...draft, runs: 7 }))).toEqual({ ...draft, runs: 7 });
    expect(readDraft('{"runs":"7","script":"q.py","parameters":{},"other":1}')).toEqual({
      ...EMPTY_DRAFT,
      script: 'q.py',
    });
    for (const text of [null, '', '[', '3', 'null']) expect(readDraft(text)).toEqual(EMPTY_DRAFT);
  });
});

describe('results', () => {
  it('are called after what was sent, in letters that plans have', () => {
    expect(planName('p.py')).toBe('p');
    expect(planName('My project.tar.gz')).toBe('My project');
    expect(planName('ünï\u202ecode.zip')).toBe('-n-code');
    expect(planName('☃.py')).toBe('program');
  });
});

describe('the address', () => {
  it('names every page', () => {
    const upload = '0123456789abcdef';
    const places = [
      { page: 'new', upload: undefined },
      { page: 'new', upload },
      { page: 'run', run: `${upload}-0123456789ab` },
      { page: 'kept' },
      { page: 'queue' },
    ] as const;
    for (const place of places) expect(decodeRuns(encodeRuns(place))).toEqual(place);
    expect(decodeRuns(undefined)).toBeUndefined();
    expect(decodeRuns('../../x')).toEqual({ page: 'new', upload: undefined });
  });
});

describe('what is kept', () => {
  it('is looked for by a day here', () => {
    expect(listOf(EVERYTHING)).toEqual({ search: '', phase: null, from_s: null, to_s: null });
    const { from_s: from, to_s: to } = listOf({ text: 'p', phase: 'ended', day: '2026-11-30' });
    expect(new Date((from ?? 0) * 1000).toDateString()).toBe('Mon Nov 30 2026');
    expect(new Date((to ?? 0) * 1000).toDateString()).toBe('Tue Dec 01 2026');
    expect(listOf({ ...EVERYTHING, day: 'x' }).from_s).toBeNull();
  });
});
