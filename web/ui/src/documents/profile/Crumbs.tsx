import { Fragment } from 'preact';
import type { MainFlame } from '../../state/profile/look.ts';
import { shortenName } from '../../text/names.ts';
import { MenuButton } from '../../widgets/Menu.tsx';

/** Names in the breadcrumb before the middle is left out. */
const MOST_CRUMBS = 5;

/** The way from the whole program to what fills the width. */
export function Crumbs(props: { readonly flame: MainFlame }) {
  const scene = props.flame.scene.value;
  if (scene === undefined) return null;
  const nodes = scene.result.breadcrumb.filter(({ node }) => node !== 0);
  const keys = nodes.map(({ key }) => key);
  const crumbs = [
    { name: 'all', depth: 0 },
    ...nodes.map(({ name }, index) => ({ name, depth: index + 1 })),
  ];
  const cut = crumbs.length > MOST_CRUMBS;
  const shown = cut ? [crumbs[0]!, ...crumbs.slice(-(MOST_CRUMBS - 2))] : crumbs;
  const left = crumbs.slice(1, crumbs.length - (MOST_CRUMBS - 2));
  const go = (depth: number) => props.flame.zoomToPath(keys.slice(0, depth));
  return (
    <nav aria-label="Breadcrumb">
      <ol class="crumbs">
        {shown.map(({ name, depth }, index) => (
          <Fragment key={depth}>
            {cut && index === 1 && (
              <li>
                <MenuButton
                  label={`${left.length} more callers`}
                  items={left.map((crumb) => ({
                    label: `${crumb.depth}  ${shortenName(crumb.name, 60)}`,
                    title: crumb.name,
                    run: () => go(crumb.depth),
                  }))}
                >
                  …
                </MenuButton>
              </li>
            )}
            <li>
              <button
                type="button"
                title={name}
                aria-current={index === shown.length - 1 ? 'location' : undefined}
                onClick={() => go(depth)}
              >
                {shortenName(name, crumbs.length > 3 ? 26 : 36)}
              </button>
            </li>
          </Fragment>
        ))}
      </ol>
    </nav>
  );
}
