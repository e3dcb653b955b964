import { beforeEach, describe, expect, it, vi } from 'vitest';

class Input {
  readonly uri: string;
  constructor(uri: string) {
    this.uri = uri;
  }
}
class TabInputText extends Input {}
class TabInputCustom extends Input {}
const tabGroups = { all: [] as unknown[] };

vi.mock('vscode', () => ({
  TabInputText,
  TabInputCustom,
  ViewColumn: { Beside: -2 },
  window: { tabGroups },
}));

const { columnFor } = await import('./source.ts');

/** A group of tabs; the last is in front. */
function group(viewColumn: number, ...inputs: Input[]) {
  const tabs = inputs.map((input) => ({ input }));
  return { viewColumn, tabs, activeTab: tabs.at(-1) };
}

const [code, other] = [new TabInputText('file:///main.go'), new TabInputText('file:///x.go')];
const picture = new TabInputCustom('file:///cpu.pb.gz');
const column = () => columnFor('file:///main.go' as never);

describe('a line that a frame leads to', () => {
  beforeEach(() => {
    tabGroups.all = [];
  });

  it('opens where its file is', () => {
    tabGroups.all = [group(1, other), group(2, code, other), group(3, picture)];
    expect(column()).toBe(2);
  });

  it('opens where other text is', () => {
    tabGroups.all = [group(1, picture), group(2, other)];
    expect(column()).toBe(2);
  });

  it('opens beside the picture, even where its file is behind that', () => {
    tabGroups.all = [group(1, code, picture)];
    expect(column()).toBe(-2);
    tabGroups.all = [group(1, code, picture), group(2, other)];
    expect(column()).toBe(2);
    tabGroups.all = [group(1, picture)];
    expect(column()).toBe(-2);
  });
});
