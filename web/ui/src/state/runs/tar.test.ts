import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { tarOf } from './tar.ts';

const file = (path: string, text: string) => ({ path, file: new File([text], path) });

describe('several files as an archive', () => {
  it('is one that tar unpacks', async () => {
    const long = `project/${'a'.repeat(90)}/${'b'.repeat(80)}.py`;
    const texts = { 'p.py': 'print(1)\n', 'project/empty.py': '', [long]: 'x'.repeat(1025) };
    const files = Object.entries(texts).map(([path, text]) => file(path, text));
    const archive = new Uint8Array(await tarOf(files).arrayBuffer());
    const tar = (...words: string[]) =>
      execFileSync('tar', words, { input: archive }).toString('utf8');
    expect(tar('-t').trim().split('\n')).toEqual(Object.keys(texts));
    for (const [path, text] of Object.entries(texts)) expect(tar('-xO', path)).toBe(text);
  });

  it('refuses names that it cannot hold', () => {
    expect(() => tarOf([file('a'.repeat(200), '')])).toThrow('too long');
  });
});
