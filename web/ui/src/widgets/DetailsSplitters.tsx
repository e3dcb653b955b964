import type { Sized } from '../state/layout.ts';
import { Splitter } from './Splitter.tsx';

/** Width of the panel beside a view. */
export const DETAILS: Sized = { name: 'details', standard: 340, least: 220, most: 900 };
/** Height of the panel below a view where there is no room beside it, as a share. */
export const SHEET: Sized = { name: 'sheet', standard: 0.42, least: 0.15, most: 0.85 };

/** The lines that size the panel; the style sheet shows the one that the window has room for. */
export function DetailsSplitters() {
  return (
    <>
      <Splitter class="beside" label="Width of the panel" part={DETAILS} along="across" behind />
      <Splitter class="below" label="Height of the panel" part={SHEET} along="down" behind />
    </>
  );
}
