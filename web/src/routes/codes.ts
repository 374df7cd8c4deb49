import type { Delivery } from '@waybill/contract';

/** A code's text as it is compared: of a label's link only the tracking ID. */
export function codeOf(text: string): string {
  const typed = text.trim().toUpperCase();
  return /PKG-[A-Z0-9]{8}(?![A-Z0-9])/.exec(typed)?.[0] ?? typed;
}

/** Fewer signs of a tracking ID's end may be typed by mistake. */
const minTyped = 3;

/**
 * The stop that was scanned or typed: by tracking ID, by the owner's reference, or by the end of one tracking ID, if no other has it.
 */
export function findByCode<S extends { delivery: Pick<Delivery, 'trackingId' | 'reference'> }>(
  stops: readonly S[],
  text: string,
): S | null {
  const code = codeOf(text);
  if (code === '') return null;
  const exact = stops.find(
    ({ delivery: { trackingId, reference } }) =>
      trackingId.toUpperCase() === code || reference?.trim().toUpperCase() === code,
  );
  if (exact) return exact;
  const ending = code.length < minTyped ? [] : stops.filter(({ delivery }) => delivery.trackingId.endsWith(code));
  return ending.length === 1 ? (ending[0] ?? null) : null;
}
