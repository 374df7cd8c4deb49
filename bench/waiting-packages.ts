import type { Package } from '@waybill/contract';
import type { Session } from './product.ts';

/** Creates waiting packages, some at a time. */
export async function makePackages(owner: Session, count: number): Promise<string[]> {
  const made: Package[] = [];
  while (made.length < count)
    made.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(25, count - made.length) }, (_, index) =>
          owner.api.packages.create({ body: bodyOf(made.length + index) }),
        ),
      )),
    );
  return made.map(({ id }) => id);
}

const bodyOf = (number: number) => ({
  name: `Stop ${number}`,
  description: 'A package of a route',
  category: 'Other' as const,
  weight: 2.5,
  recipientName: 'Mara Lindqvist',
  recipientContact: '+49 151 2345678',
  address: { street: `Hafenstraße ${number}`, postalCode: '20457', city: 'Hamburg' },
});
