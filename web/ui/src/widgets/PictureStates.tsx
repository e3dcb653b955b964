import type { EngineError } from '@hotframe/engine';
import type { ComponentChildren } from 'preact';

/** What stands over a picture: why there is none, and that one is under way. */
export function PictureStates(props: {
  readonly error: EngineError | undefined;
  readonly pending: boolean;
  /** Why nothing is drawn, and what to do about it; undefined where something is. */
  readonly empty?: readonly [string, ComponentChildren] | undefined;
}) {
  const { error, pending, empty } = props;
  // Patterns tell where they are typed what is wrong with them, and the page that nothing answers.
  const isTold = error === undefined || ['bad_pattern', 'disconnected'].includes(error.code);
  return (
    <>
      {!isTold && <Over title={error.message}>{error.hint}</Over>}
      {empty !== undefined && <Over title={empty[0]}>{empty[1]}</Over>}
      {pending && <div class="busy" />}
    </>
  );
}

function Over(props: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div class="message over">
      <h2>{props.title}</h2>
      <p>{props.children}</p>
    </div>
  );
}
