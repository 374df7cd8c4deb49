import type { Handling } from '@waybill/contract';

/** Special handling in words, for lists of chips; where a safe place is, stands with it. */
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
