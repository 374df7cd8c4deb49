import type { Client } from '@waybill/contract';

/** Quotes of the specification that are no text of a screen, with the reason. */
export const nonScreenQuotes: Record<string, string> = {
  'in transit': "the name of a status; screens show its label 'Out for Delivery' (section 4)",
  processing: "the name of a status; screens show its label 'Processing' (section 4)",
  active: "a status of accounts; the carrier's is shown as 'Busy' or 'Active'",
  'Package Delivery Inquiry - {trackingId}': 'the subject of a mail that the browser hands to another program',
  packages: 'the name of a folder in the storage',
  '/': 'a path',
};

/** Texts that decisions replacedTexts. */
export const replacedTexts: Record<string, string> = {
  'Package ID is required for update':
    'decisions, section 4: an id that is missing or malformed is 404; an address without one is no call of the API',
  'Email Not Available':
    'decisions, section 5: every account has an email; of a driver whose account is gone the page says that an administrator decides who comes',
  "This driver's email is not available for contact.": 'the same',
};

/** Texts that only API clients get, with a call that returns them. */
export const apiOnlyTexts: Record<string, (api: Client, packageId: string) => Promise<unknown>> = {
  // The form rejects such a file before the call, with 'File too large'.
  'File size exceeds 10MB limit': (api) =>
    api.images.announce({ body: { name: 'a.png', type: 'image/png', size: 10 * 1024 * 1024 + 1 } }),
};
