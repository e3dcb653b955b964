import type { Step, ViewHistory } from './history.ts';
import type { ViewState } from './view-state.ts';

/** Writes a field of the address, unless it is at its standard. */
export type SetField = (key: string, value: string | number | undefined, standard?: string) => void;

/** Reads a field of the address. */
export type ReadField = (key: string) => string | undefined;

/** A part of the page's address that one view has for itself. */
export interface AddressPart<S> {
  /** What `ViewState.parts` has it by. */
  readonly key: string;
  readonly standard: S;
  /** Whether it means nothing in another document. */
  readonly ofDocument?: boolean;
  encode(state: S, set: SetField): void;
  /** Reads it back; what does not parse is at its standard. */
  decode(text: ReadField): S;
}

/** The state of a part. */
export function stateOf<S>({ parts }: Pick<ViewState, 'parts'>, part: AddressPart<S>): S {
  return (parts[part.key] as S | undefined) ?? part.standard;
}

/** All parts, with some of one changed. */
export function withState<S>(
  view: Pick<ViewState, 'parts'>,
  part: AddressPart<S>,
  change: Partial<S>,
): Pick<ViewState, 'parts'> {
  return { parts: { ...view.parts, [part.key]: { ...stateOf(view, part), ...change } } };
}

/** Changes some of a part. */
export function changeState<S>(
  { view, update }: ViewHistory,
  part: AddressPart<S>,
  change: Partial<S>,
  step: Step = 'push',
): void {
  update(withState(view.peek(), part, change), step);
}
