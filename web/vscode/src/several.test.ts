import { expect, it, vi } from 'vitest';

vi.mock('vscode', () => ({
  Uri: {
    file: (fsPath: string) => ({ scheme: 'file', fsPath }),
    from: (parts: object) => parts,
  },
}));

const { filesOf, joined, pathOf, uriOf } = await import('./several.ts');

it.each([[['/x/cpu.pb.gz']], [['/x/a, b.pb', '/y/"c".pb', '/runs']]])(
  '%s have an address',
  (files) => {
    const path = joined(files);
    expect(filesOf(path)).toEqual(files);
    expect(pathOf(uriOf(path, 'cpu (3 runs)'))).toBe(path);
  },
);

it('says what an address lacks', () => {
  const uri = { scheme: 'hotframe-together', query: '[1]', toString: () => 'this' };
  expect(() => pathOf(uri as never)).toThrow('this names no files.');
});
