import type { Delivery } from './deliveries.ts';

interface AtDoor {
  packageId: string;
  delivery: Pick<Delivery, 'recipientAddress' | 'recipientName'>;
}

/** Case and blanks do not count. */
const plain = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').replace(/ ?, ?/g, ',').trim();

const addressOf = ({ delivery: { recipientAddress } }: AtDoor): string | null =>
  recipientAddress === null ? null : plain(recipientAddress);

/** Null where the address or the name is not known: such a stop shares its door with no other. */
function doorOf(stop: AtDoor): string | null {
  const [address, name] = [addressOf(stop), stop.delivery.recipientName];
  return address && name ? `${address}\n${plain(name)}` : null;
}

/** The stops of a round, in its order, by doors: neighbours with the same address text and the same recipient are one door. */
export function doorsOf<S extends AtDoor>(stops: readonly S[]): S[][] {
  const doors: S[][] = [];
  let last: string | null = null;
  for (const stop of stops) {
    const door = doorOf(stop);
    if (door !== null && door === last) doors.at(-1)?.push(stop);
    else doors.push([stop]);
    last = door;
  }
  return doors;
}

/** Stops elsewhere on the round with the address of a door: for somebody else, or later in its order. */
export function othersAtAddress<S extends AtDoor>(stops: readonly S[], door: readonly S[]): S[] {
  const address = door[0] ? addressOf(door[0]) : null;
  const ids = new Set(door.map(({ packageId }) => packageId));
  return address === null ? [] : stops.filter((stop) => !ids.has(stop.packageId) && addressOf(stop) === address);
}
