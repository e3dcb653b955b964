import { describe, expect, it } from 'vitest';
import {
  countsText,
  lineOf,
  meanOf,
  recorderText,
  timesText,
  whileText,
  willText,
} from './words.ts';

const plan = (cell_count: number, run_count: number) =>
  willText({ text: '', problem: '', cells: [], cell_count, run_count });

describe('words of experiments', () => {
  it('say what will happen', () => {
    expect(plan(4, 12)).toBe('12 runs of 4 cells, isolated: no network, no files of yours');
    expect(plan(1, 1)).toBe('1 run, isolated: no network, no files of yours');
  });

  it('say how far it is', () => {
    const none = { waiting: 0, running: 0, done: 0, failed: 0 };
    expect(countsText(none)).toBe('nothing yet');
    expect(countsText({ ...none, waiting: 3, done: 1200 })).toBe('1,200 done, 3 waiting');
  });

  it('find the line of a problem', () => {
    expect(lineOf('line 12, matrix.n: it is empty')).toBe(12);
    expect(lineOf('line 3: expected =')).toBe(3);
    expect(lineOf('runs: line 3 is too much')).toBeUndefined();
  });

  it('tell what runs took', () => {
    expect(meanOf([])).toBeUndefined();
    expect(timesText([])).toBe('no run has ended');
    expect(timesText([1, 2])).toBe('mean of 2 runs 1.5 s: 1 s, 2 s');
    expect(whileText(59.9)).toBe('59 s');
    expect(whileText(3601)).toBe('1 h');
    expect(whileText(90_000)).toBe('1 day');
  });

  it('name who measures', () => {
    expect(recorderText('python-trace')).toBe('Every call');
    expect(recorderText('perf')).toBe('perf');
  });
});
