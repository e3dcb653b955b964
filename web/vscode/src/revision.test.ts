import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

vi.mock('vscode', () => ({}));

const { fileAt, nameAt, revisionsOf } = await import('./revision.ts');

let folder: string;
let file: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'hotframe-'));
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: folder });
  file = path.join(folder, '-cpu.pb.gz');
  git('init', '--quiet', '--initial-branch=main');
  // Bytes that are not text.
  writeFileSync(file, Buffer.from([0x1f, 0x8b, 0, 0xff, 13, 10]));
  git('add', '.');
  git('commit', '--quiet', '-m', 'one');
  git('tag', 'v1');
  git('branch', 'feature/fast');
  writeFileSync(file, 'two');
  writeFileSync(path.join(folder, 'big.pb'), 'version https://git-lfs.github.com/spec/v1\noid 1\n');
  git('add', '.');
  git('commit', '--quiet', '-m', 'two');
  writeFileSync(file, 'three');
});
afterAll(() => rmSync(folder, { recursive: true }));

it('offers HEAD, branches and tags', async () => {
  const [first, ...others] = await revisionsOf(file);
  expect(first?.name).toBe('HEAD');
  expect(others.map(({ label, description }) => `${description} ${label}`).sort()).toEqual([
    'branch feature/fast',
    'branch main',
    'tag v1',
  ]);
});

it('reads what a revision has, byte by byte', async () => {
  expect([...(await fileAt(file, 'refs/tags/v1'))]).toEqual([0x1f, 0x8b, 0, 0xff, 13, 10]);
  expect((await fileAt(file, 'HEAD')).toString()).toBe('two');
});

it('says what a revision has not, and what Git LFS has elsewhere', async () => {
  await expect(fileAt(path.join(folder, 'big.pb'), 'refs/tags/v1')).rejects.toThrow(/big\.pb/);
  await expect(fileAt(path.join(folder, 'big.pb'), 'HEAD')).rejects.toThrow(/Git LFS/);
  await expect(fileAt(file, '--output=x')).rejects.toThrow();
  const outside = mkdtempSync(path.join(tmpdir(), 'hotframe-'));
  await expect(revisionsOf(path.join(outside, 'a.pb'))).rejects.toThrow(/not a git repository/);
  rmSync(outside, { recursive: true });
});

it('names files of revisions so that their ending stays', () => {
  expect(nameAt('/x/cpu.pb.gz', 'refs/heads/feature/fast')).toBe('feature-fast cpu.pb.gz');
  expect(nameAt('/x/cpu.pb.gz', 'HEAD')).toBe('HEAD cpu.pb.gz');
});
