import type { Client, Package, Role, SignedIn } from '@waybill/contract';
import type { RunningProduct } from './product.ts';

/** An account with a signed-in API client. */
interface Account extends SignedIn {
  api: Client;
}

export interface Fixtures {
  owner: Account;
  driver: Account;
  /** Has an empty profile. */
  newDriver: Account;
  /** Has no deliveries. */
  idleDriver: Account;
  admin: Account;
  newAdmin: Account;
  suspended: Account;
  waiting: Package;
  onTheRoad: Package;
  /** On the road with the new driver. */
  withNewDriver: Package;
  delivered: Package;
}

export const packageInput = {
  name: 'Walnut desk lamp',
  description: 'A lamp of walnut and brass',
  category: 'Furniture',
  weight: 2.5,
  recipientName: 'Mara Lindqvist',
  recipientContact: '+49 151 2345678',
  location: 'Riverton depot',
  eta: '2031-05-04',
} as const;

/** One account and package of each kind that changes what a screen shows. */
export async function createFixtures(product: RunningProduct): Promise<Fixtures> {
  async function register(name: string, role: Role): Promise<Account> {
    const email = `${name.toLowerCase().replace(' ', '.')}@example.com`;
    const signedIn = await product.api().auth.register({ body: { name, email, password: 'pond-heron-7', role } });
    return { ...signedIn, api: product.api(signedIn.token) };
  }
  const owner = await register('Olga Owner', 'owner');
  const driver = await register('Dan Driver', 'driver');
  const newDriver = await register('Nina New', 'driver');
  const idleDriver = await register('Ike Idle', 'driver');
  const admin = await register('Ada Admin', 'admin');
  const newAdmin = await register('Nora Newest', 'admin');
  const suspended = await register('Sue Suspended', 'owner');
  await admin.api.users.update({ params: { id: suspended.id }, body: { status: 'suspended' } });
  await driver.api.users.updateProfile({
    body: { name: 'Dan Driver', phone: '+4915112345678', vehicleInfo: { type: 'Van', model: 'Transit' } },
  });

  const create = (name: string, eta: string = packageInput.eta) =>
    owner.api.packages.create({ body: { ...packageInput, name, eta } });
  const waiting = await create('Walnut desk lamp');
  const [onTheRoad, withNewDriver, delivered] = [
    await create('Brass clock'),
    await create('Cedar chest'),
    await create('Oak mirror'),
  ];
  // Due before the others, so the first in the list of pending deliveries.
  await create('Tin whistle', '2031-05-03');
  await driver.api.deliveries.start({ params: { id: onTheRoad.id } });
  await newDriver.api.deliveries.start({ params: { id: withNewDriver.id } });
  await driver.api.deliveries.start({ params: { id: delivered.id } });
  await driver.api.deliveries.complete({ params: { id: delivered.id } });
  return {
    owner,
    driver,
    newDriver,
    idleDriver,
    admin,
    newAdmin,
    suspended,
    waiting,
    onTheRoad,
    withNewDriver,
    delivered,
  };
}

/** A picture to upload. */
export const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
