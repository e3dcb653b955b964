/** The commands of the manifest, and at the end those that lenses, rows of the side bar and the summary run. */
export const COMMANDS = [
  'hotframe.open',
  'hotframe.openWith',
  'hotframe.openTogether',
  'hotframe.compareWithRevision',
  'hotframe.record',
  'hotframe.recordTest',
  'hotframe.reveal',
  'hotframe.choose',
  'hotframe.summary',
  'hotframe.summaryInWindow',
  'hotframe.toggleHeat',
  'hotframe.toggleMarks',
  'hotframe.close',
  'hotframe.showProfile',
  'hotframe.clearHighlight',
  'hotframe.restart',
  'hotframe.showInstructions',
  'hotframe.showFunction',
  'hotframe.openLine',
] as const;

export type Command = (typeof COMMANDS)[number];
