import { Fragment, h, type VNode } from 'preact';
import { expect, it } from 'vitest';
import { makeHarmless } from './harmless.ts';

const HARMFUL = 'a\u001b[2J\u202eb\nc';
const SHOWN = 'a\\u{1b}[2J\\u{202e}b\\nc';
const LINES = 'a\\u{1b}[2J\\u{202e}b\nc';

function through(vnode: unknown): Readonly<Record<string, unknown>> {
  makeHarmless(vnode as VNode);
  return (vnode as VNode).props as Record<string, unknown>;
}

it('makes texts of elements visible, however they are put in', () => {
  expect(through(h('b', null, HARMFUL)).children).toBe(SHOWN);
  expect(through(h('b', null, 'x', HARMFUL)).children).toEqual(['x', SHOWN]);
  expect(through(h('b', null, [[HARMFUL]])).children).toEqual([[SHOWN]]);
  expect(through(h(Fragment, null, HARMFUL)).children).toBe(SHOWN);
});

it('keeps lines where several are meant', () => {
  expect(through(h('pre', null, HARMFUL)).children).toBe(LINES);
  expect(through(h('pre', null, ['\t', [HARMFUL]])).children).toEqual(['\t', [LINES]]);
  expect(through(h('span', { 'data-keeps-lines': true }, HARMFUL)).children).toBe(LINES);
  expect(through(h('i', { title: HARMFUL, 'aria-label': HARMFUL }))).toMatchObject({
    title: LINES,
    'aria-label': LINES,
  });
});

it('leaves what is typed and what components get as it is', () => {
  expect(through(h('input', { value: HARMFUL })).value).toBe(HARMFUL);
  const Part = (props: { readonly name: string }) => props.name;
  expect(through(h(Part, { name: HARMFUL })).name).toBe(HARMFUL);
});
