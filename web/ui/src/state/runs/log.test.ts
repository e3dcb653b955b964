import { describe, expect, it } from 'vitest';
import { withPart } from './log.ts';

const EMPTY = { job: 'a', text: '', next: 0, isCut: false };

describe('a log', () => {
  it('grows by what was written since', () => {
    const one = withPart(EMPTY, { text: 'one\n', next: 4, dropped: 0 });
    expect(withPart(one, { text: 'two\n', next: 8, dropped: 0 })).toEqual({
      ...EMPTY,
      text: 'one\ntwo\n',
      next: 8,
    });
  });

  it('begins anew where something is not kept in between', () => {
    const one = withPart(EMPTY, { text: 'one\n', next: 4, dropped: 0 });
    const later = withPart(one, { text: 'ten\n', next: 44, dropped: 40 });
    expect(later).toMatchObject({ text: 'ten\n', isCut: true });
    expect(withPart(one, { text: 'two\n', next: 8, dropped: 2 })).toMatchObject({
      text: 'one\ntwo\n',
      isCut: false,
    });
  });

  it('is bounded, and begins with a line', () => {
    let log = EMPTY;
    for (let part = 0; part < 10; part++) {
      const text = `${String(part).repeat(49_999)}\n`;
      log = withPart(log, { text, next: log.next + text.length, dropped: 0 });
    }
    expect(log.isCut).toBe(true);
    expect(log.text.length).toBeLessThanOrEqual(200_000);
    expect(log.text).toMatch(/^6+\n7+\n8+\n9+\n$/);
  });
});
