import { describe, expect, it } from 'vitest';
import { fakeEngine, turn } from './engine.fixture.ts';
import { createUpload } from './upload.ts';

/** Uploads to an engine that reads its files, each when it is let. */
function uploads() {
  const readable = new Map<string, () => void>();
  const names: string[] = [];
  const { engine } = fakeEngine({
    upload({ name }: { name: string }) {
      names.push(name);
      return { document: names.length - 1 };
    },
    wait({ document }: { document: number }) {
      const name = names[document]!;
      return new Promise<object>((resolve, reject) => {
        if (name.startsWith('bad')) reject(new Error('no profile'));
        else readable.set(name, () => resolve({}));
      });
    },
  });
  const opened: number[] = [];
  const upload = createUpload(Object.assign(engine, { readsFiles: true, hand: () => undefined }), {
    opened: (document) => Promise.resolve(void opened.push(document)),
    together: () => undefined,
    failed: () => Promise.resolve(false),
    dropped: () => Promise.resolve(),
  });
  return { upload, names, opened, readable };
}

const file = (name: string) => new File(['main 1'], name);

describe('files', () => {
  it('that are chosen while others are read come after them', async () => {
    const { upload, names, opened, readable } = uploads();
    const first = upload.send([file('large')]);
    const second = upload.send([file('small')]);
    await turn();
    expect(names).toEqual(['large']);
    readable.get('large')!();
    expect(await first).toEqual([0]);
    await turn();
    readable.get('small')!();
    expect(await second).toEqual([1]);
    expect(opened).toEqual([0, 1]);
    expect(upload.status.value.kind).toBe('idle');
  });

  it('that cannot be read are still told when the next one is there', async () => {
    const { upload, readable } = uploads();
    void upload.send([file('bad')]);
    const second = upload.send([file('small')]);
    await turn();
    readable.get('small')!();
    await second;
    expect(upload.status.value).toMatchObject({ kind: 'failed', name: 'bad' });
    upload.dismiss();
    const third = upload.send([file('last')]);
    await turn();
    readable.get('last')!();
    await third;
    expect(upload.status.value.kind).toBe('idle');
  });
});
