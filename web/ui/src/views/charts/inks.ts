/** What lines and texts of charts are drawn with, as the theme has it. */
export interface Inks {
  readonly ink: string;
  readonly mute: string;
  readonly line: string;
  readonly paper: string;
  readonly shade: string;
  readonly accent: string;
}

export function inksOf(element: Element): Inks {
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(name).trim();
  return {
    ink: token('--ink'),
    mute: token('--mute'),
    line: token('--line'),
    paper: token('--bg'),
    shade: token('--hover'),
    accent: token('--accent'),
  };
}
