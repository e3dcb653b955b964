import { describe, expect, it } from 'vitest';
import { TABLE_ROW, virtualRows } from './virtual.ts';

describe('the virtual list', () => {
  it('maps pixels to rows one to one while it is short', () => {
    const rows = virtualRows(1000, 10 * TABLE_ROW + 5, 240);
    expect(rows.first).toBe(10);
    expect(rows.height).toBe(1000 * TABLE_ROW);
    expect(rows.top(10)).toBe(10 * TABLE_ROW);
  });

  it('reaches the first and the last of very many rows', () => {
    const total = 50_000_000;
    expect(virtualRows(total, 0, 600).first).toBe(0);
    const { height } = virtualRows(total, 0, 600);
    const end = virtualRows(total, height - 600, 600);
    expect(end.first + end.count).toBeGreaterThanOrEqual(total);
  });

  it('scrolls to a row of very many', () => {
    const total = 50_000_000;
    const to = virtualRows(total, 0, 600).scrollTo(30_000_000);
    expect(Math.abs(virtualRows(total, to, 600).first - 30_000_000)).toBeLessThan(2);
  });

  it('has no rows when there are none', () => {
    expect(virtualRows(0, 0, 600)).toMatchObject({ height: 0, first: 0 });
  });
});
