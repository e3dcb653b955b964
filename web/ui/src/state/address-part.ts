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
  encode(state: S, set: SetField): void;
  /** Reads it back; what does not parse is at its standard. `all` reads fields that are written often. */
  decode(text: ReadField, all: (key: string) => readonly string[]): S;
  /** What stays of it in another document; all of it where undefined. */
  elsewhere?(state: S): S;
  /** The same where frames have other keys: in another granularity, or of other members. */
  withoutKeys?(state: S): S;
  /** The same in another shape, which moves paths. */
  inShape?(state: S, moved: (path: readonly number[]) => readonly number[]): S;
  /** Whether it finds something by its name. */
  findsByName?(state: S): boolean;
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

/** All parts after a change of the page; those for which it gives nothing stay as they are. */
export function changedParts(
  { parts }: Pick<ViewState, 'parts'>,
  all: readonly AddressPart<unknown>[],
  change: (part: AddressPart<unknown>, state: unknown) => unknown,
): Pick<ViewState, 'parts'> {
  const changed = all.map((part) => {
    const state = stateOf({ parts }, part);
    return [part.key, change(part, state) ?? state] as const;
  });
  return { parts: { ...parts, ...Object.fromEntries(changed) } };
}
