import { expect, it, vi } from 'vitest';

vi.mock('vscode', () => ({}));
const { rowsOf } = await import('./instructions.ts');

it('lists instructions below their statements', () => {
  const of = (line: number | null, address: string, text = '', isHottest = false) => ({
    ...{ line, address, text, module: 'a.so', values: 'self 1', is_hottest: isHottest },
    elsewhere: '',
  });
  const rows = rowsOf(
    [
      of(1, '0x1', 'nop'),
      of(1, '0x2', 'mul', true),
      of(4, '0x5'),
      of(null, '0x7'),
      { ...of(null, '0x8'), elsewhere: 'vec.h:120' },
    ],
    (line) => `text ${line}`,
  );
  expect(rows.map(({ label, detail, line }) => [label, detail, line])).toEqual([
    ['2: text 1', undefined, undefined],
    ['nop', '0x1 · a.so', 1],
    ['$(flame) mul', '0x2 · a.so', 1],
    ['5: text 4', undefined, undefined],
    ['0x5', '0x5 · a.so', 4],
    ['No known line', undefined, undefined],
    ['0x7', '0x7 · a.so', undefined],
    ['vec.h:120', undefined, undefined],
    ['0x8', '0x8 · a.so', undefined],
  ]);
});
