import { changeState } from '../../state/address-part.ts';
import type { App } from '../../state/app.ts';
import { TIMELINE_PART } from './state.ts';

/** Lists the critical path of a span below the timeline; of the longest where undefined. */
export function showPath(app: App, span: number | undefined): void {
  changeState(app, TIMELINE_PART, { below: 'critical_path', pathOf: span, sort: undefined });
}
