import type { Address } from './host.ts';
import type { Notices } from './notices.ts';
import { unreadFilters } from './url.ts';

/** Tells of filters of the address that cannot be read: what is shown is without them. */
export function tellUnread(address: Address, { standing }: Pick<Notices, 'standing'>): void {
  const tell = () => {
    const unread = unreadFilters(address.read());
    if (unread.length === 0) return;
    const [are, them] =
      unread.length === 1 ? ['A filter', 'it'] : [`${unread.length} filters`, 'them'];
    const texts = unread.map((one) => `“${one}”`).join(', ');
    standing.value = `${are} of the address cannot be read; what is shown is without ${them}: ${texts}`;
  };
  tell();
  address.follow(tell);
}
