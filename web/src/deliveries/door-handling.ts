import type { Delivery, Handling } from '@waybill/contract';

/** What to mind at a door: whatever one of its packages asks for. Where one may be left counts for the first alone. */
export function handlingOfAll(packages: readonly Pick<Delivery, 'handling'>[]): Handling {
  const all = packages.map(({ handling }) => handling);
  const [first] = all;
  return {
    fragile: all.some(({ fragile }) => fragile),
    keepUpright: all.some(({ keepUpright }) => keepUpright),
    refrigerated: all.some(({ refrigerated }) => refrigerated),
    signatureRequired: all.some(({ signatureRequired }) => signatureRequired),
    pin: all.some(({ pin }) => pin),
    age: all.find(({ age }) => age !== null)?.age ?? null,
    safePlace: first?.safePlace ?? null,
  };
}
