import { randomBytes } from 'node:crypto';
import type { CreatePackageInput, User } from '@waybill/contract';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Ctx } from './ctx.ts';
import { completeDelivery, failDelivery, markNext, startDelivery } from './deliveries/service.ts';
import { reportOnDelivery } from './incidents/service.ts';
import { listOwnNotifications, notifyOwner, readNotification } from './notifications/service.ts';
import { createPackage, updatePackage } from './packages/service.ts';
import type { Connection } from './platform/db.ts';
import type { Actor } from './platform/sessions.ts';
import { openProduct } from './product.ts';
import { createAccount, updateProfile } from './users/service.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** How many notifications the demo owner finds unread. */
const unreadNotifications = 3;

/** What happens to each package, in order, and how long ago it was registered. */
const parcels: {
  name: string;
  category: string;
  weight: number;
  to: string;
  street: string;
  daysAgo: number;
  story: Story;
}[] = [
  {
    name: 'Walnut desk lamp',
    category: 'Furniture',
    weight: 3.4,
    to: 'Mara Lindqvist',
    street: 'Harbour Street 12',
    daysAgo: 12,
    story: 'delivered',
  },
  {
    name: 'Board game collection',
    category: 'Toys',
    weight: 5.2,
    to: 'Theo Brandt',
    street: 'Mill Lane 4',
    daysAgo: 9,
    story: 'delivered',
  },
  {
    name: 'Winter coat',
    category: 'Clothing',
    weight: 1.8,
    to: 'Ines Moreau',
    street: 'Station Road 31',
    daysAgo: 7,
    story: 'delivered on the second attempt',
  },
  {
    name: 'Contract documents',
    category: 'Documents',
    weight: 0.3,
    to: 'Okafor & Partners',
    street: 'Court Square 1',
    daysAgo: 4,
    story: 'delivered',
  },
  {
    name: 'Espresso machine',
    category: 'Electronics',
    weight: 8.7,
    to: 'Jonas Weber',
    street: 'Chestnut Avenue 22',
    daysAgo: 0.2,
    story: 'next stop',
  },
  {
    name: 'First aid supplies',
    category: 'Medical',
    weight: 2.5,
    to: 'Riverside Clinic',
    street: 'Bridge Street 9',
    daysAgo: 0.3,
    story: 'on the road',
  },
  {
    name: 'Cookbook trio',
    category: 'Books',
    weight: 2.1,
    to: 'Amelia Stone',
    street: 'Orchard Close 7',
    daysAgo: 0.15,
    story: 'on the road, with an issue',
  },
  {
    name: 'Olive oil, six bottles',
    category: 'Food',
    weight: 6.4,
    to: 'Luca Romano',
    street: 'Market Square 15',
    daysAgo: 0.1,
    story: 'waiting',
  },
  {
    name: 'Bicycle helmet',
    category: 'Other',
    weight: 0.9,
    to: 'Nadia Petrova',
    street: 'Park Way 3',
    daysAgo: 0.08,
    story: 'waiting',
  },
  {
    name: 'Noise-cancelling headphones',
    category: 'Electronics',
    weight: 0.6,
    to: 'Samuel Adeyemi',
    street: 'Garden Row 18',
    daysAgo: 0.05,
    story: 'waiting',
  },
  {
    name: 'Garden chairs',
    category: 'Furniture',
    weight: 14.5,
    to: 'Clara Jensen',
    street: 'Lakeside 2',
    daysAgo: 3,
    story: 'cancelled',
  },
];
type Story =
  | 'waiting'
  | 'on the road'
  | 'on the road, with an issue'
  | 'next stop'
  | 'delivered'
  | 'delivered on the second attempt'
  | 'cancelled';

/**
 * Fills an empty database with accounts and packages to try the product with, through the product's own services,
 * so that nothing in it could not have happened. The password is drawn here and told once, in the log.
 */
export async function seedDemo(config: Config, connection: Connection, log: Logger): Promise<void> {
  const product = await openProduct({ config: { ...config, RATE_LIMITS: null }, connection, log, works: false });
  try {
    const { ctx } = product;
    const password = randomBytes(9).toString('base64url');
    const account = (name: string, email: string, role: User['role']) =>
      createAccount(ctx.db, { name, email, password, role });
    const owner = asActor(await account('Olivia Owner', 'owner@demo.example', 'owner'));
    const driver = asActor(await account('Dana Driver', 'driver@demo.example', 'driver'));
    await account('Ada Admin', 'admin@demo.example', 'admin');
    await updateProfile(ctx, driver, {
      phone: '+15550100123',
      yearsOfExperience: 6,
      vehicleInfo: { type: 'Van', model: 'Transit Custom', licensePlate: 'WB 1842' },
      currentLocation: 'Riverton depot',
    });
    for (const [index, parcel] of parcels.entries()) await tell(ctx, owner, driver, parcel, index);
    await notify(ctx, owner);
    log.info(
      `demo accounts: owner@demo.example, driver@demo.example, admin@demo.example; password for all three: ${password}`,
    );
  } finally {
    await product.close();
  }
}

const asActor = (user: User): Actor => ({
  id: user.id,
  role: user.role,
  status: user.status,
  permissions: user.permissionsInForce,
  mustChangePassword: false,
  sessionId: user.id,
});

async function tell(
  ctx: Ctx,
  owner: Actor,
  driver: Actor,
  parcel: (typeof parcels)[number],
  index: number,
): Promise<void> {
  const registered = ctx.now().getTime() - parcel.daysAgo * day;
  /** The product, as it stood so many hours after the package was registered, and never in the future. */
  const after = (hours: number): Ctx => ({
    ...ctx,
    now: () => new Date(Math.min(registered + hours * hour, ctx.now().getTime())),
  });
  const pkg = await createPackage(after(0), owner, inputOf(parcel, registered));
  const start = (hours: number) => startDelivery(after(hours), driver, pkg.id);
  switch (parcel.story) {
    case 'waiting':
      return;
    case 'cancelled':
      await updatePackage(after(2), owner, pkg.id, { status: 'cancelled' }, null);
      return;
    case 'on the road':
      await start(1);
      return;
    case 'on the road, with an issue':
      await start(1);
      await reportOnDelivery(after(2), driver, pkg.id, {
        issue: 'The road is closed at the bridge; taking the long way round.',
        type: 'Delay',
      });
      return;
    case 'next stop':
      await start(1);
      await markNext(after(3), driver, pkg.id);
      return;
    case 'delivered on the second attempt':
      await start(3);
      await failDelivery(after(6), driver, pkg.id, 'Nobody was at home');
      await start(24);
      await completeDelivery(after(27), driver, pkg.id, { receivedBy: parcel.to });
      return;
    case 'delivered':
      await start(2 + index);
      await completeDelivery(after(5 + index), driver, pkg.id, { receivedBy: parcel.to });
  }
}

function inputOf(parcel: (typeof parcels)[number], registered: number): CreatePackageInput {
  return {
    name: parcel.name,
    description: `${parcel.name}, packed for delivery within Riverton.`,
    category: parcel.category as CreatePackageInput['category'],
    weight: parcel.weight,
    recipientName: parcel.to,
    recipientContact: '+15550100199',
    location: 'Riverton depot',
    eta: new Date(registered + 2 * day).toISOString().slice(0, 10),
    address: { street: parcel.street, postalCode: '40112', city: 'Riverton', country: null },
  };
}

/** Runs the notifications that the queue would run in a moment, and leaves the newest few unread. */
async function notify(ctx: Ctx, owner: Actor): Promise<void> {
  const events = await ctx.db.query<{ id: string }>(
    "select id from events where owner_id = $1 and type <> 'package.created' order by at",
    [owner.id],
  );
  for (const event of events) await notifyOwner(ctx, event.id);
  const { items } = await listOwnNotifications(ctx, owner, { limit: 200, count: false });
  const newestFirst = items.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
  for (const item of newestFirst.slice(unreadNotifications)) await readNotification(ctx, owner, item.id);
}
