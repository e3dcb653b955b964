import type { SummaryResult } from '@hotframe/engine';
import { expect, it } from 'vitest';
import { several } from '../text/units.ts';
import { memberSplits, memberWord } from './members.ts';

it('calls members what they are made of', () => {
  const words = [undefined, 'process', 'thread', 'cpu', 'label:thread'].map(memberWord);
  expect(words.map(several)).toEqual(['profiles', 'processes', 'threads', 'processors', 'members']);
});

it('offers what samples have, and what is chosen', () => {
  const thread = { by: 'thread', title: 'thread' };
  const summary = (comparison: unknown) => ({ splits: [thread], comparison }) as SummaryResult;
  expect(memberSplits(undefined, undefined)).toEqual([]);
  expect(memberSplits(summary(null), 'thread')).toEqual([thread]);
  expect(memberSplits(summary(null), 'rank').map(({ by }) => by)).toEqual(['thread', 'rank']);
  expect(memberSplits(summary({}), undefined)).toEqual([]);
});
