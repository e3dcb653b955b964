import { useEffect, useMemo } from 'preact/hooks';

/** What a component makes once. It ends with the component, or what it has that can end. */
export function useMade<T extends object>(make: () => T): T {
  const made = useMemo(make, []);
  useEffect(
    () => () => {
      for (const part of 'dispose' in made ? [made] : Object.values(made)) {
        if (isDisposable(part)) part.dispose();
      }
    },
    [],
  );
  return made;
}

function isDisposable(part: unknown): part is { dispose(): void } {
  return typeof part === 'object' && part !== null && 'dispose' in part;
}
