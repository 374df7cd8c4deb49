import { fill } from '@waybill/contract';
import type { Handling } from '@waybill/contract';
import type { Texts } from '@waybill/contract/texts/en';

export type HandlingWords = Pick<
  Texts['driver'],
  'fragile' | 'keepUpright' | 'refrigerated' | 'signatureRequired' | 'pin' | 'age' | 'safePlace'
>;

const english: HandlingWords = {
  fragile: 'Fragile',
  keepUpright: 'Keep upright',
  refrigerated: 'Refrigerated',
  signatureRequired: 'Signature required',
  pin: 'PIN at the door',
  age: 'ID check: {age} or older',
  safePlace: 'Leave in a safe place: {place}',
};

/** Labels of the special handling, for chips; the safe place's label includes where it is. */
export function handlingLabels(
  { fragile, keepUpright, refrigerated, signatureRequired, pin, age, safePlace }: Handling,
  words = english,
): string[] {
  return [
    fragile && words.fragile,
    keepUpright && words.keepUpright,
    refrigerated && words.refrigerated,
    signatureRequired && words.signatureRequired,
    pin && words.pin,
    age !== null && fill(words.age, { age }),
    safePlace !== null && fill(words.safePlace, { place: safePlace }),
  ].filter((word) => word !== false);
}
