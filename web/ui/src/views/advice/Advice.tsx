import type { AdviceInfo } from '@hotframe/engine';
import { formatShare } from '../../text/units.ts';
import { ABOUT } from '../estimates/Estimate.tsx';

/** What a rule says, on what ground, and whose rule it is. */
export function Advice({ of }: { readonly of: AdviceInfo }) {
  return (
    <>
      <b>{of.title}</b>{' '}
      <span class="mute number">
        {of.is_estimated && ABOUT}
        {formatShare(of.share)} ({of.value})
      </span>
      <p>{of.text}</p>
      <p class="mute">
        {of.link !== '' && (
          <>
            <a href={of.link} rel="noreferrer noopener" target="_blank">
              More
            </a>
            {' · '}
          </>
        )}
        {of.origin}
      </p>
    </>
  );
}
