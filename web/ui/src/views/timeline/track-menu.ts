import type { App } from '../../state/app.ts';
import type { MenuItem } from '../../state/commands.ts';
import { formatThings } from '../../text/units.ts';
import { hasChart } from './arrange.ts';
import type { TimelineController } from './controller.ts';
import { onlyItem } from './only.ts';
import type { TrackOrder } from './state.ts';

const ORDERS: readonly { readonly order: TrackOrder; readonly label: string }[] = [
  { order: 'recorded', label: 'Sort as recorded' },
  { order: 'busy', label: 'Sort by busy time' },
  { order: 'name', label: 'Sort by name' },
];

/** What can be done with a track. */
export function trackMenu(
  app: App,
  controller: TimelineController,
  track: number,
): readonly MenuItem[] {
  const place = controller.placeOf(track);
  if (place === undefined) return [];
  const { view } = controller.input.peek();
  const isPinned = view.pinned.includes(track);
  const isGroup = place.under > 0;
  const only = onlyItem(app, controller, track);
  return [
    ...(only === undefined ? [] : [only]),
    ...(hasChart(place.track) && place.sum === undefined
      ? [
          {
            label: place.isOpen ? 'Fold its rows' : 'Unfold its rows',
            key: 'o',
            run: () => controller.arrange({ toggled: controller.toggledIn(view.toggled, track) }),
          },
        ]
      : []),
    ...(isGroup
      ? [
          {
            label: `${place.sum === undefined ? 'Sum up' : 'Show'} the ${formatThings(place.under, 'track')} under it`,
            title: 'Summed up is how busy they are: the mean over those that have spans or samples',
            run: () => controller.arrange({ grouped: controller.toggledIn(view.grouped, track) }),
          },
        ]
      : []),
    {
      label: isPinned ? 'Unpin' : 'Pin to the top',
      key: 'i',
      run: () => controller.arrange({ pinned: controller.toggledIn(view.pinned, track) }),
    },
    { label: 'Hide', key: 'x', run: () => controller.hide(track) },
    ...allTracksMenu(controller).map((item, index) => ({
      ...item,
      apart: index === 0 || item.apart === true,
    })),
  ];
}

/** What can be done with all tracks. */
export function allTracksMenu(controller: TimelineController): readonly MenuItem[] {
  const { view } = controller.input.peek();
  const groups = controller.places.peek().filter(({ under }) => under > 0);
  const open = groups.filter(({ sum }) => sum === undefined);
  return [
    ...ORDERS.map(({ order, label }) => ({
      label,
      checked: view.order === order,
      run: () => controller.arrange({ order }),
    })),
    {
      label: 'Callees below',
      apart: true,
      checked: !view.upwards,
      run: () => controller.arrange({ upwards: false }),
    },
    {
      label: 'Rows grow upwards',
      checked: view.upwards,
      run: () => controller.arrange({ upwards: true }),
    },
    {
      label: view.noIdle ? 'Show idle time' : 'Skip idle time',
      title: 'Stretches in which no shown track has anything for more than 2 % of what stays',
      key: 'g',
      apart: true,
      run: () => controller.arrange({ noIdle: !view.noIdle }),
    },
    ...(open.length > 0
      ? [
          {
            label: 'Sum up all groups',
            apart: true,
            run: () =>
              controller.arrange({
                grouped: [...view.grouped, ...open.map(({ track }) => track.track)],
              }),
          },
        ]
      : []),
    ...(view.grouped.length > 0
      ? [{ label: 'Show all in groups', run: () => controller.arrange({ grouped: [] }) }]
      : []),
    ...(view.pinned.length > 0
      ? [{ label: 'Unpin all', run: () => controller.arrange({ pinned: [] }) }]
      : []),
    ...(view.hidden.length > 0
      ? [
          {
            label: `Show ${formatThings(view.hidden.length, 'hidden track')}`,
            key: 'X',
            apart: true,
            run: () => controller.arrange({ hidden: [] }),
          },
        ]
      : []),
  ];
}
