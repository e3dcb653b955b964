import { memberSplits } from '../../state/members.ts';
import { useApp } from '../../state/services.ts';
import { shortenName } from '../../text/names.ts';
import { MenuButton } from '../../widgets/Menu.tsx';

/** What members are made of, so that figures over members are over threads, ranks or labels. */
export function MembersPicker() {
  const app = useApp();
  const { members } = app.view.value;
  const splits = memberSplits(app.profile.summary.value, members);
  if (splits.length === 0) return null;
  const shown = splits.find(({ by }) => by === members)?.title ?? 'as opened';
  return (
    <MenuButton
      label={`Members: ${shown}`}
      title="Which members formulas over profiles use"
      items={[
        {
          label: 'As opened',
          title: 'The profiles that came as one, or what --members-by made of them',
          checked: members === undefined,
          run: () => app.profile.setMembers(undefined),
        },
        ...splits.map(({ by, title }, index) => ({
          label: `By ${shortenName(title, 40)}`,
          title: `--members-by ${by}`,
          checked: by === members,
          apart: index === 0,
          run: () => app.profile.setMembers(by),
        })),
      ]}
    >
      Members: <b>{shortenName(shown, 20)}</b>
    </MenuButton>
  );
}
