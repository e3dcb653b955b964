import type { FilterKind, Normalise } from '@hotframe/engine';
import { useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { comparedMetric, WIDTHS } from '../../state/comparison.ts';
import { memberSplits } from '../../state/members.ts';
import { useApp } from '../../state/services.ts';
import { COLOURS, FILTER_KINDS, GRANULARITIES, labelOf, ORDERS } from '../../state/view-state.ts';
import { exactPattern, shortenName } from '../../text/names.ts';
import { formatShare } from '../../text/units.ts';
import type { MainFlame } from '../../state/profile/profile.ts';
import { MenuButton } from '../../widgets/Menu.tsx';
import { Pick } from '../../widgets/Pick.tsx';

/** Names in the breadcrumb before the middle is left out. */
const MOST_CRUMBS = 5;

/** Where one is (breadcrumb), what is left out (filters), and how the picture is made. */
export function Bar() {
  const app = useApp();
  const flame = app.profile.flame.value;
  const { granularity, order, collapse, view } = app.view.value;
  const compared = comparedMetric(app.profile.summary.value, app.profile.metric.value);
  return (
    <div class="bar">
      <div class="place-bar">
        {flame !== undefined && <Crumbs flame={flame} />}
        <FilterChips />
        <AddFilter />
      </div>
      {compared !== undefined && <ScalePicker />}
      <MembersPicker />
      {compared !== undefined && (
        <Pick
          label="Widths"
          choices={WIDTHS}
          value={compared.side}
          onChange={(side) => app.profile.setMetric(compared.metric[side])}
        />
      )}
      <Pick
        label="By"
        choices={GRANULARITIES}
        value={granularity}
        onChange={(value) => app.profile.setGranularity(value)}
      />
      {view !== 'table' && (
        <>
          <Pick
            label="Order"
            choices={ORDERS}
            value={order}
            onChange={(value) => app.update({ order: value }, 'push')}
          />
          <Pick
            label="Colour"
            choices={COLOURS.filter(({ value }) => compared !== undefined || value !== 'change')}
            value={app.profile.colour.value}
            onChange={(value) => app.update({ colour: value }, 'push')}
          />
        </>
      )}
      <button
        type="button"
        class={collapse ? 'plain on' : 'plain'}
        aria-pressed={collapse}
        title="Draw a function that calls itself as one frame (r)"
        onClick={() => app.update({ collapse: !collapse }, 'push')}
      >
        {collapse ? 'Recursion collapsed' : 'Collapse recursion'}
      </button>
      <button
        type="button"
        class={app.detailsOpen.value ? 'plain on' : 'plain'}
        aria-pressed={app.detailsOpen.value}
        title="Details panel (p)"
        onClick={() => {
          app.detailsOpen.value = !app.detailsOpen.value;
        }}
      >
        Details
      </button>
    </div>
  );
}

/** What members are made of, so that figures over members are over threads, ranks or labels. */
function MembersPicker() {
  const app = useApp();
  const { members } = app.view.value;
  const splits = memberSplits(app.profile.summary.value, members);
  if (splits.length === 0) return null;
  const shown = splits.find(({ by }) => by === members)?.title ?? 'as opened';
  return (
    <MenuButton
      label={`Members: ${shown}`}
      title="What figures over members are over"
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

/** Of a comparison: what values of both sides are brought to. */
function ScalePicker() {
  const app = useApp();
  const by = app.profile.summary.value?.comparison?.normalise ?? { kind: 'absolute' };
  const { value: selected } = app.profile.selection.selected.value;
  const name = selected === undefined || selected.isProgram ? '' : selected.details.result.name;
  const item = (label: string, title: string, to: Normalise) => ({
    label,
    title,
    checked: JSON.stringify(by) === JSON.stringify(to),
    run: () => {
      app.profile.normalise(to).catch(app.notices.fail);
    },
  });
  const frame = (pattern: string): Normalise => ({ kind: 'frame', pattern });
  const label = { absolute: 'absolute', total: 'equal totals', frame: 'equal frame' }[by.kind];
  return (
    <MenuButton
      label={`Scale: ${label}`}
      items={[
        item('Absolute', 'Values as they are', { kind: 'absolute' }),
        item('Equal totals', 'As if both had the total of the base', { kind: 'total' }),
        ...(by.kind === 'frame' ? [item(`Equal ${readable(by.pattern)}`, by.pattern, by)] : []),
        ...(name === ''
          ? []
          : [
              item(
                `Equal ${shortenName(name, 40)}`,
                'As if the selected function took the same on both sides',
                frame(exactPattern(name)),
              ),
            ]),
      ]}
    >
      Scale: <b>{label}</b>
    </MenuButton>
  );
}

function Crumbs(props: { readonly flame: MainFlame }) {
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

function FilterChips() {
  const app = useApp();
  const { value, error } = app.profile.filters.value;
  return (
    <>
      {app.view.value.filters.map(({ kind, pattern }, index) => {
        const effect = value?.result.filters[index];
        const idle = effect !== undefined && !effect.matched;
        const kept =
          effect === undefined
            ? ''
            : idle
              ? 'matches nothing'
              : `keeps ${formatShare(effect.kept)}`;
        return (
          <span
            key={`${index}${kind}${pattern}`}
            class={idle ? 'chip idle' : 'chip'}
            title={pattern}
          >
            <span class="pattern">
              {labelOf(FILTER_KINDS, kind).toLowerCase()}: {readable(pattern)}
            </span>
            <span class="number">{kept}</span>
            <button
              type="button"
              aria-label={`Remove the filter ${kind} ${pattern}`}
              onClick={() => app.profile.removeFilter(index)}
            >
              ×
            </button>
          </span>
        );
      })}
      {error?.code === 'bad_pattern' && (
        <span class="chip idle" title={error.hint}>
          {error.message}
        </span>
      )}
    </>
  );
}

/** An exact pattern reads as the name it stands for. */
function readable(pattern: string): string {
  const exact = pattern.match(/^\^(.*)\$$/)?.[1];
  return exact === undefined ? pattern : shortenName(exact.replace(/\\(.)/g, '$1'), 40);
}

function AddFilter() {
  const app = useApp();
  const kind = useSignal<FilterKind>('focus');
  const input = useRef<HTMLInputElement>(null);
  const open = app.overlay.value === 'filter';
  const close = () => {
    app.overlay.value = undefined;
  };
  useEffect(() => {
    if (open) input.current?.focus();
  }, [open]);
  if (!open) {
    return (
      <button
        type="button"
        class="plain"
        title="Keep or leave out stacks and frames (Shift+F)"
        onClick={() => {
          app.overlay.value = 'filter';
        }}
      >
        + Filter
      </button>
    );
  }
  const labels = app.profile.summary.value?.label_keys ?? [];
  const onLabel = kind.value === 'label_focus' || kind.value === 'label_ignore';
  return (
    <form
      class="add-filter"
      onSubmit={(event) => {
        event.preventDefault();
        app.profile.addFilter(kind.value, input.current?.value.trim() ?? '');
        close();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        close();
      }}
    >
      <select
        aria-label="Kind of filter"
        class="control"
        value={kind.value}
        onChange={(event) => {
          kind.value = event.currentTarget.value as FilterKind;
        }}
      >
        {FILTER_KINDS.map(({ value, label, title }) => (
          <option key={value} value={value} title={title}>
            {label}
          </option>
        ))}
      </select>
      <input
        ref={input}
        class="control"
        aria-label="Pattern"
        list={onLabel ? 'label-keys' : undefined}
        placeholder={onLabel ? 'key=value' : 'regular expression'}
        spellcheck={false}
        autocomplete="off"
      />
      <datalist id="label-keys">
        {labels.map((key) => (
          <option key={key} value={`${key}=`} />
        ))}
      </datalist>
      <button type="submit" class="plain on">
        Add
      </button>
      <button type="button" class="plain" onClick={close}>
        Cancel
      </button>
    </form>
  );
}
