import type { Handling } from '@waybill/contract';

/** Labels of the special handling, for chips; the safe place's label includes where it is. */
export function handlingLabels({
  fragile,
  keepUpright,
  refrigerated,
  signatureRequired,
  safePlace,
}: Handling): string[] {
  return [
    fragile && 'Fragile',
    keepUpright && 'Keep upright',
    refrigerated && 'Refrigerated',
    signatureRequired && 'Signature required',
    safePlace !== null && `Leave in a safe place: ${safePlace}`,
  ].filter((word) => word !== false);
}
