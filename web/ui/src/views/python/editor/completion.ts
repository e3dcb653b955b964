import type {
  Completion,
  CompletionContext,
  CompletionResult,
  CompletionSource,
} from '@codemirror/autocomplete';
import { globalCompletion, localCompletionSource } from '@codemirror/lang-python';

/** Completions of what Python knows itself, of names of the script, and of the language. */
export function namesOf(
  complete: (text: string) => Promise<readonly string[]>,
): readonly CompletionSource[] {
  return [
    (context) => known(context, complete),
    ofText(localCompletionSource),
    ofText(globalCompletion),
  ];
}

/** What the interpreter knows: attributes behind a dot, and names. */
async function known(
  context: CompletionContext,
  complete: (text: string) => Promise<readonly string[]>,
): Promise<CompletionResult | null> {
  const before = context.matchBefore(/[\p{L}_][\p{L}\p{N}_]*(\.[\p{L}\p{N}_]*)*/u);
  if (before === null) return null;
  const dot = before.text.lastIndexOf('.');
  if (dot < 0 && !context.explicit && before.text.length < 2) return null;
  const names = await complete(before.text);
  if (context.aborted) return null;
  return {
    from: before.from + dot + 1,
    options: names.map((name) => completionOf(name.slice(dot + 1))),
    validFor: /^[\p{L}\p{N}_]*$/u,
  };
}

/** Python writes what can be called with its parenthesis. */
export function completionOf(name: string): Completion {
  const label = name.replace(/\($|\(\)$/, '').trimEnd();
  const isFunction = label !== name;
  return { label, type: isFunction ? 'function' : 'variable' };
}

/** Names of the text have none behind a dot. */
function ofText(source: CompletionSource): CompletionSource {
  return (context) => (context.matchBefore(/\.[\p{L}\p{N}_]*/u) === null ? source(context) : null);
}
