import { expect, it } from 'vitest';
import { CompletionContext } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { completionOf, namesOf } from './completion.ts';

async function asked(text: string, names: readonly string[] = []) {
  const questions: string[] = [];
  const [known] = namesOf((question) => {
    questions.push(question);
    return Promise.resolve(names);
  });
  const state = EditorState.create({ doc: text });
  const result = await known!(new CompletionContext(state, text.length, false));
  return { questions, result };
}

it('asks Python for attributes and names, as far as they are written', async () => {
  const { questions, result } = await asked('x = profile.no', ['profile.nodes(', 'profile.node']);
  expect(questions).toEqual(['profile.no']);
  expect(result?.from).toBe('x = profile.'.length);
  expect(result?.options.map(({ label, type }) => [label, type])).toEqual([
    ['nodes', 'function'],
    ['node', 'variable'],
  ]);
  expect((await asked('pri')).questions).toEqual(['pri']);
  // A letter alone, and what is not a name, are not worth a question.
  expect((await asked('p')).questions).toEqual([]);
  expect((await asked('f(1).x')).questions).toEqual([]);
  expect((await asked('12')).questions).toEqual([]);
});

it('writes names without what Python writes behind them', () => {
  expect(completionOf('print(')).toEqual({ label: 'print', type: 'function' });
  expect(completionOf('now()')).toEqual({ label: 'now', type: 'function' });
  expect(completionOf('for ')).toEqual({ label: 'for', type: 'function' });
});
