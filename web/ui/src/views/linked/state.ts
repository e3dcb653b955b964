import type { AddressPart } from '../../state/address-part.ts';
import { decodePath, encodePath, wholeNumber } from '../../state/url-fields.ts';
import {
  decodePaneMetrics,
  encodePaneMetrics,
  MOST_PANES,
  type PaneMetrics,
} from './pane-metrics.ts';

/** By role, the path of what is chosen in its pane; empty for nothing. */
export type Chosen = readonly (readonly number[])[];

/** What of linked contexts is on screen; it lives in the page's address. */
export interface LinkedState {
  /** By role, keys from below the whole program down to the frame chosen in its pane. */
  readonly chosen: Chosen;
  /** Metrics of panes that are not in that of the page. */
  readonly metrics: PaneMetrics;
  /** The roles whose pairs are ranked; the last two where undefined. */
  readonly ranked: readonly [number, number] | undefined;
}

const STANDARD: LinkedState = { chosen: [], metrics: [], ranked: undefined };

export const LINKED_PART: AddressPart<LinkedState> = {
  key: 'linked',
  standard: STANDARD,
  encode({ chosen, metrics, ranked }, set) {
    // Nothing chosen after the last is not written.
    set('lk', chosen.map(encodePath).join('_').replace(/_+$/, ''), '');
    for (const entry of encodePaneMetrics(metrics)) set('pm', entry);
    set('rank', ranked?.join('.'));
  },
  decode: (text, all) => ({
    chosen: decodeChosen(text('lk')),
    metrics: decodePaneMetrics(all('pm')),
    ranked: decodeRanked(text('rank')),
  }),
  elsewhere: () => STANDARD,
  withoutKeys: (state) => ({ ...state, chosen: [] }),
  inShape: (state, moved) => ({ ...state, chosen: state.chosen.map(moved) }),
};

function decodeChosen(text: string | undefined): Chosen {
  const paths = text?.split('_', MOST_PANES).map(decodePath) ?? [];
  return paths.slice(0, paths.findLastIndex((path) => path.length > 0) + 1);
}

function decodeRanked(text: string | undefined): readonly [number, number] | undefined {
  const [first, second] = text?.split('.').map(wholeNumber) ?? [];
  if (first === undefined || second === undefined || first === second) return undefined;
  return [first, second];
}
