/** A script that shows what can be done. */
export interface Example {
  readonly title: string;
  readonly text: string;
}

const FILES = import.meta.glob<string>('../../../../../python/examples/*.py', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** Titles are the first lines of the scripts. */
export const EXAMPLES: readonly Example[] = Object.values(FILES).map((text) => ({
  title: (text.split('\n', 1)[0] ?? '').replace(/^#\s*/, ''),
  text,
}));
