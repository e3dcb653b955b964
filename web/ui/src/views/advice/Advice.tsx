import type { AdviceInfo } from '@hotframe/engine';
import { visible } from '../../text/names.ts';
import { formatShare } from '../../text/units.ts';
import { ABOUT } from '../estimates/Estimate.tsx';

/** What a rule or a note says, on what ground, and whose it is. */
export function Advice({ of }: { readonly of: AdviceInfo }) {
  return (
    <>
      <b>{visible(of.title)}</b>{' '}
      {of.value !== '' && (
        <span class="mute number">
          {of.is_estimated && ABOUT}
          {of.share === null ? of.value : `${formatShare(of.share)} (${of.value})`}
        </span>
      )}
      {of.path !== '' && <p class="mute">on the path {visible(of.path)}</p>}
      {of.text !== '' && <p>{visible(of.text)}</p>}
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
