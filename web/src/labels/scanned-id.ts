import { trackingIdPattern } from '@waybill/contract';

/**
 * The tracking ID in what a label's code says: the tracker's link, of whichever address it was printed with, or the ID itself.
 * @returns the ID in capital letters; null for the code of something else
 */
export function scannedId(text: string): string | null {
  const words = text.trim();
  const path = URL.canParse(words) ? new URL(words).pathname : words;
  const id = path
    .replace(/^.*\/track\//i, '')
    .replace(/\/$/, '')
    .toUpperCase();
  return trackingIdPattern.test(id) ? id : null;
}

/** The same for what somebody types, who may leave out `PKG-`. */
export const typedId = (text: string): string | null => scannedId(text) ?? scannedId(`PKG-${text.trim()}`);
