import { signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import { tellUnread } from './unread.ts';

describe('filters of an address that cannot be read', () => {
  it('are told, at first and when the address changes', () => {
    let hash = 'f=bogus:x&f=focus:main';
    let changed = () => {};
    const standing = signal<string | undefined>(undefined);
    const address = {
      read: () => hash,
      write() {},
      follow(run: () => void) {
        changed = run;
      },
    };
    tellUnread(address, { standing });
    expect(standing.value).toMatch(/A filter .* without it: “bogus:x”$/);
    standing.value = undefined;
    hash = 'f=focus:main';
    changed();
    expect(standing.value).toBe(undefined);
    hash = 'f=one&f=two:2';
    changed();
    expect(standing.value).toMatch(/2 filters .* without them: “one”, “two:2”$/);
  });
});
