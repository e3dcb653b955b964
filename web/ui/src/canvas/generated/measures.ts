// Generated from crates/session by `cargo xtask codegen`; do not edit.

/** The font of names in pictures. */
export const FONT = 'ui-monospace, "JetBrains Mono", Menlo, "DejaVu Sans Mono", monospace';

/** Flame graphs. */
export const FLAME = {
  fontSize: 11.5,
  /** From row to row. */
  rowHeight: 20,
  /** Height of a box. The rest of a row is room. */
  boxHeight: 18.5,
  /** Room around the graph. */
  padding: 10,
  /** Between the left edge of a box and its text. */
  textMargin: 6,
  /** Narrower boxes have no text: three characters and the margins. */
  narrowestText: 30,
  /** Narrower boxes have square corners: round ones would eat them. */
  narrowestRound: 6,
  /** Narrower boxes have no outline: it would only be a dark line. */
  narrowestOutline: 4,
} as const;

/** Timelines. */
export const TIMELINE = {
  fontSize: 11,
  /** Height of the ruler. */
  ruler: 24,
  /** Height of a track that has only a name. */
  heading: 24,
  /** Height of a folded track. */
  folded: 36,
  /** Height of a row of bars. */
  row: 18,
  /** Height of the row of marks. */
  marks: 12,
  /** Height of a counter. */
  series: 40,
  /** Room below a track. */
  gap: 5,
  /** Narrower bars have no text. */
  narrowestText: 34,
} as const;
