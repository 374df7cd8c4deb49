import type { Client } from '@waybill/contract';

/** Quoted in the specification, and no text of a screen. */
export const noText: Record<string, string> = {
  'in transit': "the name of a status; screens show its label 'Out for Delivery' (section 4)",
  processing: "the name of a status; screens show its label 'Processing' (section 4)",
  active: "a status of accounts; the carrier's is shown as 'Busy' or 'Active'",
  'Package Delivery Inquiry - {trackingId}': 'the subject of a mail that the browser hands to another program',
  packages: 'the name of a folder in the storage',
  '/': 'a path',
};

/** What the decisions put in the place of a text. */
export const replaced: Record<string, string> = {
  'Package ID is required for update':
    'decisions, section 4: an id that is missing or malformed is 404; an address without one is no call of the API',
  'Email Not Available':
    'decisions, section 5: every account has an email; of a driver whose account is gone the page says that an administrator decides who comes',
  "This driver's email is not available for contact.": 'the same',
};

/** Told by calls that no screen makes, so to the programs that make them. */
export const toldToPrograms: Record<string, (api: Client, packageId: string) => Promise<unknown>> = {
  // The form refuses such a file first, with 'File too large'.
  'File size exceeds 10MB limit': (api) =>
    api.images.announce({ body: { name: 'a.png', type: 'image/png', size: 10 * 1024 * 1024 + 1 } }),
};
