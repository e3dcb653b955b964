/**
 * An error as it may be shown: VS Code makes links of `[text](address)` in messages, even to
 * commands, and what is told may hold names of a profile.
 */
export function text(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replaceAll('](', '] (');
}
